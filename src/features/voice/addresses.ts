import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['voiceDevices']

/** API routes of `voiceDevices`. */
export const voiceDevices = addresses('voiceDevices', {
  list: { method: 'GET', path: '/voice-devices', can: 'voice:write' },
  get: { method: 'GET', path: '/voice-devices/:id', can: 'voice:write' },
  create: { method: 'POST', path: '/voice-devices', can: 'voice:write', touches },
  update: { method: 'PUT', path: '/voice-devices/:id', can: 'voice:write', touches },
  remove: { method: 'DELETE', path: '/voice-devices/:id', can: 'voice:write', touches },
  state: { method: 'POST', path: '/voice-devices/:id/state', can: 'voice:write' },
})

/** API routes of `calls`. */
export const calls = addresses('calls', {
  list: { method: 'GET', path: '/call-logs', can: 'voice:read' },
})

/** Event names of `voiceEvents`. */
export const voiceEvents = {
  state: { channel: 'voice', type: 'voice:state', durable: false },
} as const satisfies EventAddresses

/** Names of the socket's packets with sound, in both directions. */
export const SOUND_PACKET = 'voice:sound'

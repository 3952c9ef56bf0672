import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['teams']

/** API routes of `teams`. */
export const teams = addresses('teams', {
  list: { method: 'GET', path: '/group-message', can: 'teams:read' },
  mine: { method: 'GET', path: '/group-message/user', can: 'teams:read' },
  members: { method: 'GET', path: '/group-message/:id', can: 'teams:read' },
  create: { method: 'POST', path: '/group-message', can: 'teams:write', touches },
  update: { method: 'PUT', path: '/group-message/:id', can: 'teams:write', touches },
  remove: { method: 'DELETE', path: '/group-message/:id', can: 'teams:write', touches },
  addMember: { method: 'POST', path: '/group-message/user', can: 'teams:write', touches },
  removeMember: { method: 'DELETE', path: '/group-message/user/:userId/:groupId', can: 'teams:write', touches },
})

/** Event names of `teamEvents`. */
export const teamEvents = {
  changed: { channel: 'teams', type: 'teams:changed', durable: true },
} as const satisfies EventAddresses

import { io, type Socket } from 'socket.io-client'
import { fieldIn } from '#domain/keys.ts'
import { VOICE_MS } from '#domain/voice/calls.ts'
import { guardedAgent } from '../../guarded-agent.ts'
import { type OpenVoice, VoiceFailure } from '../port.ts'
import { acknowledged, qrcodeOf, signalOf, soundAddressOf, stateOf } from './payload.ts'

const SERVER = 'https://devices.wavoip.com'
const ANSWER_MS = 10_000

/**
 * Opens a device of Wavoip, first generation of its protocol: a socket for calls, and one for the sound of the current call
 * at the address that the server names.
 */
export const openWavoip: OpenVoice = ({ wavoipToken }, { environment, connect, warn }, events) => {
  const server = new URL(environment['WAVOIP_URL'] ?? SERVER)
  const open = (url: string): Socket =>
    io(url, {
      path: `/${encodeURIComponent(String(wavoipToken))}/websocket`,
      transports: ['websocket'],
      forceNew: true,
      timeout: ANSWER_MS,
      reconnectionDelayMax: 60_000,
      // The type knows agents of browsers only.
      agent: guardedAgent({ connect }, url.startsWith('https:')) as never,
    })
  const control = open(server.origin)
  let sound: Socket | null = null
  let [status, qrcode]: [unknown, string | null] = ['connecting', null]

  const publishState = () => events.state(stateOf(status, qrcode), qrcode)
  const closeSound = () => {
    sound?.disconnect()
    sound = null
  }
  const ask = async (event: string, argument: unknown, ms = ANSWER_MS) => {
    // The library would keep a packet without a connection, and send it minutes later.
    if (!control.connected) throw new VoiceFailure('late')
    const answer: unknown = await control
      .timeout(ms)
      .emitWithAck(event, argument)
      .catch(() => {
        throw new VoiceFailure('late')
      })
    return acknowledged(answer)
  }
  const act = async (event: string, ms?: number) => void (await ask(event, {}, ms))

  control.on('connect', () => {
    const current = (answer: unknown) => fieldIn(answer, 'result') ?? answer
    control.emit('whatsapp:device_status', (answer: unknown) => {
      status = current(answer)
      publishState()
    })
    control.emit('whatsapp:qrcode', (answer: unknown) => {
      qrcode = qrcodeOf(current(answer))
      publishState()
    })
  })
  control.on('disconnect', () => {
    status = 'connecting'
    publishState()
  })
  control.on('connect_error', (error) => {
    status = 'closed'
    warn(error, 'voice device not connected')
    publishState()
  })
  control.on('device_status', (next: unknown) => {
    status = next
    publishState()
  })
  control.on('qrcode', (next: unknown) => {
    qrcode = qrcodeOf(next)
    publishState()
  })
  control.on('signaling', (event: unknown) => {
    const signal = signalOf(event)
    if (signal?.kind === 'end') closeSound()
    if (signal) events.signal(signal)
  })
  control.on('audio_transport:create', (event: unknown) => {
    const address = soundAddressOf(event, server)
    if (!address) return warn(new Error('no usable address'), 'sound of a call not reached')
    closeSound()
    const opened = open(`${address.url}/call-${address.room}`)
    opened.on('audio_buffer', (frame: unknown) => {
      if (Buffer.isBuffer(frame)) events.sound(frame)
    })
    opened.on('connect_error', (error) => warn(error, 'sound of a call not reached'))
    sound = opened
  })
  control.on('audio_transport:terminate', closeSound)

  return {
    async call(number, ms) {
      try {
        return await ask('calls:start', number, ms)
      } catch (error) {
        // A call that begins after all must not ring beside that of the next device.
        if (error instanceof VoiceFailure && error.problem === 'late' && control.connected)
          control.emit('calls:end', {})
        throw error
      }
    },
    accept: () => act('calls:accept'),
    reject: () => act('calls:reject'),
    end: (ms) => act('calls:end', ms).finally(closeSound),
    mute: (isMuted) => act(isMuted ? 'calls:mute' : 'calls:unmute'),
    send(frame) {
      if (sound?.connected) sound.volatile.timeout(VOICE_MS.microphone).emit('microphone_buffer', frame)
    },
    close() {
      closeSound()
      control.removeAllListeners()
      control.disconnect()
    },
  }
}

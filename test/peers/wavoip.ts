import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server, type Socket } from 'socket.io'

/** Path on which the library listens; a device's token in the address becomes a query before. */
const PATH = '/device'

/**
 * Starts a server of Wavoip devices, first generation of the protocol: any token is a device, whose sockets share the path
 * `/{token}/websocket`; the sound of a call is the namespace `/call-{room}`, and is echoed.
 */
export async function startWavoip() {
  const http = createServer()
  http.prependListener('upgrade', (request: IncomingMessage) => {
    const [, token, rest] = /^\/([^/]+)\/websocket\/\?(.*)$/.exec(request.url ?? '') ?? []
    if (token) request.url = `${PATH}/?token=${token}&${rest}`
  })
  const io = new Server(http, { path: PATH, transports: ['websocket'] })
  const state = {
    /** Status of devices by token; 'open' unless set. */
    status: new Map<string, string>(),
    qrcode: new Map<string, string>(),
    /** Answers to `calls:start` by token, in place of a success; 'silent' gives none. */
    start: new Map<string, object | 'silent'>(),
    /** Events of clients: token, name, argument. */
    heard: [] as { token: string; event: string; argument: unknown }[],
    /** Bytes of the microphone by room. */
    sound: new Map<string, number>(),
  }
  let rooms = 0
  const devices = new Map<string, Set<Socket>>()
  const address = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const emit = (token: string, event: string, argument: unknown) => {
    for (const socket of devices.get(token) ?? []) socket.emit(event, argument)
  }
  const openSound = (token: string) => {
    const room = `r${++rooms}`
    emit(token, 'audio_transport:create', {
      ...{ room, ip: 'http://127.0.0.1', port: (http.address() as AddressInfo).port, sampleRate: 16_000 },
    })
    return room
  }

  io.on('connection', (socket) => {
    const token = String(socket.handshake.query['token'])
    devices.set(token, (devices.get(token) ?? new Set()).add(socket))
    socket.on('disconnect', () => devices.get(token)?.delete(socket))
    socket.on('whatsapp:device_status', (answer) => answer(state.status.get(token) ?? 'open'))
    socket.on('whatsapp:qrcode', (answer) => answer(state.qrcode.get(token) ?? null))
    for (const event of ['start', 'accept', 'reject', 'end', 'mute', 'unmute']) {
      socket.on(`calls:${event}`, (argument: unknown, answer?: (of: object) => void) => {
        state.heard.push({ token, event, argument })
        const start = event === 'start' ? state.start.get(token) : undefined
        if (start === 'silent') return
        answer?.(start ?? { type: 'success', result: event === 'start' ? { profile_picture: null } : {} })
        if (event === 'start' && !start) openSound(token)
        if (event === 'accept') {
          openSound(token)
          emit(token, 'signaling', { tag: 'accept', content: {}, attrs: {} })
        }
        if (event === 'end') emit(token, 'signaling', { tag: 'terminate', content: {}, attrs: {} })
        if (event === 'reject') emit(token, 'signaling', { tag: 'reject', content: {}, attrs: {} })
      })
    }
  })
  io.of(/^\/call-.+$/).on('connection', (socket) => {
    const room = socket.nsp.name.slice('/call-'.length)
    socket.on('microphone_buffer', (frame: Buffer) => {
      state.sound.set(room, (state.sound.get(room) ?? 0) + frame.length)
      socket.emit('audio_buffer', frame)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: address(),
    state,
    heard: (token: string) => state.heard.filter((one) => one.token === token).map(({ event }) => event),
    /** Whether a device has clients. */
    isListened: (token: string) => (devices.get(token)?.size ?? 0) > 0,
    /** Has a number call the device. */
    offer: (token: string, phone: string, name = '') =>
      emit(token, 'signaling', { tag: 'offer', content: { from_tag: name, phone, profile_picture: null }, attrs: {} }),
    signal: (token: string, tag: string) => emit(token, 'signaling', { tag, content: {}, attrs: {} }),
    setStatus: (token: string, status: string, qrcode: string | null = null) => {
      state.status.set(token, status)
      if (qrcode) state.qrcode.set(token, qrcode)
      emit(token, 'device_status', status)
      emit(token, 'qrcode', qrcode)
    },
    close: () => io.close(),
  }
}

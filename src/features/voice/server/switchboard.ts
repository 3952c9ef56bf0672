import { randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import {
  BUSY,
  type CallStatus,
  type DialResult,
  type Direction,
  ENDINGS,
  type Ending,
  NOT_CONNECTED,
  secondsOf,
  VOICE_MS,
  whyNotDialled,
} from '#domain/voice/calls.ts'
import { contactBook } from '#features/contacts/server/index.ts'
import { type DeviceState, VoiceFailure, type VoiceLink, type VoiceSignal } from '#providers/voice/port.ts'
import { may } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Parts } from '#server/parts.ts'
import { readPhone } from '#server/phone.ts'
import type { Platform } from '#server/platform.ts'
import { type SocketSession, sessionOf } from '#server/realtime/sockets.ts'
import { SOUND_PACKET } from '../addresses.ts'
import { type VoiceAnswer, type VoiceRequest, type VoiceState, voiceEvents, voiceRequest } from '../contract.ts'
import { DEVICES_CHANGED, plainDevice, voiceTools } from './devices.ts'
import { activeDevices, answerCall, answerElsewhere, closeCall, type DeviceRow, openCall } from './queries.ts'

/** Time (ms) for which devices stay open after the last listening page left. */
const LINGER_MS = 60_000
/** Time (ms) within which a page that lost its socket may take its call up again. */
const RETURN_MS = 15_000
const WATCH_MS = 500
/** Time (ms) for which a closing process waits for the provider to end a call. */
const PARTING_MS = 1000
const MOST_FRAME_BYTES = 8192

/** Page that talks, and its user; `socketId` is null while the page is away. */
type Talker = { readonly userId: number; socketId: string | null }

type Call = {
  readonly id: string
  /** Id in the log, once it is recorded. */
  logId: string | null
  readonly direction: Direction
  readonly number: string
  name: string
  picture: string | null
  contactId: number | null
  status: CallStatus
  answeredAt: Date | null
  ending: Ending | null
  talker: Talker | null
  /** Writes to the log, one after the other. */
  logged: Promise<void>
}

type Device = { readonly row: DeviceRow; readonly link: VoiceLink; state: DeviceState; call: Call | null }

/** Devices of one company that this process has open. */
type Board = {
  devices: Map<number, Device>
  /** Whether the stored devices are still to be read. */
  isStale: boolean
  opening: Promise<void> | null
  idle: ReturnType<typeof setTimeout> | undefined
}

const isFree = ({ state, call }: Device): boolean => state === 'open' && (call === null || call.ending !== null)

/** Failure of a request, as a sentence for the user. */
class Refused extends Error {}

/**
 * Connects the pages of this process with the company's voice devices: opens them while a page listens, offers incoming calls
 * to every page, gives a call to the first that accepts, relays its sound, and records calls in the log. Every process opens
 * its own devices, as the provider allows; an incoming call that another process took ends here.
 */
export function openSwitchboard(platform: Platform, { io, http }: Parts): void {
  const boards = new Map<number, Board>()
  const roomOf = (tenantId: number) => `voice:${tenantId}`

  const listeners = (tenantId: number): Socket[] =>
    [...(io.sockets.adapter.rooms.get(roomOf(tenantId)) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? [])

  function stateFor(socket: Socket): VoiceState {
    const { tenantId, userId } = sessionOf(socket)
    const devices = [...(boards.get(tenantId)?.devices.values() ?? [])]
    return {
      devices: devices.map(({ row: { id, name }, state }) => ({ id, name, state })),
      calls: devices.flatMap(({ row, call }) => {
        if (!call || (call.talker && call.talker.userId !== userId)) return []
        return {
          ...{ id: call.id, tag: call.name, phone: call.number, picture_profile: call.picture, status: call.status },
          ...{ direction: call.direction, whatsapp_instance: row.id, inbox_name: row.name, chat_id: call.contactId },
          active_start_date: call.answeredAt?.getTime() ?? null,
          duration: secondsOf(call.answeredAt, platform.now()),
          isOwn: call.talker !== null,
          isHere: call.talker?.socketId === socket.id,
          ending: call.ending,
        }
      }),
    }
  }

  function publishTo(socket: Socket): void {
    const { tenantId } = sessionOf(socket)
    const { channel, type } = voiceEvents.state
    mayCall(platform, sessionOf(socket)).then(
      (isAllowed) => {
        if (isAllowed) socket.emit(`${tenantId}:${channel}`, { type, payload: stateFor(socket), seq: null })
        else void socket.leave(roomOf(tenantId))
      },
      (err) => platform.log.error({ err, tenantId }, 'calls not published'),
    )
  }

  function publish(tenantId: number): void {
    for (const socket of listeners(tenantId)) publishTo(socket)
  }

  const log = (tenantId: number, call: Call, write: (ctx: Ctx) => Promise<unknown>) => {
    call.logged = call.logged
      .then(async () => void (await unit(platform, { tenantId, user: null }, write)))
      .catch((err) => platform.log.error({ err, tenantId }, 'call not recorded'))
  }
  const logged = (tenantId: number, call: Call, write: (ctx: Ctx, id: string) => Promise<unknown>) =>
    log(tenantId, call, async (ctx) => call.logId !== null && (await write(ctx, call.logId)))

  function begin(device: Device, given: Pick<Call, 'direction' | 'number' | 'name' | 'picture' | 'talker'>) {
    const call: Call = {
      ...given,
      id: randomUUID(),
      logId: null,
      contactId: null,
      status: given.direction === 'incoming' ? 'offer' : 'outcoming_calling',
      answeredAt: null,
      ending: null,
      logged: Promise.resolve(),
    }
    device.call = call
    return call
  }

  /** Records a call that begins, with the contact of its number. */
  function record(tenantId: number, device: Device, call: Call): void {
    log(tenantId, call, async (ctx) => {
      const contact = call.number && (await contactBook.ofNumber(ctx.db, call.number))
      if (contact) [call.contactId, call.name] = [contact.id, contact.name || call.name]
      const { direction, number, name, contactId, talker } = call
      const made = {
        tenantId,
        id: ctx.newId(),
        device: device.row,
        direction,
        number,
        name,
        contactId,
        userId: talker?.userId ?? null,
      }
      call.logId = await openCall(ctx.db, made, ctx.now)
    })
    void call.logged.then(() => publish(tenantId))
  }

  function answered(tenantId: number, call: Call): void {
    if (call.answeredAt) return
    call.status = 'accept'
    call.answeredAt = platform.now()
    const { talker } = call
    if (talker) logged(tenantId, call, (ctx, id) => answerCall(ctx.db, id, talker.userId, ctx.now))
    publish(tenantId)
  }

  function ended(tenantId: number, device: Device, call: Call, why: Ending): void {
    if (call.ending) return
    call.ending = why
    if (why === 'accept_elsewhere') logged(tenantId, call, (ctx, id) => answerElsewhere(ctx.db, id, ctx.now))
    else logged(tenantId, call, (ctx, id) => closeCall(ctx.db, id, ctx.now))
    forget(tenantId, device, call)
  }

  /** Shows the end of a call for its time, then frees the device. */
  function forget(tenantId: number, device: Device, call: Call): void {
    publish(tenantId)
    setTimeout(
      () => {
        if (device.call === call) device.call = null
        publish(tenantId)
        rest(tenantId)
      },
      ENDINGS[call.ending ?? 'terminate'],
    )
  }

  function onSignal(tenantId: number, device: Device, signal: VoiceSignal): void {
    const { call } = device
    if (signal.kind === 'offer') {
      const { number, name, picture } = signal
      if (call && !call.ending && call.number === number && call.direction === 'incoming') return
      if (call && !call.ending) ended(tenantId, device, call, 'terminate')
      record(tenantId, device, begin(device, { direction: 'incoming', number, name, picture, talker: null }))
      publish(tenantId)
    } else if (call && signal.kind === 'accept') {
      if (call.talker) answered(tenantId, call)
      else if (!call.ending) {
        // Accepted in another process, which records it.
        call.ending = 'accept_elsewhere'
        forget(tenantId, device, call)
      }
    } else if (call && signal.kind === 'end') ended(tenantId, device, call, signal.why)
  }

  async function openDevices(tenantId: number, board: Board): Promise<void> {
    const rows = await platform.db.read(tenantId, (db) => activeDevices(db))
    const { openVoice } = await import('#providers/voice/adapters.ts')
    const isSame = (a: DeviceRow, b: DeviceRow) => JSON.stringify(a) === JSON.stringify(b)
    for (const [id, device] of board.devices) {
      if (rows.some((row) => row.id === id && isSame(row, device.row))) continue
      board.devices.delete(id)
      if (device.call) ended(tenantId, device, device.call, 'terminate')
      device.link.close()
    }
    for (const row of rows) {
      if (board.devices.has(row.id)) continue
      const link = openVoice(plainDevice(platform, tenantId, row), voiceTools(platform), {
        state: (state) => {
          if (device.state === state) return
          device.state = state
          publish(tenantId)
        },
        signal: (signal) => onSignal(tenantId, device, signal),
        sound: (frame) => {
          const id = device.call?.talker?.socketId
          if (id) io.sockets.sockets.get(id)?.volatile.emit(SOUND_PACKET, frame)
        },
      })
      const device: Device = { row, link, state: 'connecting', call: null }
      board.devices.set(row.id, device)
    }
  }

  /** Opens the company's devices, once; `isChanged`: reads them anew, also while an earlier reading is under way. */
  async function refresh(tenantId: number, isChanged = false): Promise<void> {
    const board = boards.get(tenantId) ?? { devices: new Map(), isStale: true, opening: null, idle: undefined }
    boards.set(tenantId, board)
    clearTimeout(board.idle)
    if (isChanged) board.isStale = true
    board.opening ??= readAnew(tenantId, board).finally(() => {
      board.opening = null
    })
    await board.opening
  }

  async function readAnew(tenantId: number, board: Board): Promise<void> {
    while (board.isStale) {
      board.isStale = false
      await openDevices(tenantId, board).catch((error) => {
        board.isStale = true
        throw error
      })
    }
  }

  const reload = (tenantId: number) =>
    refresh(tenantId, true)
      .then(
        () => publish(tenantId),
        (err) => platform.log.error({ err, tenantId }, 'voice devices not read'),
      )
      .finally(() => rest(tenantId))

  /** Closes the company's devices a while after the last page left and the last call ended. */
  function rest(tenantId: number): void {
    const board = boards.get(tenantId)
    if (!board) return
    clearTimeout(board.idle)
    board.idle = setTimeout(() => {
      const isUsed = listeners(tenantId).length > 0 || [...board.devices.values()].some(({ call }) => call?.talker)
      if (isUsed || boards.get(tenantId) !== board) return
      boards.delete(tenantId)
      for (const { link } of board.devices.values()) link.close()
    }, LINGER_MS)
    board.idle.unref()
  }

  function callOf(session: SocketSession, id: string): { device: Device; call: Call } {
    const device = [...(boards.get(session.tenantId)?.devices.values() ?? [])].find(({ call }) => call?.id === id)
    if (!device?.call || device.call.ending) throw new Refused('Esta ligação já terminou.')
    return { device, call: device.call }
  }

  function ownCallOf(session: SocketSession, id: string): { device: Device; call: Call } {
    const found = callOf(session, id)
    if (found.call.talker?.userId !== session.userId) throw new Refused('Esta ligação é de outra pessoa.')
    return found
  }

  async function dial(socket: Socket, { number, deviceId }: Extract<VoiceRequest, { do: 'call' }>): Promise<void> {
    const { tenantId, userId } = sessionOf(socket)
    const phone = await readPhone(number)
    if (!phone) throw new Refused('Este número não existe. Confira o DDD e os dígitos.')
    const digits = phone.e164.slice(1)
    const devices = [...(boards.get(tenantId)?.devices.values() ?? [])]
    const wanted = devices.filter(({ row }) => deviceId === undefined || row.id === deviceId)
    const isTalking = devices.some(({ call }) => call?.talker?.userId === userId && !call.ending)
    if (isTalking) throw new Refused('Encerre antes a ligação em que você está.')
    if (!wanted.some(({ state }) => state === 'open')) throw new Refused(NOT_CONNECTED)
    const results: DialResult[] = []
    for (const device of wanted) {
      if (!isFree(device)) continue
      const talker: Talker = { userId, socketId: socket.id }
      const call = begin(device, { direction: 'outgoing', number: digits, name: '', picture: null, talker })
      publish(tenantId)
      const result = await tryDevice(device, call)
      if (result === 'ringing') return record(tenantId, device, call)
      results.push(result)
    }
    publish(tenantId)
    throw new Refused(results.length === 0 ? BUSY : whyNotDialled(results))
  }

  async function perform(socket: Socket, request: VoiceRequest): Promise<void> {
    const session = sessionOf(socket)
    const { tenantId, userId } = session
    if (request.do === 'listen') {
      await refresh(tenantId)
      await socket.join(roomOf(tenantId))
      if (!socket.connected) return rest(tenantId)
      for (const { call } of boards.get(tenantId)?.devices.values() ?? [])
        if (call?.talker?.userId === userId && call.talker.socketId === null) call.talker.socketId = socket.id
      return publishTo(socket)
    }
    if (request.do === 'call') return dial(socket, request)
    if (request.do === 'accept') {
      const { device, call } = callOf(session, request.id)
      if (call.talker) throw new Refused('Outra pessoa já atendeu.')
      call.talker = { userId, socketId: socket.id }
      publish(tenantId)
      await device.link.accept().catch((error) => {
        call.talker = null
        throw error
      })
      return answered(tenantId, call)
    }
    if (request.do === 'reject') {
      const { device, call } = callOf(session, request.id)
      if (call.talker) throw new Refused('Outra pessoa já atendeu.')
      await device.link.reject()
      return ended(tenantId, device, call, 'reject')
    }
    const { device, call } = ownCallOf(session, request.id)
    if (request.do === 'mute') return device.link.mute(request.isMuted)
    // The page is done with the call even if the provider does not answer.
    await device.link.end().catch((err) => platform.log.warn({ err, tenantId }, 'call not ended at the provider'))
    ended(tenantId, device, call, 'terminate')
  }

  async function answer(socket: Socket, given: unknown): Promise<VoiceAnswer> {
    const session = sessionOf(socket)
    const request = voiceRequest.safeParse(given)
    try {
      if (!(await mayCall(platform, session))) return { error: 'Você não tem permissão para fazer ligações.' }
      if (!request.success) return { error: 'Pedido inválido.' }
      await perform(socket, request.data)
      return { error: null }
    } catch (error) {
      if (error instanceof Refused) return { error: error.message }
      if (error instanceof VoiceFailure) return { error: error.message || sentences[error.problem] }
      platform.log.error({ err: error, tenantId: session.tenantId }, 'request about calls failed')
      return { error: 'Algo deu errado. Tente de novo.' }
    }
  }

  function leave(socket: Socket): void {
    const { tenantId } = sessionOf(socket)
    const board = boards.get(tenantId)
    if (!board) return
    for (const device of board.devices.values()) {
      const { call } = device
      if (call?.talker?.socketId !== socket.id) continue
      const { talker } = call
      talker.socketId = null
      const until = platform.now().getTime() + RETURN_MS
      const watching = setInterval(() => {
        const isAway = talker.socketId === null && !call.ending
        if (isAway && platform.now().getTime() < until) return
        clearInterval(watching)
        if (!isAway) return
        device.link.end().catch((err) => platform.log.warn({ err, tenantId }, 'call not ended at the provider'))
        ended(tenantId, device, call, 'terminate')
      }, WATCH_MS)
      watching.unref()
    }
    rest(tenantId)
  }

  io.on('connection', (socket) => {
    const { tenantId } = sessionOf(socket)
    socket.on(`${tenantId}:voice`, (given: unknown, reply: unknown) => {
      void answer(socket, given).then((result) => typeof reply === 'function' && reply(result))
    })
    socket.on(SOUND_PACKET, (frame: unknown) => {
      if (!Buffer.isBuffer(frame) || frame.length === 0 || frame.length > MOST_FRAME_BYTES) return
      for (const { call, link } of boards.get(tenantId)?.devices.values() ?? [])
        if (call?.talker?.socketId === socket.id && !call.ending) link.send(frame)
    })
    socket.on('disconnect', () => leave(socket))
  })
  platform.bus.onStale((what) => {
    const [name, id] = what.split(' ')
    if (name !== DEVICES_CHANGED || !boards.has(Number(id))) return
    void reload(Number(id))
  })
  platform.bus.onMissed((state) => {
    if (state === 'recovered') for (const tenantId of boards.keys()) void reload(tenantId)
  })
  http.addHook('preClose', async () => {
    const open = [...boards].flatMap(([tenantId, { devices }]) =>
      [...devices.values()].map((one) => [tenantId, one] as const),
    )
    boards.clear()
    await Promise.all(
      open.map(async ([tenantId, device]) => {
        const { call, link } = device
        if (call?.talker && !call.ending) await link.end(PARTING_MS).catch(() => {})
        if (call) ended(tenantId, device, call, 'terminate')
        link.close()
        await call?.logged
      }),
    )
  })
}

const sentences = {
  refused: BUSY,
  busy: BUSY,
  late: 'A linha não respondeu. Tente de novo.',
} as const

/** Dials on a device that was claimed for the call; a failure frees it. */
async function tryDevice(device: Device, call: Call): Promise<DialResult> {
  try {
    call.picture = (await device.link.call(call.number, VOICE_MS.dial)).picture
    return 'ringing'
  } catch (error) {
    if (device.call === call) device.call = null
    if (!(error instanceof VoiceFailure)) throw error
    return error.problem === 'refused' ? { sentence: error.message } : error.problem
  }
}

async function mayCall(platform: Platform, { tenantId, userId, byMasterKey }: SocketSession): Promise<boolean> {
  const actor = await platform.actors.get(`${tenantId}:${userId}`)
  if (!actor || actor.isCallBlocked) return false
  const asked = byMasterKey ? { ...actor, byMasterKey } : actor
  const settings = await platform.settings.get(String(tenantId))
  return may(asked, settings, 'voice:call')
}

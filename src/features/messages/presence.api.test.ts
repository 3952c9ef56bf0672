import { io, type Socket } from 'socket.io-client'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { tickets } from '#features/tickets/contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { messages } from './contract.ts'
import { receivePresence } from './server/presence/presence.ts'

type Presence = { ticketId: number; state: string; who: { id: number; name: string } | null }

const product = withProduct()
let tenantId: number
let queueId: number
let ana: Person
let bia: Person
let caio: Person
let stranger: Person

const m = () => make(product().platform)

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  ana = await m().person(tenantId, { name: 'Ana', queues: [queueId] })
  bia = await m().person(tenantId, { name: 'Bia', queues: [queueId] })
  caio = await m().person(tenantId, { name: 'Caio', queues: [await m().queue(tenantId)] })
  stranger = await m().person(await m().tenant(), { profile: 'admin' })
})

/** Connects a user's socket and records the presence events that it receives. */
async function browser({ token, tenantId: of }: Person): Promise<{ socket: Socket; told: Presence[] }> {
  const socket = io(product().address, {
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnection: false,
  })
  onTestFinished(() => void socket.disconnect())
  const told: Presence[] = []
  socket.on(`${of}:typing`, ({ payload }: { payload: Presence }) => told.push(payload))
  await new Promise((resolve) => socket.once('connect', () => resolve(true)))
  return { socket, told }
}
const ticket = (row: object = {}) =>
  m().ticket(tenantId, { status: 'open', user_id: ana.id, queue_id: queueId, ...row })
const type = ({ token }: Person, id: number) =>
  call(product(), messages.typing, token, { params: { id }, body: { state: 'composing' } })
/** Waits until an event sent last has arrived, and so all earlier ones. */
const flush = async (all: readonly { told: Presence[] }[], of: Person, id: number) => {
  await type(of, id)
  await until(() => all.every(({ told }) => told.some((one) => one.ticketId === id)))
}

it('who looks or writes is known to those who see the ticket, and to nobody else', async () => {
  const id = await ticket()
  const mark = await ticket()
  const [looks, sees, hidden, foreign] = await Promise.all([ana, bia, caio, stranger].map(browser))
  looks!.socket.emit(`${tenantId}:joinChatBox`, id)
  await until(() => sees!.told.length > 0)
  expect(sees!.told).toEqual([{ ticketId: id, state: 'viewing', who: { id: ana.id, name: 'Ana' } }])
  expect((await type(ana, id)).status).toBe(200)
  await until(() => sees!.told.length > 1)
  expect(sees!.told[1]).toMatchObject({ ticketId: id, state: 'composing', who: { id: ana.id } })
  looks!.socket.emit(`${tenantId}:joinChatBox`, mark)
  await until(() => sees!.told.some(({ ticketId }) => ticketId === mark))
  await until(() => sees!.told.filter(({ ticketId }) => ticketId === id).at(-1)?.state === 'left')
  expect([hidden!.told, foreign!.told]).toEqual([[], []])
  // Presence is not stored.
  const feed = await product().platform.db.read(tenantId, (db) => readChanges(db, 0, 10 ** 9, 100_000))
  expect(feed.filter(({ type }) => type === 'presence')).toEqual([])
})

it('whoever does not see a ticket says nothing there, neither that they look, write nor leave', async () => {
  const id = await ticket()
  const mark = await ticket()
  const [sees, hidden] = await Promise.all([bia, caio].map(browser))
  expect([(await type(caio, id)).status, (await type(stranger, id)).status]).toEqual([404, 404])
  for (const next of [id, null, id, { id }, -1]) hidden!.socket.emit(`${tenantId}:joinChatBox`, next)
  hidden!.socket.disconnect()
  await flush([sees!], ana, mark)
  expect(sees!.told.filter(({ ticketId }) => ticketId === id)).toEqual([])
})

it('who loses sight of a ticket while looking at it has left it, and is told of it no more', async () => {
  const id = await ticket({ user_id: bia.id })
  const mark = await ticket()
  const [looks, sees] = await Promise.all([ana, bia].map(browser))
  looks!.socket.emit(`${tenantId}:joinChatBox`, id)
  await until(() => sees!.told.length > 0)
  const otherQueue = await m().queue(tenantId)
  await call(product(), tickets.update, bia.token, {
    params: { id },
    body: { isTransference: true, queueId: otherQueue, userId: bia.id },
  })
  expect((await type(ana, id)).status).toBe(404)
  looks!.socket.emit(`${tenantId}:joinChatBox`, null)
  await until(() => sees!.told.some(({ state }) => state === 'left'))
  looks!.told.length = 0
  await type(bia, id)
  await flush([looks!], bia, mark)
  expect(looks!.told.filter(({ ticketId }) => ticketId === id)).toEqual([])
})

it('that the customer writes is told like that', async () => {
  const { platform } = product()
  const connectionId = await m().connection(tenantId, { type: 'test', queue_id: queueId })
  const from = '5511955550001'
  await receive(platform, { tenantId, connectionId }, [textEvent({ from, body: 'Oi' })])
  await ingestIdle(platform)
  const [sees, hidden, foreign] = await Promise.all([bia, caio, stranger].map(browser))
  await receivePresence(platform, { tenantId, connectionId, conversationKey: from, state: 'composing' })
  await until(() => sees!.told.length > 0)
  expect(sees!.told).toMatchObject([{ state: 'composing', who: null }])
  expect([hidden!.told, foreign!.told]).toEqual([[], []])
})

it('whoever cannot be told what has changed is cut off, so that the page comes again and reads it', async () => {
  const { socket } = await browser(ana)
  const { settings } = product().platform
  const get = settings.get
  onTestFinished(() => void Object.assign(settings, { get }))
  const gone = new Promise((resolve) => socket.once('disconnect', resolve))
  Object.assign(settings, { get: () => Promise.reject(new Error('unreadable')) })
  product().platform.bus.publish(tenantId, {
    ...{ channel: 'typing', type: 'presence', payload: {}, audience: { kind: 'tenant' } },
  })
  expect(await gone).toBe('io server disconnect')
})

import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { assistants, assistantTurns, connectionAssistants } from '#features/assistants/contract.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { make, type Person } from './make.ts'
import { startAssistants } from './peers/assistants.ts'
import { type TestChannel, testChannel, textEvent } from './peers/channel.ts'
import { call, withProduct } from './server.ts'
import { until } from './until.ts'

/** Company with a connection, a queue, an administrator and Ana of the queue, whose customer `from` writes; new for each test of a file. */
export function assistantCompany() {
  const product = withProduct({
    env: { OUTBOUND_ALLOW: ['127.0.0.1'] },
    checkpoint: (name) => state.atCheckpoint?.(name),
    now: () => new Date(Date.now() + state.aheadMs),
  })
  const m = () => make(product().platform)
  let customers = 5_511_988_000_000
  const state = {
    peer: undefined as never as Awaited<ReturnType<typeof startAssistants>>,
    channel: undefined as never as TestChannel,
    admin: undefined as never as Person,
    ana: undefined as never as Person,
    tenantId: 0,
    connection: 0,
    queue: 0,
    from: '',
    /** How far the product's clock is ahead, in ms; it never goes back. */
    aheadMs: 0,
    atCheckpoint: undefined as ((name: string) => void) | undefined,
  }
  /** Lets another customer write; returns their address. */
  const nextCustomer = () => {
    customers += 1
    state.from = String(customers)
    return state.from
  }

  beforeAll(async () => {
    state.peer = await startAssistants()
  })
  afterAll(() => state.peer.close())
  beforeEach(async () => {
    state.atCheckpoint = undefined
    state.peer.reset()
    state.channel = testChannel(product().platform)
    state.tenantId = await m().tenant()
    state.queue = await m().queue(state.tenantId)
    state.connection = await m().connection(state.tenantId, { type: 'test', queue_id: state.queue })
    state.admin = await m().person(state.tenantId, { profile: 'admin' })
    state.ana = await m().person(state.tenantId, { name: 'Ana', queues: [state.queue] })
    nextCustomer()
  })

  /** Connects an account and, with `isChosen`, makes it answer on the connection; returns its id. */
  async function connect(provider = 'claude', config: object = {}, { isChosen = true } = {}): Promise<number> {
    const filled = state.peer.filled[provider]!
    const body = {
      provider,
      name: `Robô ${provider}`,
      ...filled,
      config: { ...filled.config, waitSeconds: 0, ...config },
    }
    const made = await call(product(), assistants.create, state.admin.token, { body: body as never })
    expect([made.status, made.body]).toMatchObject([200, {}])
    const { id } = made.body
    if (isChosen) await choose({ assistantId: id })
    return id
  }
  const choose = async (body: object) => {
    const params = { id: state.connection }
    expect((await call(product(), connectionAssistants.set, state.admin.token, { params, body })).status).toBe(200)
  }
  const receiveEvents = (events: Parameters<typeof receive>[2]) =>
    receive(product().platform, { tenantId: state.tenantId, connectionId: state.connection }, events)
  const write = (body: string) => receiveEvents([textEvent({ from: state.from, body })])
  const sent = () =>
    state.channel.sent.filter(({ conversationKey }) => conversationKey === state.from).map(({ body }) => body)
  const latest = async () =>
    product().platform.db.read(state.tenantId, (db) =>
      db.selectFrom('tickets').selectAll().orderBy('id', 'desc').executeTakeFirst(),
    )
  /** Waits until `count` messages of the customer have arrived. */
  const arrived = (count: number) => until(async () => ((await latest())?.unread_messages ?? 0) >= count)
  const theTicket = async () => {
    await until(async () => (await latest()) !== undefined)
    return (await latest())!
  }
  const turns = async () => {
    const params = { id: (await theTicket()).id }
    return (await call(product(), assistantTurns.list, state.admin.token, { params })).body.turns
  }
  const calls = () =>
    product().platform.db.read(state.tenantId, (db) =>
      db.selectFrom('assistant_calls').selectAll().where('purpose', '=', 'turn').execute(),
    )
  const ended = (count = 1) =>
    until(
      async () =>
        (await turns()).filter(({ status }) => !['waiting', 'claimed', 'asked'].includes(status)).length >= count,
    )
  const reads = { sent, theTicket, turns, calls }
  const waits = { arrived, ended }
  return Object.assign(state, reads, waits, { product, m, nextCustomer, connect, choose, receiveEvents, write })
}

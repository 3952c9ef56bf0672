import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { receivePresence } from '#features/messages/server/presence/presence.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make } from '#test/make.ts'
import { receiptEvent, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
let tenantId: number
let connectionId: number
let queues: number[]
let admin: { id: number; token: string }
let limited: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  testChannel(product().platform)
  tenantId = await m.tenant()
  connectionId = await m.connection(tenantId, { type: 'test' })
  queues = [await m.queue(tenantId), await m.queue(tenantId)]
  const boss = await m.user(tenantId, { profile: 'admin' })
  const agent = await m.user(tenantId, { queues: [queues[0]!] })
  admin = { id: boss.id, token: await m.token(boss) }
  limited = { id: agent.id, token: await m.token(agent) }
})

type Envelope = { type: string; payload: Record<string, unknown>; seq: number | null }
type Ticket = Record<string, unknown> & { id: number }

/** Simulates a browser's bookkeeping: the events that it received, and the changes that it fetched after a disconnect. */
function client(token: string) {
  const known = new Map<number, Ticket>()
  const ticks = new Map<string, string>()
  let lastSeq = 0
  let socket: Socket | null = null

  const apply = ({ type, payload, seq }: Envelope) => {
    if (seq !== null) {
      if (seq <= lastSeq) return
      lastSeq = seq
    }
    if (type === 'ticket:create' || type === 'ticket:update') known.set(payload['id'] as number, payload as Ticket)
    if (type === 'ticket:gone') known.delete(payload['id'] as number)
    if (type === 'chat:create') {
      const { message, ticket } = payload as { message: { id: string; status: string }; ticket: Ticket }
      ticks.set(message.id, message.status)
      const old = known.get(ticket.id)
      if (old) known.set(ticket.id, { ...old, ...ticket })
    }
    if (type === 'chat:ack') {
      const { id, ticketId, status, isLast } = payload as {
        id: string
        ticketId: number
        status: string
        isLast: boolean
      }
      ticks.set(id, status)
      const old = known.get(ticketId)
      if (isLast && old) known.set(ticketId, { ...old, lastMessageStatus: status })
    }
  }

  return {
    known,
    ticks,
    async begin() {
      lastSeq = (await call(product(), messages.changes, token)).body.lastSeq
      for (const row of await allTickets(token)) known.set(row.id, row)
    },
    /** Connects and fetches missed changes first; events that arrive meanwhile wait. */
    async connect() {
      const early: Envelope[] = []
      let healed = false
      const fresh = io(product().address, {
        transports: ['websocket'],
        auth: { token },
        forceNew: true,
        reconnection: false,
      })
      fresh.on(`${tenantId}:ticketList`, (envelope: Envelope) => (healed ? apply(envelope) : early.push(envelope)))
      await new Promise((resolve) => fresh.once('connect', () => resolve(true)))
      for (;;) {
        const page = (await call(product(), messages.changes, token, { query: { after: lastSeq } })).body as {
          changes: Envelope[]
          lastSeq: number
          hasMore: boolean
          resync: boolean
        }
        expect(page.resync).toBe(false)
        page.changes.forEach(apply)
        lastSeq = Math.max(lastSeq, page.lastSeq)
        if (!page.hasMore) break
      }
      healed = true
      early.forEach(apply)
      socket = fresh
    },
    disconnect() {
      socket?.disconnect()
      socket = null
    },
    isConnected: () => socket !== null,
  }
}

async function allTickets(token: string): Promise<Ticket[]> {
  const rows: Ticket[] = []
  let cursor: string | undefined
  do {
    const page = (
      await call(product(), tickets.list, token, {
        query: { status: ['open', 'pending', 'closed'], ...(cursor ? { cursor } : {}) },
      })
    ).body
    rows.push(...page.tickets)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return rows
}

const plain = (ticket: Ticket) => {
  const { draft: _, profilePicUrl: __, contact: ___, ...rest } = ticket
  return rest
}

describe('clients that come and go at random', () => {
  it('end equal to the database, ticks and removals included', async () => {
    const viewers = [client(admin.token), client(limited.token)]
    for (const viewer of viewers) {
      await viewer.begin()
      await viewer.connect()
    }
    let seed = 20_261_120
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    let front = 0
    for (let step = 0; step < 160; step++) {
      const all = await allTickets(admin.token)
      const ticket = all[random(Math.max(1, all.length))]
      const action = random(9)
      if (action <= 3 || !ticket) {
        const from = `5541900000${random(12)}`
        await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: `passo ${step}` })])
        await ingestIdle(product().platform)
      } else if (action === 4)
        await call(product(), tickets.update, admin.token, {
          params: { id: ticket.id },
          body: { status: 'open', userId: admin.id },
        })
      else if (action === 5)
        await call(product(), tickets.update, admin.token, {
          params: { id: ticket.id },
          body: { queueId: queues[random(2)]!, userId: null, isTransference: true, status: 'pending' },
        })
      else if (action === 6)
        await call(product(), tickets.update, admin.token, { params: { id: ticket.id }, body: { status: 'closed' } })
      else if (action === 7) {
        const reply = await call(product(), messages.send, admin.token, {
          params: { ticketId: ticket.id },
          body: { idFront: `front-live-${++front}`, body: `resposta ${step}`, isNote: false },
        })
        const id = reply.body.messages?.[0]?.id
        if (id && random(2)) {
          await until(async () => (await statuses()).get(id) === 'sent')
          await receive(product().platform, { tenantId, connectionId }, [
            receiptEvent('x', id, random(2) ? 'read' : 'delivered'),
          ])
          await ingestIdle(product().platform)
        }
      } else {
        const viewer = viewers[random(2)]!
        if (viewer.isConnected()) viewer.disconnect()
        else await viewer.connect()
      }
    }
    for (const viewer of viewers) if (!viewer.isConnected()) await viewer.connect()
    await until(async () =>
      [...(await statuses()).values()].every((status) => status !== 'pending' && status !== 'queued'),
    )
    await wait(300)
    const final = await statuses()
    for (const [index, viewer] of viewers.entries()) {
      const fresh = await allTickets(index === 0 ? admin.token : limited.token)
      expect([...viewer.known.keys()].sort()).toEqual(fresh.map((ticket) => ticket.id).sort())
      for (const row of fresh) expect(plain(viewer.known.get(row.id)!)).toEqual(plain(row))
      for (const [id, status] of viewer.ticks) expect(status).toBe(final.get(id))
      expect(viewer.ticks.size).toBeGreaterThan(5)
    }
    expect(viewers[1]!.known.size).toBeLessThan(viewers[0]!.known.size)
    for (const viewer of viewers) viewer.disconnect()
  }, 120_000)

  const statuses = async () => {
    const rows = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['id', 'status']).execute(),
    )
    return new Map(rows.map((row) => [row.id, row.status]))
  }
})

describe('the feed', () => {
  it('numbers in the order of commits: of two writers, the one that began first and commits last comes last', async () => {
    const { platform } = product()
    const order: string[] = []
    const event = { channel: 'test', type: 'test', durable: true, payload: (await import('zod')).z.string() } as const
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = unit(platform, { tenantId, user: null }, async (ctx) => {
      await ctx.db.selectFrom('queues').select('id').execute()
      ctx.emit(event, 'began first', { kind: 'tenant' })
      await gate
    })
    await unit(platform, { tenantId, user: null }, async (ctx) =>
      ctx.emit(event, 'committed first', { kind: 'tenant' }),
    )
    release()
    await slow
    for (const change of await platform.db.read(tenantId, (db) => readChanges(db, 0, 10 ** 9, 100_000)))
      if (change.type === 'test') order.push(change.payload as string)
    expect(order).toEqual(['committed first', 'began first'])
  })

  it('is read to its end, however far back it begins', async () => {
    const { platform } = product()
    const tenantId = await make(platform).tenant()
    const found: unknown[] = []
    const unsubscribe = platform.bus.subscribe((tenant, changes) => {
      if (tenant === tenantId) found.push(...changes.map(({ payload }) => payload))
    })
    await platform.db.asPlatform(async (db) => {
      await sql`insert into changes (tenant_id, seq, channel, type, payload, audience)
        select ${tenantId}, n, 'test', 'test', to_jsonb(n), '{"kind":"tenant"}' from generate_series(1, 12001) n`.execute(
        db,
      )
      await sql`select pg_notify('guiche_changes', ${`${tenantId}:12001:12001`})`.execute(db)
    })
    await until(() => found.length === 12_001)
    unsubscribe()
    expect(found).toEqual(Array.from({ length: 12_001 }, (_, n) => n + 1))
  })

  it('reaches the sockets of another process on the same database', async () => {
    const { startProduct } = await import('#test/server.ts')
    const other = await startProduct({}, product().ownerUrl)
    const heard: Envelope[] = []
    const socket = io(other.address, { transports: ['websocket'], auth: { token: admin.token }, forceNew: true })
    socket.on(`${tenantId}:ticketList`, (envelope: Envelope) => heard.push(envelope))
    await new Promise((resolve) => socket.once('connect', () => resolve(true)))
    await receive(product().platform, { tenantId, connectionId }, [
      textEvent({ from: '5541911111111', body: 'de outro processo' }),
    ])
    await until(() => heard.some((envelope) => envelope.type === 'chat:create'))
    expect(heard.map((envelope) => envelope.type)).toContain('ticket:create')
    const typing: Envelope[] = []
    socket.on(`${tenantId}:typing`, (envelope: Envelope) => typing.push(envelope))
    await receivePresence(product().platform, {
      tenantId,
      connectionId,
      conversationKey: '5541911111111',
      state: 'composing',
    })
    await until(() => typing.length === 1)
    expect(typing[0]?.payload).toMatchObject({ state: 'composing', who: null })
    socket.disconnect()
    await other.close()
  })

  it('refuses sockets without a token, and lets a foreign tenant hear nothing', async () => {
    const bare = io(product().address, { transports: ['websocket'], forceNew: true, reconnection: false })
    const refusal = await new Promise<Error>((resolve) => bare.once('connect_error', resolve))
    expect(refusal.message).toBe('authentication error')
    const m = make(product().platform)
    const stranger = await m.user(await m.tenant(), { profile: 'admin' })
    const socket = io(product().address, {
      transports: ['websocket'],
      auth: { token: await m.token(stranger) },
      forceNew: true,
    })
    const heard: unknown[] = []
    socket.onAny((...args) => heard.push(args))
    await new Promise((resolve) => socket.once('connect', () => resolve(true)))
    await receive(product().platform, { tenantId, connectionId }, [
      textEvent({ from: '5541922222222', body: 'segredo' }),
    ])
    await ingestIdle(product().platform)
    await wait(300)
    expect(heard).toEqual([])
    socket.disconnect()
  })
})

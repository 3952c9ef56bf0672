import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { sendTurn } from '#features/ledger/server/outbox/outbox.ts'
import { type Link, type ProviderEvent, type StateValue, sendFailure } from '#providers/channels/port.ts'
import type { Tx } from '#server/db/db.ts'
import { OWNER_LOCK } from '#server/db/ownership.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { startStreamServer } from '#test/peers/stream-server.ts'
import { call, withProduct } from '#test/server.ts'
import { streamCompany } from '#test/stream-company.ts'
import { until } from '#test/until.ts'
import { makeLink } from './server/link.ts'
import { trackedTools } from './server/open-connection.ts'
import { type Lease, releaseLease, requireLease, takeLeases } from './server/queries-leases.ts'
import { watchOnce } from './server/watch.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let server: Awaited<ReturnType<typeof startStreamServer>>
beforeAll(async () => {
  server = await startStreamServer()
})
afterAll(() => server.close())

const company = () => streamCompany(product(), server)

it('a line by which something would leave after another process may have taken over ends without a byte of it', async () => {
  const arrived = Promise.withResolvers<string>()
  const far = createServer((socket) => void text(socket).then(arrived.resolve, arrived.reject))
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
  const { port } = far.address() as { port: number }
  let isHeld = true
  const requireOwnership = () => {
    if (!isHeld) throw new Error('it is another’s by now')
  }
  const { tools } = trackedTools(
    product().platform,
    { tenantId: 1, type: 'stream', proxy: null, config: {} },
    { requireOwnership },
  )
  const line = await tools.connect({ host: '127.0.0.1', port, tls: false })
  line.write('antes')
  isHeld = false
  expect(line.write('depois')).toBe(false)
  expect(await arrived.promise).toBe('antes')
  far.close()
})

describe('what a connection may do', () => {
  /** Living holder of these tests' connections; the product's own process takes none of them meanwhile. */
  const holder = crypto.randomUUID()
  let living: pg.Client
  beforeAll(async () => {
    living = new pg.Client({ connectionString: product().ownerUrl })
    await living.connect()
    await living.query('select pg_advisory_lock(hashtextextended($1, $2))', [holder, OWNER_LOCK])
  })
  afterAll(() => living.end())

  /** Returns the link of a company's connection, for the next holder. */
  async function linked(by = holder) {
    const { platform } = product()
    const us = await company()
    await platform.db.asPlatform((db) =>
      db
        .insertInto('connection_leases')
        .values({ tenant_id: us.tenantId, connection_id: us.id, holder: by, epoch: 1, taken_at: platform.now() })
        .execute(),
    )
    const lease = { tenantId: us.tenantId, connectionId: us.id, holder: by, epoch: 1 }
    const broken: unknown[] = []
    const open = (of: Lease = lease, requireOwnership = () => {}) =>
      makeLink(platform, of, {
        requireOwnership,
        onBroken: (error) => broken.push(error),
        onStatus: () => {},
      })
    const state = () =>
      platform.db.read(us.tenantId, (db) => db.selectFrom('connection_state').select('name').orderBy('name').execute())
    return { us, lease, broken, open, state, link: open().link }
  }
  const entry = (name: string, value: StateValue | undefined) => new Map([[name, value]])
  /** Whether a query waits for a row of the leases. */
  const isWaiting = async () => {
    const { rows } = await living.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%connection_leases%'",
    )
    return rows.length > 0
  }
  /** Makes connections due of a type that the product itself does not open; returns a function that claims them. */
  async function due(type: string, ids: readonly number[]) {
    const { platform } = product()
    await platform.db.asPlatform((db) =>
      db.updateTable('connections').set({ type, status: 'OPENING' }).where('id', 'in', ids).execute(),
    )
    return (db: Tx) => takeLeases(db, { holder: crypto.randomUUID(), types: [type], most: 2 })
  }

  it('events and entries are one commit, each entry by itself, bytes and data as they were', async () => {
    const { us, link, state } = await linked()
    const key = new Uint8Array([0, 1, 255])
    await link.emit(
      [textEvent({ from: '1', body: 'um', id: 'a' })],
      new Map<string, StateValue>([
        ['key', key],
        ['cursor', { at: 3 }],
        ['gone', null],
      ]),
    )
    await link.emit(
      [],
      new Map([
        ['gone', undefined],
        ['never', undefined],
      ]),
    )
    const found = await link.state.get(['key', 'cursor', 'gone', 'never', '__proto__'])
    expect([...found]).toEqual(
      expect.arrayContaining([
        ['key', key],
        ['cursor', { at: 3 }],
      ]),
    )
    expect(found.size).toBe(2)
    expect(await us.journal()).toHaveLength(1)
    await link.state.clear()
    expect(await state()).toEqual([])
  })

  it('whoever was frozen while it was being stored tells nobody that it was', async () => {
    const { us, lease, open, state } = await linked()
    let asked = 0
    const { link } = open(lease, () => {
      if (asked++ > 0) throw new Error('frozen for too long')
    })
    const emitted = link.emit([textEvent({ from: '1', body: 'um', id: 'a' })], entry('key', 1))
    await expect(emitted).rejects.toThrow('frozen')
    expect(await us.journal()).toHaveLength(1)
    expect(await state()).toEqual([{ name: 'key' }])
  })

  it('what came in after a return is noted with the outage that it ended, never with an earlier one', async () => {
    const { us, open } = await linked()
    const { platform } = product()
    const went = (began: number, ended: number) =>
      platform.db.write(us.tenantId, (db) =>
        db
          .insertInto('connection_outages')
          .values({
            ...{ tenant_id: us.tenantId, connection_id: us.id, cause: 'network' },
            ...{ began_at: new Date(began), ended_at: new Date(ended) },
          })
          .execute(),
      )
    const noted = () =>
      platform.db.read(us.tenantId, (db) =>
        db.selectFrom('connection_outages').select(['recovered', 'missing']).orderBy('id').execute(),
      )
    const now = platform.now().getTime()
    await went(now - 60_000, now - 30_000)
    const { link } = open()
    await link.caughtUp(0)
    expect(await noted()).toEqual([{ recovered: null, missing: null }])
    await went(now - 20_000, platform.now().getTime() + 1)
    await link.emit([textEvent({ from: '1', body: 'enquanto isso', id: 'a', at: now - 15_000 })])
    // Screens that show it are notified to reload.
    const types: (string | null)[] = []
    const stop = platform.bus.subscribe((tenantId, changes) => {
      if (tenantId === us.tenantId) types.push(...changes.map(({ type }) => type))
    })
    await link.caughtUp(2)
    await until(() => types.includes('whatsapp:update'))
    stop()
    const told = [
      { recovered: null, missing: null },
      { recovered: 1, missing: 2 },
    ]
    expect(await noted()).toEqual(told)
    // Later messages belong to another reconnection.
    await link.emit([textEvent({ from: '1', body: 'mais tarde', id: 'b', at: now - 14_000 })])
    await link.caughtUp(0)
    expect(await noted()).toEqual(told)
  })

  it('what was said earlier gives way while much waits, what is said now does not', async () => {
    const { us, link } = await linked()
    const said = (first: number, many: number, at = 1000) =>
      Array.from({ length: many }, (_, n) => textEvent({ from: `${n}`, body: 'oi', id: `${first + n}`, at }))
    const stored = async () => (await us.journal()).length
    // Another process is the company's writer, and is busy.
    const lock = () => living.query('select pg_advisory_lock(7204, $1)', [us.tenantId])
    const unlock = () => living.query('select pg_advisory_unlock(7204, $1)', [us.tenantId])
    await lock()
    await link.emit(said(0, 6))
    const earlier = link.emit(said(6, 1))
    await setTimeout(150)
    expect(await stored()).toBe(6)
    await unlock()
    await earlier
    expect(await stored()).toBe(7)
    await living.query("update connections set status = 'OPENING' where id = $1", [us.id])
    await link.status('CONNECTED')
    await lock()
    const now = product().platform.now().getTime() + 1000
    await link.emit(said(7, 6, now))
    await Promise.race([link.emit(said(13, 1, now)), setTimeout(500)])
    expect(await stored()).toBe(14)
    await unlock()
  })

  it('a code that is shown already is no other one: not counted, and shown no longer', async () => {
    const { us, link } = await linked()
    const row = () =>
      product().platform.db.read(us.tenantId, (db) =>
        db
          .selectFrom('connections')
          .select(['status', 'qrcode', 'retries', 'code_expires_at'])
          .where('id', '=', us.id)
          .executeTakeFirstOrThrow(),
      )
    await product().platform.db.write(us.tenantId, (db) =>
      db.updateTable('connections').set({ status: 'OPENING' }).where('id', '=', us.id).execute(),
    )
    await link.status('qrcode', { qrcode: 'um', seconds: 60 })
    const first = await row()
    expect(first).toMatchObject({ status: 'qrcode', qrcode: 'um', retries: 1 })
    await link.status('qrcode', { qrcode: 'um', seconds: 90 })
    expect(await row()).toEqual(first)
    await link.status('qrcode', { qrcode: 'dois', seconds: 60 })
    expect(await row()).toMatchObject({ qrcode: 'dois', retries: 2 })
  })

  it('what cannot be written writes nothing of its emit, and nothing after it', async () => {
    const huge = 'x'.repeat(9 * 1024 * 1024)
    const event = textEvent({ from: '1', body: 'um', id: 'ok' })
    const hostile: [events: ProviderEvent[], changes: ReadonlyMap<string, StateValue | undefined>][] = [
      [[textEvent({ from: '1', body: huge })], entry('a', 1)],
      [[event], entry('a', huge)],
      [[event], entry('', 1)],
      [[event], entry('x'.repeat(201), 1)],
      [[event], entry('nul\0', 1)],
      [[event], new Map(Array.from({ length: 5001 }, (_, n) => [`n${n}`, n]))],
      [Array.from({ length: 1001 }, () => event), new Map()],
      [[{ ...event, dedupeKey: null as never }], entry('a', 1)],
    ]
    for (const [events, changes] of hostile) {
      const { us, link, broken, state } = await linked()
      const all = await Promise.allSettled([
        link.emit(events, changes),
        link.emit([event], entry('b', 1)),
        link.status('CONNECTED'),
      ])
      expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(broken).toHaveLength(1)
      expect([await us.journal(), await state()]).toEqual([[], []])
      expect((await us.row()).status).toBe('DISCONNECTED')
    }
  })

  it('whoever an event says it is of, it is of the connection that emits it', async () => {
    const { us, link } = await linked()
    const them = await company()
    const foreign = {
      ...textEvent({ from: '2', body: 'nosso', id: 'x' }),
      tenantId: them.tenantId,
      connectionId: them.id,
      tenant_id: them.tenantId,
    }
    await link.emit([foreign], entry('cursor', 1))
    expect([(await us.journal()).length, (await them.journal()).length]).toEqual([1, 0])
    expect(await (await linked()).link.state.get(['cursor'])).toEqual(new Map())
  })

  it('of two processes only the one with the later number writes, whatever the other was about to', async () => {
    const { us, link, lease, open } = await linked()
    await link.emit([textEvent({ from: '1', body: 'um', id: 'a' })], entry('cursor', 1))
    const { platform } = product()
    await platform.db.asPlatform((db) =>
      db
        .updateTable('connection_leases')
        .set({ holder: crypto.randomUUID(), epoch: 2 })
        .where('connection_id', '=', us.id)
        .execute(),
    )
    await expect(link.emit([textEvent({ from: '1', body: 'dois', id: 'b' })], entry('cursor', 2))).rejects.toThrow(
      'no longer',
    )
    for (const work of [(l: Link) => l.status('CONNECTED'), (l: Link) => l.state.clear()])
      await expect(work(open().link)).rejects.toThrow('no longer')
    expect(await open({ ...lease }).link.state.get(['cursor'])).toEqual(entry('cursor', 1))
    expect(await us.journal()).toHaveLength(1)
    await expect(platform.db.write(us.tenantId, (db) => requireLease(db, lease))).rejects.toThrow('no longer')
  })

  it('a message that cannot leave waits however often it was tried; whoever has not the lease leaves it alone', async () => {
    const { us, lease } = await linked()
    const { platform } = product()
    const m = make(platform)
    const conversationKey = '5511900000009'
    const row = { channel: 'stream', connection_id: us.id, conversation_key: conversationKey }
    const ticketId = await m.ticket(us.tenantId, row)
    const id = await m.message(us.tenantId, ticketId, { from_me: true, status: 'pending' })
    const send = (of: Lease, kind: 'unreachable' | 'unknown' = 'unreachable') =>
      sendTurn(
        platform,
        us.tenantId,
        { connectionId: us.id, conversationKey },
        {
          adapter: { send: () => Promise.reject(sendFailure(kind, 'sem conexão')) },
          requireOwnership: () => {},
          requireLease: (db) => requireLease(db, of),
          isUrgent: true,
        },
      )
    const steps = () =>
      platform.db.read(us.tenantId, (db) =>
        db.selectFrom('message_trail').select('step').where('message_id', '=', String(id)).execute(),
      )
    await expect(send({ ...lease, epoch: 2 })).rejects.toThrow('no longer')
    expect(await steps()).toEqual([])
    for (let n = 0; n < 7; n++) await send(lease)
    // The failures before were not the channel's: this is its first.
    await send(lease, 'unknown')
    expect((await us.statuses()).map(({ status }) => status)).toEqual(['pending'])
    expect((await steps()).filter(({ step }) => step === 'waiting')).toHaveLength(8)
  })

  it('two that take the same at one moment: one has it, the other nothing', async () => {
    const us = await company()
    const take = await due('afluente', [us.id])
    const other = new pg.Client({ connectionString: product().ownerUrl })
    await other.connect()
    try {
      await other.query('begin')
      const row =
        'insert into connection_leases (tenant_id, connection_id, holder, taken_at) values ($1, $2, $3, now())'
      await other.query(row, [us.tenantId, us.id, holder])
      const taking = product().platform.db.asPlatform((db) => take(db))
      await until(isWaiting)
      await other.query('commit')
      expect(await taking).toEqual([])
      expect(await us.holder()).toBe(holder)
    } finally {
      await other.end()
    }
  })

  it('whoever takes it from one that died waits for what that one is just writing', async () => {
    const { platform } = product()
    const { us, lease } = await linked(crypto.randomUUID())
    const take = await due(`foz ${us.id}`, [us.id])
    const [begun, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isTaken = false
    const writing = platform.db.write(us.tenantId, async (db) => {
      await requireLease(db, lease)
      begun.resolve()
      await ends.promise
    })
    await begun.promise
    const taking = platform.db
      .asPlatform((db) => take(db))
      .then((found) => {
        isTaken = true
        return found
      })
    await Promise.race([taking, until(isWaiting)])
    expect(isTaken).toBe(false)
    ends.resolve()
    expect(await taking).toMatchObject([{ connectionId: us.id, epoch: 2 }])
    await writing
  })

  it('what was given up nobody writes to any more, and nobody gives up what is another’s', async () => {
    const { us, lease, link } = await linked()
    const { platform } = product()
    const release = (of: Lease) => platform.db.write(us.tenantId, (db) => releaseLease(db, of))
    expect(await release({ ...lease, epoch: 0 })).toBe(false)
    expect(await release({ ...lease, holder: crypto.randomUUID() })).toBe(false)
    expect(await us.holder()).toBe(holder)
    expect([await release(lease), await us.holder(), await release(lease)]).toEqual([true, null, false])
    await expect(link.emit([textEvent({ from: '1', body: 'um', id: 'a' })], entry('key', 1))).rejects.toThrow(
      'no longer',
    )
    expect(await us.journal()).toEqual([])
  })

  it('what is ended keeps its keys for whoever has it, who unlinks the device; of what nobody has they go at once', async () => {
    const { us, lease, link, state } = await linked()
    await link.emit([], entry('key', 1))
    await us.end()
    expect(await state()).toEqual([{ name: 'key' }])
    await product().platform.db.write(us.tenantId, (db) => releaseLease(db, lease))
    await us.end()
    expect(await state()).toEqual([])
  })

  it('of an outage that somebody wanted, or whose connection is removed, nobody is told', async () => {
    const { us } = await linked()
    const { platform } = product()
    const m = make(platform)
    const [off, removed] = [await m.connection(us.tenantId, {}), await m.connection(us.tenantId, {})]
    await call(product(), connections.remove, us.token, { params: { id: removed } })
    const of = (connection_id: number, cause: string) => ({
      ...{ tenant_id: us.tenantId, connection_id, cause, began_at: new Date(platform.now().getTime() - 660_000) },
    })
    const outages = [of(us.id, 'network'), of(off, 'person'), of(removed, 'network')]
    await platform.db.write(us.tenantId, (db) => db.insertInto('connection_outages').values(outages).execute())
    await watchOnce(platform, [])
    const told = await platform.db.read(us.tenantId, (db) =>
      db.selectFrom('connection_outages').select('connection_id').where('mailed_at', 'is not', null).execute(),
    )
    expect(told).toEqual([{ connection_id: us.id }])
  })

  it('of an outage the panel is told after a minute, and by mail after ten', async () => {
    const { us } = await linked()
    const { platform } = product()
    const seconds = [50, 70, 590, 610]
    const outages = await Promise.all(
      seconds.map(async (ago) => ({
        ...{ tenant_id: us.tenantId, cause: 'network', began_at: new Date(platform.now().getTime() - ago * 1000) },
        connection_id: await make(platform).connection(us.tenantId, {}),
      })),
    )
    await platform.db.write(us.tenantId, (db) => db.insertInto('connection_outages').values(outages).execute())
    await watchOnce(platform, [])
    const told = await platform.db.read(us.tenantId, (db) =>
      db.selectFrom('connection_outages').select(['noticed_at', 'mailed_at']).orderBy('began_at', 'desc').execute(),
    )
    expect(told.map((one) => [one.noticed_at !== null, one.mailed_at !== null])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ])
  })

  it('twenty that take at once: each connection is taken once', async () => {
    const { platform } = product()
    const all = await Promise.all(Array.from({ length: 5 }, () => company()))
    const takeOne = await due(
      'correnteza',
      all.map(({ id }) => id),
    )
    const take = () => platform.db.asPlatform((db) => takeOne(db))
    const taken = (await Promise.all(Array.from({ length: 20 }, take))).flat()
    // None of the holders is alive: the next one may take their connections, and the epoch rises.
    expect(Math.max(...taken.map(({ epoch }) => epoch))).toBeLessThanOrEqual(taken.length)
    const numbers = taken.map(({ connectionId, epoch }) => `${connectionId} ${epoch}`)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(taken.length).toBeGreaterThanOrEqual(2)
  })
})

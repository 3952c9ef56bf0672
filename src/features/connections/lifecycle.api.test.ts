import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { messages } from '#features/conversations/messages-contract.ts'
import { sendTurn } from '#features/conversations/server/index.ts'
import { showPresence } from '#features/conversations/server/messages/presence.ts'
import { tickets } from '#features/conversations/tickets-contract.ts'
import { type Link, type ProviderEvent, type StateValue, sendFailure } from '#providers/channels/port.ts'
import { deliveredForm } from '#server/realtime/audience.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { startStreamServer } from '#test/peers/stream-server.ts'
import { startTcpProxy } from '#test/peers/tcp-proxy.ts'
import { call, createDatabase, type Product, startProduct, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type ConnectionDetail, connections } from './contract.ts'
import { makeLink } from './server/link.ts'
import { type Lease, requireLease, takeLeases } from './server/queries-leases.ts'

const env = { OUTBOUND_ALLOW: ['127.0.0.1'] }
const product = withProduct({ env })
let server: Awaited<ReturnType<typeof startStreamServer>>
beforeAll(async () => {
  server = await startStreamServer()
})
afterAll(() => server.close())

let counter = 0

async function asOwner<T>(at: Product, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: at.ownerUrl })
  await owner.connect()
  return work(owner).finally(() => owner.end())
}

/** A company with one connection of its own account, not yet started. */
async function company({ at = product(), values = {} as object, tenantId = 0 } = {}) {
  const m = make(at.platform)
  const tenant = tenantId || (await m.tenant())
  const admin = await m.user(tenant, { profile: 'admin' })
  const token = await m.token(admin)
  const account = `conta-${++counter}`
  const { body } = await call(at, connections.create, token, {
    body: { type: 'stream', name: 'Rio', values: { port: server.port, account, token: 'segredo', ...values } } as never,
  })
  const { id } = body as ConnectionDetail
  const row = () =>
    at.platform.db.read(tenant, (db) =>
      db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
  const us = {
    ...{ tenantId: tenant, admin, token, account, id, row },
    start: () => call(at, connections.start, token, { params: { id } }),
    end: () => call(at, connections.end, token, { params: { id } }),
    update: (form: object) =>
      call(at, connections.update, token, {
        params: { id },
        body: { name: 'Rio', values: { port: server.port, account, token: '••••', ...values }, ...form } as never,
      }),
    is: (status: string, ms = 10_000) => until(async () => (await row()).status === status, ms),
    journal: () =>
      at.platform.db.read(tenant, (db) =>
        db.selectFrom('journal').select(['dedupe_key', 'payload']).orderBy('seq').execute(),
      ),
    /** Which process has the connection; null or undefined: none. */
    holder: () =>
      at.platform.db.read(tenant, async (db) => {
        const lease = db.selectFrom('connection_leases').select('holder').where('connection_id', '=', id)
        return (await lease.executeTakeFirst())?.holder
      }),
    /** How many sends wait in the queue. */
    jobs: () =>
      asOwner(at, async (owner) => {
        const { rows } = await owner.query<{ n: number }>(
          'select count(*)::int as n from graphile_worker._private_jobs where key like $1',
          [`send:${tenant}:%`],
        )
        return rows[0]!.n
      }),
    /** A ticket that somebody works on. */
    async ticket(from: string) {
      server.write(account, from, 'Oi')
      const find = () =>
        at.platform.db.read(tenant, (db) =>
          db.selectFrom('tickets').select('id').where('conversation_key', '=', from).executeTakeFirst(),
        )
      await until(async () => (await find()) !== undefined)
      const { id: ticketId } = (await find())!
      await call(at, tickets.update, token, { params: { id: ticketId }, body: { status: 'open', userId: admin.id } })
      return ticketId
    },
    reply: (ticketId: number, body: string) =>
      call(at, messages.send, token, { params: { ticketId }, body: { body, idFront: crypto.randomUUID() } as never }),
    sent: () => server.sent.filter((one) => one.account === account).map(({ text }) => text),
    statuses: () =>
      at.platform.db.read(tenant, (db) =>
        db.selectFrom('messages').select('status').where('from_me', '=', true).orderBy('seq').execute(),
      ),
  }
  return us
}

describe.concurrent('a connection that is kept open', () => {
  it('is opened when it is started; what comes in stands in the journal with its keys, what goes out leaves by it', async () => {
    const us = await company()
    expect((await us.start()).body).toMatchObject({ status: 'OPENING' })
    await us.is('CONNECTED')
    expect((await us.row()).number).toBe(`55${us.account}`)
    const ticketId = await us.ticket('5511900000001')
    for (const text of ['dois', 'três']) server.write(us.account, '5511900000001', text)
    await until(() => server.waiting(us.account) === 0)
    expect((await us.journal()).map(({ dedupe_key }) => dedupe_key)).toEqual(['1/1', '2/1', '3/1'])
    const state = await product().platform.db.read(us.tenantId, (db) =>
      db.selectFrom('connection_state').select(['name', 'value']).orderBy('name').execute(),
    )
    expect(state.map(({ name }) => name)).toEqual(['cursor', 'key'])
    for (const { value } of state) expect(value).toMatch(/^[0-9a-f]{8}\.[\w-]{40,}$/)
    await us.reply(ticketId, 'Boa tarde')
    await until(() => us.sent().length === 1)
    await until(async () => (await us.statuses())[0]?.status === 'sent')
  })

  it('is told to whoever may see connections, its code to whoever links devices', async () => {
    const us = await company()
    server.set(us.account, { linked: false })
    const codes: unknown[] = []
    const agent = await make(product().platform).user(us.tenantId)
    const [boss, other] = await Promise.all(
      [us.admin, agent].map(({ id }) => product().platform.actors.get(`${us.tenantId}:${id}`)),
    )
    const settings = await product().platform.settings.get(String(us.tenantId))
    const forms: (string | null)[][] = []
    const unsubscribe = product().platform.bus.subscribe((tenantId, changes) => {
      for (const change of changes) {
        if (tenantId !== us.tenantId || !change.channel.startsWith('whatsapp')) continue
        forms.push([change.type, deliveredForm(change, boss!, settings), deliveredForm(change, other!, settings)])
        if (change.channel === 'whatsappSession')
          codes.push((change.payload as { session: { qrcode: string } }).session.qrcode)
      }
    })
    await us.start()
    await us.is('qrcode')
    server.say(us.account, { type: 'status', status: 'qrcode', about: { qrcode: 'codigo-2' } })
    await until(async () => (await us.row()).qrcode === 'codigo-2')
    expect((await us.row()).retries).toBe(2)
    server.say(us.account, { type: 'status', status: 'PAIRING' })
    server.say(us.account, { type: 'status', status: 'CONNECTED' })
    await us.is('CONNECTED')
    expect(await us.row()).toMatchObject({ qrcode: null, retries: 0 })
    await until(() => codes.length === 3)
    unsubscribe()
    expect(codes).toEqual(['codigo-1', 'codigo-2', null])
    expect(forms).toContainEqual(['whatsappSession:update', 'event', null])
    expect(forms.filter(([type]) => type === 'whatsapp:update')).toContainEqual(['whatsapp:update', 'event', 'event'])
  })

  it('is opened anew by other values within a second, left alone by another name, and closed when it is ended', async () => {
    const us = await company()
    await us.start()
    await us.is('CONNECTED')
    const first = server.session(us.account)!
    await us.update({ name: 'Outro rio' })
    server.set(us.account, { token: 'novo' })
    const since = Date.now()
    await us.update({ values: { port: server.port, account: us.account, token: 'novo' } })
    await until(() => server.session(us.account) !== first && server.session(us.account) !== null)
    expect(Date.now() - since).toBeLessThan(1500)
    expect(first.isOver).toBe(true)
    await us.is('CONNECTED')
    expect(server.sessions.filter(({ account }) => account === us.account)).toHaveLength(2)
    const end = Date.now()
    await us.end()
    await until(() => server.session(us.account) === null)
    expect(Date.now() - end).toBeLessThan(1500)
  })

  it('lets messages wait while it is ended, and sends them in their order when it is back', async () => {
    const us = await company()
    await us.start()
    const ticketId = await us.ticket('5511900000002')
    await us.end()
    await until(() => server.session(us.account) === null)
    for (const text of ['um', 'dois', 'três']) await us.reply(ticketId, text)
    await until(async () => (await us.jobs()) === 0)
    expect((await us.statuses()).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
    await us.start()
    await until(() => us.sent().length === 3)
    expect(us.sent().map((text) => text.split('\n').at(-1))).toEqual(['um', 'dois', 'três'])
  })

  it('comes back by itself when its line is cut; what was on its way is sent once', async () => {
    const us = await company()
    await us.start()
    const ticketId = await us.ticket('5511900000003')
    server.set(us.account, { answers: false })
    await us.reply(ticketId, 'espera')
    await until(() => us.sent().length === 1)
    server.write(us.account, '5511900000003', 'ainda aí?')
    server.cut(us.account)
    await us.is('TIMEOUT', 2000)
    server.set(us.account, { answers: true })
    await us.is('CONNECTED')
    await until(async () => (await us.statuses())[0]?.status === 'sent', 15_000)
    expect(us.sent()).toHaveLength(1)
    await until(async () => (await us.journal()).length === 2)
  })

  it('is not tried again where only a person can help, and is when that person starts it', async () => {
    const us = await company({ values: { token: 'errado' } })
    await us.start()
    await us.is('DISCONNECTED')
    await until(async () => (await us.holder()) === null)
    expect(server.sessions.some(({ account }) => account === us.account)).toBe(false)
    server.set(us.account, { token: 'errado' })
    await us.start()
    await us.is('CONNECTED')
  })

  it('is closed with its company, and opened with it', async () => {
    const us = await company()
    await us.start()
    await us.is('CONNECTED')
    const become = async (status: 'active' | 'inactive') => {
      await product().platform.db.asPlatform((db) =>
        db.updateTable('tenants').set({ status }).where('id', '=', us.tenantId).execute(),
      )
      product().platform.bus.stale(`settings ${us.tenantId}`)
    }
    await become('inactive')
    await until(() => server.session(us.account) === null)
    await become('active')
    await until(() => server.session(us.account) !== null)
  })
})

describe('what a connection may do', () => {
  /** The link of a company's connection, as whoever takes it next gets it. */
  async function linked() {
    const { platform } = product()
    const us = await company()
    const holder = crypto.randomUUID()
    await platform.db.asPlatform((db) =>
      db
        .insertInto('connection_leases')
        .values({ tenant_id: us.tenantId, connection_id: us.id, holder, epoch: 1, taken_at: platform.now() })
        .execute(),
    )
    const lease = { tenantId: us.tenantId, connectionId: us.id, holder, epoch: 1 }
    const broken: unknown[] = []
    const open = (of: Lease = lease) =>
      makeLink(platform, of, {
        requireOwnership: () => {},
        onBroken: (error) => broken.push(error),
        onStatus: () => {},
      })
    const state = () =>
      platform.db.read(us.tenantId, (db) => db.selectFrom('connection_state').select('name').orderBy('name').execute())
    return { us, lease, broken, open, state, link: open().link }
  }
  const entry = (name: string, value: StateValue | undefined) => new Map([[name, value]])

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
        },
      )
    const steps = () =>
      platform.db.read(us.tenantId, (db) =>
        db.selectFrom('message_trail').select('step').where('message_id', '=', String(id)).execute(),
      )
    await expect(send({ ...lease, epoch: 2 })).rejects.toThrow('no longer')
    expect(await steps()).toEqual([])
    for (let n = 0; n < 7; n++) await send(lease)
    // Those were none of the channel's failures: this is its first.
    await send(lease, 'unknown')
    expect((await us.statuses()).map(({ status }) => status)).toEqual(['pending'])
    expect((await steps()).filter(({ step }) => step === 'waiting')).toHaveLength(8)
  })

  it('twenty that take at once: each connection is taken once', async () => {
    const { platform } = product()
    const all = await Promise.all(Array.from({ length: 5 }, () => company()))
    await platform.db.asPlatform((db) =>
      db
        .updateTable('connections')
        .set({ type: 'correnteza', status: 'OPENING' })
        .where(
          'id',
          'in',
          all.map(({ id }) => id),
        )
        .execute(),
    )
    const take = () =>
      platform.db.asPlatform((db) => takeLeases(db, { holder: crypto.randomUUID(), types: ['correnteza'], most: 2 }))
    const taken = (await Promise.all(Array.from({ length: 20 }, take))).flat()
    // Nobody of them lives: whoever looks next may take what they have, and the number rises.
    expect(Math.max(...taken.map(({ epoch }) => epoch))).toBeLessThanOrEqual(taken.length)
    const numbers = taken.map(({ connectionId, epoch }) => `${connectionId} ${epoch}`)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(taken.length).toBeGreaterThanOrEqual(2)
  })
})

it('a database that goes away closes what is open; when it is back nothing is missing and nothing came twice', async () => {
  const proxy = await startTcpProxy(product().ownerUrl)
  const one = await startProduct({ env }, proxy.through(await createDatabase()))
  try {
    const us = await company({ at: one })
    await us.start()
    const ticketId = await us.ticket('5511900000007')
    await us.reply(ticketId, 'antes')
    await until(() => us.sent().length === 1)
    proxy.stop()
    server.write(us.account, '5511900000007', 'enquanto isso')
    await until(() => server.session(us.account) === null)
    server.write(us.account, '5511900000007', 'ainda')
    proxy.resume()
    await until(() => server.waiting(us.account) === 0, 20_000)
    expect((await us.journal()).map(({ payload }) => (payload as { message: { body: string } }).message.body)).toEqual([
      'Oi',
      'enquanto isso',
      'ainda',
    ])
    await us.reply(ticketId, 'depois')
    await until(() => us.sent().length === 2)
  } finally {
    await one.close()
    await proxy.close()
  }
}, 40_000)

describe.concurrent('several processes', () => {
  type Ends = Pick<TestContext, 'onTestFinished'>
  /** A product on a database of its own. */
  const alone = async ({ onTestFinished }: Ends, more: object = {}): Promise<Product> => {
    const one = await startProduct({ env: { ...env, ...more } })
    onTestFinished(() => one.close())
    return one
  }
  /** One more process of the same product, that keeps connections open. */
  const beside = async (one: Product, { onTestFinished }: Ends, more: object = {}): Promise<Product> => {
    const two = await startProduct({ env: { ...env, ROLES: ['channels'], ...more } }, one.ownerUrl)
    onTestFinished(() => two.close())
    return two
  }

  it('only the one that has the connection sends by it; stopped, it gives it to another at once', async (test) => {
    const web = await alone(test, { ROLES: ['web', 'worker'] })
    const us = await company({ at: web })
    await us.start()
    expect((await us.row()).status).toBe('OPENING')
    const hosts = [await startProduct({ env: { ...env, ROLES: ['channels'] } }, web.ownerUrl)]
    await us.is('CONNECTED')
    const ticketId = await us.ticket('5511900000004')
    await us.reply(ticketId, 'primeiro')
    await until(() => us.sent().length === 1)
    await showPresence(
      web.platform,
      (await web.platform.actors.get(`${us.tenantId}:${us.admin.id}`))!,
      ticketId,
      'composing',
    )
    await until(() =>
      server.acts.some(
        ({ account, about, to }) => account === us.account && about === 'presence' && to === '5511900000004',
      ),
    )
    await beside(web, test)
    const first = server.session(us.account)!
    const since = Date.now()
    await hosts[0]!.close()
    await until(() => server.session(us.account) !== null && server.session(us.account) !== first, 5000)
    expect(Date.now() - since).toBeLessThan(3000)
    await us.reply(ticketId, 'segundo')
    await until(() => us.sent().length === 2)
    expect(server.late).toEqual([])
  }, 30_000)

  it('each keeps no more than it may; what is left over goes to the next', async (test) => {
    const one = await alone(test, { CONNECTIONS_PER_PROCESS: 2 })
    const all = await Promise.all(Array.from({ length: 3 }, () => company({ at: one })))
    for (const us of all) await us.start()
    const open = () => all.filter(({ account }) => server.session(account) !== null).length
    await until(() => open() === 2)
    const holders = await Promise.all(all.map((us) => us.holder()))
    expect(holders.filter(Boolean)).toHaveLength(2)
    await beside(one, test, { CONNECTIONS_PER_PROCESS: 2 })
    await until(() => open() === 3)
  })

  it('ends in time although a provider neither answers nor lets go', async () => {
    const one = await startProduct({ env })
    const [silent, stubborn] = [await company({ at: one }), await company({ at: one, values: { isStubborn: true } })]
    server.set(silent.account, { silent: true })
    await silent.start()
    await stubborn.start()
    await until(() => server.session(silent.account) !== null)
    const ticketId = await stubborn.ticket('5511900000005')
    server.set(stubborn.account, { answers: false })
    await stubborn.reply(ticketId, 'sem resposta')
    await until(() => stubborn.sent().length === 1)
    const since = Date.now()
    await one.close()
    expect(Date.now() - since).toBeLessThan(12_000)
    await until(() => server.session(silent.account) === null && server.session(stubborn.account) === null)
  }, 30_000)

  it('of two that start together, one has each connection', async (test) => {
    const us = await company()
    await Promise.all([beside(product(), test), beside(product(), test), us.start()])
    await us.is('CONNECTED')
    expect(server.sessions.filter(({ account }) => account === us.account)).toHaveLength(1)
  })
})

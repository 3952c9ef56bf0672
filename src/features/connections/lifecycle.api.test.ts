import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { showPresence } from '#features/messages/server/presence/presence.ts'
import type { Queryable } from '#server/db/db.ts'
import { deliveredForm } from '#server/realtime/audience.ts'
import { make } from '#test/make.ts'
import { startStreamServer } from '#test/peers/stream-server.ts'
import { startTcpProxy } from '#test/peers/tcp-proxy.ts'
import { createDatabase, type Product, startProduct, withProduct } from '#test/server.ts'
import { streamCompany } from '#test/stream-company.ts'
import { until } from '#test/until.ts'

const env = { OUTBOUND_ALLOW: ['127.0.0.1'] }
const product = withProduct({ env })
let server: Awaited<ReturnType<typeof startStreamServer>>
beforeAll(async () => {
  server = await startStreamServer()
})
afterAll(() => server.close())

const company = ({ at = product(), values = {} as object } = {}) => streamCompany(at, server, values)

/** Returns the outages of a company's connections with their causes. */
const outagesOf = ({ tenantId }: { tenantId: number }, at = product()) =>
  at.platform.db.read(tenantId, (db) =>
    db.selectFrom('connection_outages').select(['cause', 'ended_at']).orderBy('id').execute(),
  )

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

  it('is opened anew by other values at once, left alone by another name, and closed when it is ended', async () => {
    const us = await company()
    await us.start()
    await us.is('CONNECTED')
    const first = server.session(us.account)!
    await us.update({ name: 'Outro rio' })
    server.set(us.account, { token: 'novo' })
    await us.update({ config: { port: server.port, account: us.account, token: 'novo' } })
    await until(() => server.session(us.account) !== first && server.session(us.account) !== null)
    expect(first.isOver).toBe(true)
    await us.is('CONNECTED')
    expect(server.sessions.filter(({ account }) => account === us.account)).toHaveLength(2)
    await us.end()
    await until(() => server.session(us.account) === null)
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
    // An outage of possibly one second stays recorded.
    await until(async () => (await outagesOf(us)).length === 1)
    server.set(us.account, { answers: true })
    await us.is('CONNECTED')
    await until(async () => (await us.statuses())[0]?.status === 'sent')
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
    await until(() => server.waiting(us.account) === 0)
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
})

describe.concurrent('several processes', () => {
  type Ends = Pick<TestContext, 'onTestFinished'>
  /** Starts a product on a separate database. */
  const alone = async ({ onTestFinished }: Ends, more: object = {}): Promise<Product> => {
    const one = await startProduct({ env: { ...env, ...more } })
    onTestFinished(() => one.close())
    return one
  }
  /** Starts one more process of the same product, which holds connections. */
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
    const holder = () =>
      web.platform.db.read(us.tenantId, (db) =>
        db.selectFrom('connection_leases').select('holder').where('connection_id', '=', us.id).executeTakeFirst(),
      )
    const before = await holder()
    await hosts[0]!.close()
    // Handed over, not recovered from an expired lease.
    expect(await holder()).not.toEqual(before)
    await until(() => server.session(us.account) !== null && server.session(us.account) !== first)
    await us.reply(ticketId, 'segundo')
    await until(() => us.sent().length === 2)
    expect(server.late).toEqual([])
  })

  it('taken from a process that died it was away, however soon it is back; given back in order it was not', async (test) => {
    // Without a watcher the new holder records the outage.
    const one = await alone(test, { ROLES: ['web', 'channels'] })
    const us = await company({ at: one })
    await us.start()
    await us.is('CONNECTED')
    const before = await us.holder()
    await one.platform.db.write(us.tenantId, (db) =>
      db.updateTable('connection_leases').set({ holder: crypto.randomUUID() }).execute(),
    )
    await until(async () => (await us.holder()) === before)
    await us.is('CONNECTED')
    await until(async () => (await outagesOf(us, one))[0]?.ended_at != null)
    const since = async () => {
      const read = (db: Queryable) => db.selectFrom('connections').select('connected_at').executeTakeFirstOrThrow()
      return (await one.platform.db.read(us.tenantId, read)).connected_at
    }
    const back = await since()
    expect(await outagesOf(us, one)).toEqual([{ cause: 'process', ended_at: back }])
    await us.update({ config: { port: server.port, account: us.account, token: 'segredo' } })
    await until(async () => (await since())! > back!)
    expect(await outagesOf(us, one)).toHaveLength(1)
  })

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
    await one.close()
    await until(() => server.session(silent.account) === null && server.session(stubborn.account) === null)
  })

  it('of two that start together, one has each connection', async (test) => {
    const us = await company()
    await Promise.all([beside(product(), test), beside(product(), test), us.start()])
    await us.is('CONNECTED')
    expect(server.sessions.filter(({ account }) => account === us.account)).toHaveLength(1)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { adapterOf } from '#features/connections/server/adapters.ts'
import { askHolder } from '#features/connections/server/ask.ts'
import { changeStatus } from '#features/connections/server/link.ts'
import { watchOnce } from '#features/connections/server/watch.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make } from '#test/make.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { NOBODY, startStreamServer } from '#test/peers/stream-server.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { streamCompany } from '#test/stream-company.ts'
import { until } from '#test/until.ts'

const env = { OUTBOUND_ALLOW: ['127.0.0.1'] }
const product = withProduct({ env })
let server: Awaited<ReturnType<typeof startStreamServer>>
beforeAll(async () => {
  server = await startStreamServer()
})
afterAll(() => server.close())

type Us = Awaited<ReturnType<typeof streamCompany>>
const company = async ({ isLinked = true, at = product() } = {}) => {
  const us = await streamCompany(at, server)
  server.set(us.account, { linked: isLinked })
  return us
}
const states = ({ tenantId }: Us, at = product()) =>
  at.platform.db.read(tenantId, (db) => db.selectFrom('connection_state').select('name').execute())
const outages = async (us: Us) => {
  const { token, id } = us
  const reply = await call(product(), connections.outages, token, { params: { id }, query: {} })
  return reply.body.outages
}

describe.concurrent('linking a device', () => {
  it('shows a code for as long as it may be read; after six that nobody read it waits for a person', async () => {
    const us = await company({ isLinked: false })
    await us.start({})
    await us.is('qrcode')
    const show = (qrcode: string, seconds: number) =>
      server.say(us.account, { type: 'status', status: 'qrcode', about: { qrcode, seconds } })
    const told: { qrcode: string | null; codeExpiresAt: number | null; at: number }[] = []
    const unsubscribe = product().platform.bus.subscribe((tenantId, changes) => {
      for (const { channel, payload } of changes)
        if (tenantId === us.tenantId && channel === 'whatsappSession')
          told.push({
            ...(payload as { session: (typeof told)[number] }).session,
            at: product().platform.now().getTime(),
          })
    })
    show('curto', 1)
    const shown = () => told.findIndex(({ qrcode }) => qrcode === 'curto')
    await until(() => shown() >= 0 && told.length > shown() + 1)
    unsubscribe()
    const gone = told[shown() + 1]!
    expect(gone.qrcode).toBeNull()
    expect(gone.at).toBeGreaterThanOrEqual(told[shown()]!.codeExpiresAt!)
    const now = { id: us.id, status: 'qrcode', updatedAt: expect.any(Number) }
    expect(await us.detail()).toMatchObject({ ...now, retries: 2, codeExpiresAt: null })
    // A repeated code does not count as a new one.
    for (const code of ['três', 'três', 'quatro', 'cinco', 'seis']) show(code, 60)
    await until(async () => (await us.detail()).retries === 6)
    expect((await us.row()).status).toBe('qrcode')
    // The expiry of an earlier code is reported late, when another code has replaced it.
    const { platform } = product()
    const lease = await platform.db.read(us.tenantId, (db) =>
      db.selectFrom('connection_leases').select(['holder', 'epoch']).executeTakeFirstOrThrow(),
    )
    const mine = { tenantId: us.tenantId, connectionId: us.id, holder: lease.holder!, epoch: lease.epoch }
    expect(await changeStatus(platform, mine, 'expired')).toBeNull()
    show('sete', 60)
    await us.is('DISCONNECTED')
    expect(await us.detail()).toMatchObject({ cause: 'unread', qrcode: null, retries: 6 })
    await until(() => server.session(us.account) === null)
    await us.start()
    await until(async () => (await us.detail()).qrcode === 'codigo-1')
    expect(await us.detail()).toMatchObject({ retries: 1, cause: null })
  })

  it('is refused where there is none, and its digits are checked', async () => {
    const us = await company()
    const ask = (body: object) => call(product(), connections.start, us.token, { params: { id: us.id }, body })
    expect((await ask({ pairing: '12ab' })).status).toBe(400)
    expect((await ask({ pairing: '5511988887777' })).body).toMatchObject({
      details: { pairing: 'Este canal não tem código de pareamento.' },
    })
    const lab = await make(product().platform).connection(us.tenantId, {})
    const renewed = await call(product(), connections.renew, us.token, { params: { id: lab } })
    expect(renewed.body).toMatchObject({ error: 'ERR_NO_LINK' })
  })

  it('unlinks what is ended, also by a new code: the provider is told, and its keys are forgotten', async () => {
    const us = await company()
    await us.start()
    await us.is('CONNECTED')
    await until(async () => (await states(us)).length === 2)
    await us.end()
    await until(() => server.logouts.filter((account) => account === us.account).length === 1)
    await until(async () => (await states(us)).length === 0)
    await us.start()
    await us.is('CONNECTED')
    await until(async () => (await states(us)).length === 2)
    const first = server.session(us.account)
    await us.renew()
    await until(() => server.logouts.filter((account) => account === us.account).length === 2)
    await until(() => ![null, first].includes(server.session(us.account)))
    await us.is('CONNECTED')
    await call(product(), connections.reset, us.token, { params: { id: us.id } })
    await until(() => server.logouts.filter((account) => account === us.account).length === 3)
    await us.is('CONNECTED')
    // The phone brings messages of the meantime to the device linked next, because the former was away.
    const ended = { cause: 'person', endedAt: expect.any(Number) }
    expect(await outages(us)).toMatchObject([ended, ended, ended])
    // Removed, it leaves no device behind on the phone.
    await call(product(), connections.remove, us.token, { params: { id: us.id } })
    await until(() => server.logouts.filter((account) => account === us.account).length === 4)
    await until(async () => (await us.holder()) === null)
    expect(await states(us)).toEqual([])
  })

  it('that does not come back after it was opened anew has been away since then', async () => {
    const us = await company()
    await us.start()
    await us.is('CONNECTED')
    await us.start()
    await us.is('CONNECTED')
    expect(await outages(us)).toEqual([])
    const since = product().platform.now().getTime()
    await us.update({ config: { port: server.port, account: us.account, token: 'errado' } })
    await us.is('DISCONNECTED')
    const [outage, ...more] = await outages(us)
    expect([outage, more]).toMatchObject([{ cause: 'refused', endedAt: null }, []])
    expect(outage!.beganAt).toBeGreaterThanOrEqual(since)
  })

  it('that the phone undid waits for a person, without its keys; cut off it comes back, and tells both', async () => {
    const us = await company()
    await us.start()
    await us.is('CONNECTED')
    await until(async () => (await states(us)).length === 2)
    server.cut(us.account)
    await until(async () => (await outages(us))[0]?.endedAt != null)
    expect(await outages(us)).toMatchObject([{ cause: 'network' }])
    await us.is('CONNECTED')
    server.say(us.account, { type: 'loggedOut' })
    await us.is('DISCONNECTED')
    expect(await us.detail()).toMatchObject({ cause: 'unlinked' })
    expect(await states(us)).toEqual([])
    expect(await outages(us)).toMatchObject([{ cause: 'unlinked', endedAt: null }, { cause: 'network' }])
    await us.start()
    await us.is('CONNECTED')
    expect((await outages(us))[0]!.endedAt).not.toBeNull()
  })
})

describe.concurrent('what is asked of a connection', () => {
  it('is answered by the process that has it, whoever asks; it waits no longer than it says', async () => {
    const web = await startProduct({ env: { ...env, ROLES: ['web', 'worker'] } })
    const smtp = await startSmtp()
    try {
      const us = await company({ at: web })
      const { platform } = web
      const of = { tenantId: us.tenantId, connectionId: us.id }
      await us.start()
      // Requested before any process holds it.
      const early = askHolder(platform, of, 'number', { ...of, number: '5511988887777' }, 30_000)
      const host = await startProduct({ env: { ...env, ROLES: ['channels'] } }, web.ownerUrl)
      let end: Promise<void> | null = null
      const close = () => (end ??= host.close())
      try {
        expect(await early).toEqual({ identity: '5511988887777' })
        const { ask } = await adapterOf(platform, us.tenantId, us.id)
        expect(await ask!('number', { ...of, number: NOBODY })).toBeNull()
        expect(Buffer.from((await ask!('picture', { identity: 'x' }))!).toString()).toBe('imagem')
        const all = await Promise.all(
          Array.from({ length: 20 }, (_, n) => ask!('number', { ...of, number: `55119${10_000_000 + n}` })),
        )
        expect(all.map((one) => one!.identity)).toEqual(Array.from({ length: 20 }, (_, n) => `55119${10_000_000 + n}`))
        expect(server.asked.filter(({ account }) => account === us.account)).toHaveLength(23)
        server.set(us.account, { answers: false })
        await expect(askHolder(platform, of, 'number', { ...of, number: '1' }, 400)).rejects.toMatchObject({
          kind: 'unreachable',
        })
        const left = () =>
          platform.db.read(us.tenantId, (db) => db.selectFrom('connection_requests').select('id').execute())
        expect(await left()).toEqual([])
        server.set(us.account, { answers: true })
        const ticketId = await us.ticket('5511933332222')
        // Reported within five seconds for a connection whose process has ended; messages meanwhile wait, and say so.
        await close()
        await platform.db.write(us.tenantId, async (db) => {
          await db.updateTable('connection_leases').set({ holder: randomUUID() }).execute()
          await db.updateTable('connections').set({ status: 'CONNECTED' }).execute()
        })
        await us.is('TIMEOUT', 15_000)
        expect((await us.row()).cause).toBe('process')
        await us.reply(ticketId, 'Já volto')
        const page = await call(web, messages.list, us.token, { params: { ticketId }, query: {} })
        expect(page.body).toMatchObject({ messagesOffLine: [{ status: 'pending' }] })
        const told: { type: string; payload: unknown; audience: unknown }[] = []
        const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
          if (tenantId === us.tenantId) told.push(...changes.filter(({ type }) => type === 'whatsapp:outage'))
        })
        const mailer = { smtp: 'enabled', emailHost: '127.0.0.1', emailPort: smtp.port, emailSecure: 'none' }
        const by = { emailUser: '', emailName: 'Guichê', emailFrom: 'sistema@guiche.test', sealed: null }
        await platform.db.asPlatform((db) => changeInstallation(db, 'mail', { ...mailer, ...by }))
        platform.installation.clear()
        const ago = (minutes: number) =>
          platform.db.write(us.tenantId, (db) =>
            db
              .updateTable('connection_outages')
              .set({ began_at: new Date(platform.now().getTime() - minutes * 60_000) })
              .execute(),
          )
        // No report for a connection that a person has switched off.
        const off = await make(platform).connection(us.tenantId, { type: 'stream', status: 'DISCONNECTED' })
        await platform.db.write(us.tenantId, (db) =>
          db
            .insertInto('connection_outages')
            .values({ tenant_id: us.tenantId, connection_id: off, cause: 'person', began_at: platform.now() })
            .execute(),
        )
        await ago(2)
        await until(() => told.length === 1)
        expect(told[0]!.payload).toMatchObject({ id: us.id, name: 'Rio', cause: 'process' })
        expect(told[0]!.audience).toEqual({ kind: 'permission', permission: 'connections:write' })
        await make(platform).user(us.tenantId, { profile: 'user' })
        await ago(11)
        const { subject, text } = (await smtp.nextTo(await us.email())).read
        expect(subject).toBe('O canal “Rio” está sem conexão')
        expect(text).toContain('O servidor que mantinha a conexão parou')
        await watchOnce(platform, ['stream'])
        expect([told.length, smtp.mails.length]).toEqual([1, 1])
        unsubscribe()
        await us.end()
        await expect(
          (await adapterOf(platform, us.tenantId, us.id)).ask!('groups', {
            tenantId: us.tenantId,
            connectionId: us.id,
          }),
        ).rejects.toMatchObject({
          kind: 'unreachable',
        })
      } finally {
        await close()
      }
    } finally {
      await web.close()
      await smtp.close()
    }
  })
})

describe.concurrent('what concerns all of a channel', () => {
  it('resolves what is open there, or what waits, in one operation that can be taken back', async () => {
    const m = make(product().platform)
    const tenantId = await m.tenant()
    const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
    const [here, there] = [await m.connection(tenantId, { name: 'Aqui' }), await m.connection(tenantId, { name: 'Lá' })]
    const add = (connection_id: number, status: string) => m.ticket(tenantId, { connection_id, status })
    const [a, b, c, d] = [
      await add(here, 'open'),
      await add(here, 'pending'),
      await add(there, 'open'),
      await add(here, 'open'),
    ]
    const statuses = () =>
      product().platform.db.read(tenantId, async (db) =>
        Object.fromEntries(
          (await db.selectFrom('tickets').select(['id', 'status']).execute()).map(({ id, status }) => [id, status]),
        ),
      )
    const close = (operation: typeof connections.closeOpen | typeof connections.closePending, whatsappId: number) =>
      call(product(), operation, token, { body: { whatsappId } })
    expect((await close(connections.closeOpen, here)).body).toMatchObject({ status: 'done', total: 2, done: 2 })
    expect(await statuses()).toEqual({ [a]: 'closed', [b]: 'pending', [c]: 'open', [d]: 'closed' })
    expect((await close(connections.closePending, here)).body).toMatchObject({ total: 1, done: 1 })
    expect(await statuses()).toMatchObject({ [b]: 'closed', [c]: 'open' })
    expect((await close(connections.closeOpen, 987_654)).body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
  })

  it('has one default, however many choose at once', async () => {
    const m = make(product().platform)
    const tenantId = await m.tenant()
    const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => m.connection(tenantId, { name: `Canal ${n}` })))
    const choose = (whatsappId: number) => call(product(), connections.setDefault, token, { body: { whatsappId } })
    const defaults = async () =>
      (await call(product(), connections.list, token, { query: {} })).body.connections
        .filter(({ isDefault }) => isDefault)
        .map(({ id }) => id)
    await Promise.all(Array.from({ length: 20 }, (_, n) => choose(ids[n % 5]!)))
    expect(await defaults()).toHaveLength(1)
    await choose(ids[3]!)
    expect(await defaults()).toEqual([ids[3]])
  })

  it('what was said on the phone stands in its conversation, once, as answered and without leaving again', async () => {
    const m = make(product().platform)
    const tenantId = await m.tenant()
    const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
    const connectionId = await m.connection(tenantId, {})
    const told = (type: 'message' | 'echo', providerId: string, body: string, timestamp: number) => ({
      ...{ type, dedupeKey: `${type} ${providerId}`, conversationKey: '5511977776666' },
      sender: { identity: '5511977776666', name: 'Iara', number: '5511977776666' },
      message: { providerId, timestamp, type: 'text' as const, body },
    })
    const now = product().platform.now().getTime()
    await receive(product().platform, { tenantId, connectionId }, [told('message', 'm1', 'Tem hoje?', now - 2000)])
    const rows = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').select(['body', 'from_me', 'status', 'user_id']).orderBy('seq').execute(),
      )
    await until(async () => (await rows()).length === 1)
    const echo = told('echo', 'e1', 'Tem sim!', now - 1000)
    await receive(product().platform, { tenantId, connectionId }, [echo, { ...echo, dedupeKey: 'outra vez' }])
    await until(async () => (await rows()).length === 2)
    expect((await rows())[1]).toEqual({ body: 'Tem sim!', from_me: true, status: 'sent', user_id: null })
    const list = (await call(product(), tickets.list, token, { query: { status: ['pending'] } })).body
    expect(list.tickets).toMatchObject([{ answered: true, lastMessage: 'Tem sim!', unreadMessages: 1 }])
    // A conversation begun on the phone begins here as well.
    const first = { ...told('echo', 'e2', 'Bom dia', now), conversationKey: '5511955554444' }
    await receive(product().platform, { tenantId, connectionId }, [
      { ...first, sender: { identity: '5511955554444', name: '', number: '5511955554444' } },
    ])
    await until(async () => (await rows()).length === 3)
  })
})

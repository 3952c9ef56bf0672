import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { renewJob, renewSecrets } from '#features/connections/server/renew.ts'
import { messages } from '#features/messages/contract.ts'
import { providerSignups } from '#features/provider-signup/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { letter, SHOP } from '#test/channels/mail-end.ts'
import { make } from '#test/make.ts'
import { startImap } from '#test/peers/imap/server.ts'
import { GOOGLE_APP, MICROSOFT_APP, startMailLogin } from '#test/peers/mail-login.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

let ahead = 0
const now = () => new Date(Date.now() + ahead)
const product = withProduct({ now, env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let peers: Awaited<ReturnType<typeof servers>>

async function servers() {
  const login = await startMailLogin({ email: SHOP, now })
  const imap = await startImap({ user: SHOP, tokens: login.tokens, now })
  const smtp = await startSmtp({ login: { user: SHOP, password: '' }, tokens: login.tokens })
  return { login, imap, smtp }
}

beforeAll(async () => {
  peers = await servers()
  const mailboxes = `127.0.0.1:${peers.imap.port},127.0.0.1:${peers.smtp.port}`
  Object.assign(product().platform.env, {
    ...peers.login.environment,
    ...{ GMAIL_SERVERS: mailboxes, OUTLOOK_SERVERS: mailboxes },
  })
})
afterAll(() => Promise.all([peers.login.close(), peers.imap.close(), peers.smtp.close()]))

const app = {
  ...{ googleId: GOOGLE_APP.id, googleSecret: GOOGLE_APP.secret },
  ...{ microsoftId: MICROSOFT_APP.id, microsoftSecret: MICROSOFT_APP.secret, microsoftTenant: MICROSOFT_APP.tenant },
}

/** Creates a company with the apps of Google and Microsoft configured. */
async function company() {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const ask = async (operation: Operation, body: object, params?: object) =>
    call(product(), operation, await m.token(admin), {
      body,
      ...(params ? { params } : {}),
    } as never)
  expect((await ask(providers.save, app, { id: 'webmail' })).status).toBe(200)
  const begin = (login: string) => ask(providerSignups.begin, { provider: 'webmail', login })
  const finish = (back: URL, code = back.searchParams.get('code')) =>
    ask(providerSignups.finish, { state: back.searchParams.get('state')!, code })
  const logIn = async (login: string) => {
    const { body } = await begin(login)
    return peers.login.visit(body['url'] as string)
  }
  /** Connects the mailbox by a login; returns its id. */
  const connect = async (login: string) => {
    const opened = await finish(await logIn(login))
    expect([opened.status, opened.body]).toMatchObject([200, {}])
    const made = await ask(
      providerSignups.connect,
      { account: SHOP, name: 'E-mail da loja' },
      { id: opened.body['id'] as number },
    )
    expect([made.status, made.body]).toMatchObject([200, { problem: null }])
    return made.body['whatsappId'] as number
  }
  const read = async (id: number) =>
    (await call(product(), connections.get, await m.token(admin), { params: { id } })).body
  const is = (id: number, status: string) => until(async () => (await read(id)).status === status)
  const rows = () =>
    product().platform.db.read(tenantId, (db) => db.selectFrom('messages').selectAll().orderBy('seq').execute())
  const arrives = async (body: string) => {
    await until(async () => (await rows()).some((one) => one.body === body))
    return (await rows()).findLast((one) => one.body === body)!
  }
  const answer = async (ticketId: number, body: string) => {
    await ask(tickets.update, { status: 'open', userId: admin.id }, { id: ticketId })
    const sent = await ask(messages.send, { idFront: randomUUID(), body }, { ticketId })
    return (sent.body['messages'] as { id: string }[])[0]!.id
  }
  const becomes = (id: string, status: string) =>
    until(async () => (await rows()).some((one) => one.id === id && one.status === status))
  const secretsOf = (id: number) =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('connections').select(['config', 'secrets']).where('id', '=', id).executeTakeFirstOrThrow(),
    )
  return { tenantId, ask, begin, finish, logIn, connect, read, is, arrives, answer, becomes, secretsOf }
}

test.each(['google', 'microsoft'])('a mailbox of %s is connected by its login, read and answered', async (login) => {
  const { connect, is, read, arrives, answer, becomes, secretsOf } = await company()
  const id = await connect(login)
  await is(id, 'CONNECTED')
  const { number, config } = await read(id)
  expect(number).toBe(SHOP)
  expect(config).toMatchObject({ login, from: SHOP, imapPort: peers.imap.port })
  expect(String(config['refreshToken'])).toMatch(/^••••/)
  const text = `Oi, ${login}`
  peers.imap.deliver(letter(text, { subject: login }))
  const { ticket_id: ticketId } = await arrives(text)
  await becomes(await answer(ticketId, 'Olá'), 'sent')
  const stored = await secretsOf(id)
  expect(JSON.stringify(stored)).not.toMatch(/1\/\/|ya29/)
  // No called URL contains a token, and the verifier was sent as a hash only.
  expect(peers.login.called.join('\n')).not.toMatch(/1\/\/|ya29|code_verifier/)
})

test('the page of the login asks for the mailbox and for a token that lasts, by PKCE, and leads back by the one address', async () => {
  const { begin } = await company()
  const pageOf = async (login: string) => new URL((await begin(login)).body['url'] as string)
  const google = await pageOf('google')
  expect(Object.fromEntries(google.searchParams)).toMatchObject({
    ...{ client_id: GOOGLE_APP.id, response_type: 'code', access_type: 'offline', prompt: 'select_account consent' },
    ...{ scope: 'https://mail.google.com/ openid email', code_challenge_method: 'S256' },
    redirect_uri: `${product().address}/gmail/callbackUrlBack`,
  })
  expect(google.searchParams.get('state')).toMatch(/^webmail\.google\.[\w-]{43}$/)
  const microsoft = await pageOf('microsoft')
  expect(microsoft.pathname).toBe(`/${MICROSOFT_APP.tenant}/oauth2/v2.0/authorize`)
  expect(microsoft.searchParams.get('scope')).toContain('offline_access')
  expect((await begin('facebook')).status).toBe(404)
  expect(google.href).not.toContain(GOOGLE_APP.secret)
})

test('a state or a code that was changed, used or stolen opens nothing', async () => {
  const us = await company()
  const them = await company()
  const back = await us.logIn('google')
  expect((await them.finish(back)).body).toMatchObject({ error: 'ERR_SIGNUP_STATE' })
  const other = new URL(back)
  other.searchParams.set('state', back.searchParams.get('state')!.replace('google', 'microsoft'))
  expect((await us.finish(other)).body).toMatchObject({ error: 'ERR_SIGNUP_STATE' })
  // A code of one login is invalid in another, because the verifier differs.
  const mine = await us.logIn('google')
  const stolen = await us.finish(mine, back.searchParams.get('code'))
  expect([stolen.status, stolen.body]).toMatchObject([422, { error: 'ERR_SIGNUP_REFUSED' }])
  expect((await us.finish(mine)).body).toMatchObject({ error: 'ERR_SIGNUP_STATE' })
})

test('what a login leaves out is said', async () => {
  const { finish, logIn } = await company()
  const reasonOf = async () => ((await finish(await logIn('google'))).body['details'] as { reason: string }).reason
  peers.login.state.withheld = ['https://mail.google.com/']
  expect(await reasonOf()).toContain('não foi permitido no Google')
  peers.login.state.withheld = []
  peers.login.state.isOnce = true
  expect(await reasonOf()).toContain('acesso que dure')
  peers.login.state.isOnce = false
  peers.login.state.email = ''
  expect(await reasonOf()).toContain('de quem é a conta')
  peers.login.state.email = SHOP
})

test('a token is asked for again when it ends, and when a server takes it no more; once for all who wait', async () => {
  const { connect, is, arrives, answer, becomes } = await company()
  const id = await connect('google')
  await is(id, 'CONNECTED')
  peers.imap.deliver(letter('Primeiro', { subject: 'Renovar' }))
  const { ticket_id: ticketId } = await arrives('Primeiro')
  peers.login.asked.length = 0
  await becomes(await answer(ticketId, 'Com o de agora'), 'sent')
  expect(peers.login.asked).toEqual([])
  ahead += 3_600_000
  await becomes(await answer(ticketId, 'Com outro'), 'sent')
  expect(peers.login.asked).toHaveLength(1)
  peers.login.expire()
  await becomes(await answer(ticketId, 'Com um terceiro'), 'sent')
  expect(peers.login.asked).toHaveLength(2)
  // The login server is down: nothing stops, messages wait; the job waits by the database's clock.
  ahead = 0
  peers.login.expire()
  peers.login.state.failures = 1
  await becomes(await answer(ticketId, 'Depois'), 'sent')
  await is(id, 'CONNECTED')
})

test('an authorization that was taken back stops the mailbox and says to reconnect; the same mailbox goes on afterwards', async () => {
  const { connect, is, read, ask, arrives, answer, becomes } = await company()
  const id = await connect('google')
  await is(id, 'CONNECTED')
  await ask(connections.update, { config: { ...(await read(id)).config, signature: 'Equipe' } }, { id })
  await is(id, 'CONNECTED')
  peers.imap.deliver(letter('Oi', { subject: 'Revogada' }))
  const { ticket_id: ticketId } = await arrives('Oi')
  peers.login.revoke()
  const waiting = await answer(ticketId, 'Espera')
  await is(id, 'DISCONNECTED')
  expect(await read(id)).toMatchObject({ cause: 'token' })
  peers.login.asked.length = 0
  const refused = await ask(connections.start, {}, { id })
  expect(refused.body).toMatchObject({
    error: 'ERR_CONNECTION_TEST',
    details: { config: expect.stringContaining('Reconecte') },
  })
  // A refused login is not retried repeatedly.
  expect(peers.login.asked).toHaveLength(1)
  expect(await connect('google')).toBe(id)
  await becomes(waiting, 'sent')
  expect((await read(id)).config).toMatchObject({ signature: 'Equipe' })
})

test('Microsoft’s token that lasts is kept anew before it ends', async () => {
  const { connect, is, secretsOf, tenantId } = await company()
  const id = await connect('microsoft')
  await is(id, 'CONNECTED')
  const stored = async () =>
    ((await secretsOf(id)).secrets as Record<string, { encrypted: string; until?: number }>)['refreshToken']!
  const first = await stored()
  await renewSecrets(product().platform)
  await until(async () => (await stored()).encrypted !== first.encrypted)
  expect((await stored()).until! - now().getTime()).toBeGreaterThan(80 * 86_400_000)
  await is(id, 'CONNECTED')
  // Also while it is being opened, as after the recorded attempt.
  const second = await stored()
  const { platform } = product()
  await platform.db.asPlatform((db) =>
    db.updateTable('connections').set({ status: 'OPENING' }).where('id', '=', id).execute(),
  )
  const asked = { tenantId, connectionId: id, field: 'refreshToken' }
  await renewJob.run(platform, asked, { requireOwnership: () => {} })
  expect((await stored()).encrypted).not.toBe(second.encrypted)
})

test('a mailbox of a login cannot be pointed elsewhere without logging in again, nor made by hand', async () => {
  const { connect, is, read, ask } = await company()
  const id = await connect('google')
  await is(id, 'CONNECTED')
  const config = { ...(await read(id)).config, host: '127.0.0.2' }
  const elsewhere = await ask(connections.update, { config }, { id })
  expect([elsewhere.status, elsewhere.body]).toMatchObject([
    400,
    { details: { 'config.refreshToken': expect.stringContaining('Entre de novo') } },
  ])
  const made = await ask(connections.create, {
    ...{ type: 'webmail', name: 'À mão' },
    config: { login: 'google', from: 'outra@loja.example' },
  })
  expect([made.status, made.body]).toMatchObject([
    400,
    { details: { 'config.refreshToken': expect.stringContaining('Entre com a conta') } },
  ])
  const noPassword = await ask(connections.create, {
    ...{ type: 'webmail', name: 'Sem senha' },
    config: { from: 'outra@loja.example', imapHost: 'a.example', host: 'a.example' },
  })
  expect(noPassword.body).toMatchObject({ details: { 'config.pass': 'Informe a senha.' } })
})

test('what was filled in of the apps is tried, and what is wrong is said', async () => {
  const { ask } = await company()
  const tried = async (body: object) => (await ask(providers.test, body, { id: 'webmail' })).body
  expect(await tried(app)).toMatchObject({ ok: true })
  expect(await tried({ ...app, googleSecret: 'outra' })).toMatchObject({
    ...{ ok: false, text: expect.stringContaining('O Google não aceitou o ID ou a chave') },
  })
  expect(await tried({ ...app, googleId: '', microsoftId: '' })).toMatchObject({ ok: false })
  peers.login.state.failures = 1
  expect(await tried(app)).toMatchObject({ ok: false, text: 'O Google não respondeu.' })
})

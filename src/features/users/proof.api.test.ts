import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { entry } from '#features/auth/entry.ts'
import { recovery } from '#features/auth/recovery.ts'
import { identityProvider } from '#features/identity-provider/contract.ts'
import { companyMail } from '#features/mail/contract.ts'
import { plans, signup } from '#features/signup/contract.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make, PASSWORD } from '#test/make.ts'
import { type Account, CLIENT, startOidc } from '#test/peers/oidc.ts'
import { type SmtpPeer, startSmtp } from '#test/peers/smtp.ts'
import { call, ownProduct, type Reply } from '#test/server.ts'
import { users } from './contract.ts'
import { ownProfile } from './profile.ts'

const ADDRESS = 'https://guiche.loja.test/'
const ahead = 0
const product = ownProduct('has a public address', {
  env: { OUTBOUND_ALLOW: ['127.0.0.0/8'], PUBLIC_URL: ADDRESS },
  now: () => new Date(Date.now() + ahead),
})
const m = () => make(product().platform)
const NEW = 'Nova!senha7'

let smtp: SmtpPeer
let accounts: Account[]
let issuer: Awaited<ReturnType<typeof startOidc>>
let boss: string
let counter = 0

/** Returns an unused e-mail address that the issuer confirms. */
function address(domain = 'vitima.test'): string {
  const email = `diretora${++counter}@${domain}`
  accounts.push({ sub: `sub-${email}`, email, name: 'Diretora' })
  return email
}
async function company() {
  const tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  return { tenantId, admin, token: await m().token(admin) }
}
const create = (token: string, email: string, more: object = {}) =>
  call(product(), users.create, token, { body: { name: 'Ana Diretora', email, profile: 'user', ...more } })
/** Creates an account of another company with that e-mail address, not proven. */
async function squat(email: string, more: object = {}) {
  const theirs = await company()
  const made = await create(theirs.token, email, { password: PASSWORD, ...more })
  expect(made.status).toBe(200)
  const { id } = made.body
  return { ...theirs, id, tenantId: theirs.tenantId }
}
const row = (id: number) =>
  product().platform.db.asPlatform((db) =>
    db
      .selectFrom('users')
      .select(['email', 'username', 'proven_email', 'waiting_email', 'tenant_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const login = (name: string, password = PASSWORD) =>
  call(product(), auth.login, null, { body: { username: name, password } })
const who = (reply: { body: unknown }) => (reply.body as { userId?: number }).userId
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error
const mailed = async (email: string): Promise<string> =>
  /tokenSetup=([\w-]+)/.exec((await smtp.nextTo(email)).read.text!)![1]!
const resetLink = async (email: string): Promise<string> =>
  /\/reset\/([\w-]+)/.exec((await smtp.nextTo(email)).read.text!)![1]!
const setup = (code: string) => call(product(), auth.setup, null, { body: { code, password: NEW } })
const confirm = (code: string) => call(product(), auth.confirmEmail, null, { body: { code } })
const configureMail = async (isOn: boolean) => {
  const settings = {
    smtp: isOn ? 'enabled' : 'disabled',
    emailHost: '127.0.0.1',
    emailPort: smtp.port,
    emailSecure: 'none',
    emailUser: '',
    emailName: 'Guichê',
    emailFrom: 'sistema@guiche.test',
    sealed: null,
  }
  await product().platform.db.asPlatform((db) => changeInstallation(db, 'mail', settings))
  product().platform.bus.stale('installation all')
  product().platform.installation.clear()
}
async function enterByIssuer(email: string) {
  const started = await call(product(), entry.externalStart, null, {})
  const back = await issuer.visit(started.body.url, `sub-${email}`)
  const cookie = started.headers.getSetCookie()[0]!.split(';')[0]!
  return call(product(), entry.externalFinish, null, {
    body: Object.fromEntries(back.searchParams),
    headers: { cookie },
  })
}

beforeAll(async () => {
  smtp = await startSmtp()
  accounts = []
  issuer = await startOidc({ redirectUris: [`${ADDRESS}auth/google/callback`], accounts })
  boss = await m().token(await m().user(await m().tenant(), { profile: 'superadmin' }))
  const body = {
    isOn: true,
    label: 'Entrar',
    issuer: issuer.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    domains: [],
  }
  expect((await call(product(), identityProvider.save, boss, { body })).status).toBe(200)
  await configureMail(true)
})
afterAll(async () => {
  await smtp.close()
  await issuer.close()
})

describe('an account whose e-mail nobody has proven', () => {
  it('is entered by nobody through the installation’s issuer, until a mailed link was opened', async () => {
    const email = address()
    const squatter = await squat(email)
    expect(errorOf(await enterByIssuer(email))).toBe('ERR_EXTERNAL_UNPROVEN')
    expect(who(await login(email))).toBe(squatter.id)
    await call(product(), recovery.request, null, { body: { email } })
    const token = await resetLink(email)
    expect((await call(product(), recovery.reset, null, { body: { token, password: NEW } })).status).toBe(200)
    expect((await row(squatter.id)).proven_email).toBe(email)
    expect(who(await enterByIssuer(email))).toBe(squatter.id)
  })

  it('is proven by an issuer’s claim where its company has verified the domain', async () => {
    const email = address('dominio.test')
    const mine = await squat(email)
    expect(errorOf(await enterByIssuer(email))).toBe('ERR_EXTERNAL_UNPROVEN')
    await product().platform.db.asPlatform((db) =>
      addToDirectory(db, { kind: 'domain', key: 'dominio.test', tenantId: mine.tenantId, subjectId: 'domain' }),
    )
    expect(who(await enterByIssuer(email))).toBe(mine.id)
    expect((await row(mine.id)).proven_email).toBe(email)
    // The company's own account takes an address of its domain over from a foreign account.
    const other = address('dominio.test')
    const squatter = await squat(other)
    const made = await create(mine.token, other)
    const own = made.body.id
    expect((await row(own)).waiting_email).toBe(other)
    expect(who(await enterByIssuer(other))).toBe(own)
    expect((await row(squatter.id)).waiting_email).toBe(other)
  })

  it('is not proven by a link that its admin was handed, nor by one that the company’s own server took', async () => {
    await configureMail(false)
    const email = address()
    const theirs = await company()
    const { id } = (await create(theirs.token, email)).body
    const invite = () => call(product(), users.invite, theirs.token, { params: { id }, body: {} })
    const { link } = (await invite()).body as { link: string }
    expect((await setup(link.split('=')[1]!)).status).toBe(200)
    expect((await row(id)).proven_email).toBeNull()
    // Through a mail server of the company's, which it reads.
    const own = await startSmtp()
    try {
      const settings = {
        smtp: 'enabled',
        emailHost: '127.0.0.1',
        emailPort: own.port,
        emailSecure: 'none',
        emailUser: '',
        emailName: 'Empresa',
        emailFrom: 'a@empresa.test',
      } as const
      const saved = await call(product(), companyMail.save, theirs.token, { body: settings })
      expect([saved.status, saved.body]).toEqual([200, expect.anything()])
      await configureMail(true)
      expect((await invite()).body).toMatchObject({ isMailed: true })
      const code = /tokenSetup=([\w-]+)/.exec((await own.nextTo(email)).read.text!)![1]!
      expect((await setup(code)).status).toBe(200)
      expect((await row(id)).proven_email).toBeNull()
    } finally {
      await configureMail(true)
      await own.close()
    }
  })

  it('has to be proven again when it is changed', async () => {
    const email = address()
    const theirs = await company()
    const { id } = (await create(theirs.token, email)).body
    expect((await setup(await mailed(email))).status).toBe(200)
    expect((await row(id)).proven_email).toBe(email)
    expect(who(await enterByIssuer(email))).toBe(id)
    const next = address()
    const changed = await call(product(), users.update, theirs.token, { params: { id }, body: { email: next } })
    expect(changed.body).toMatchObject({ email: next, emailState: 'unproven' })
    expect(errorOf(await enterByIssuer(next))).toBe('ERR_EXTERNAL_UNPROVEN')
  })
})

describe('a name that somebody holds without proof', () => {
  it('moves to who opens the invitation of another company; the former holder keeps a username, told and recorded', async () => {
    const email = address()
    const squatter = await squat(email)
    const mine = await company()
    const made = await create(mine.token, email)
    expect(made.body).toMatchObject({ isMailed: true, emailState: 'waiting', username: expect.any(String) })
    const { id } = made.body
    expect(who(await login(email))).toBe(squatter.id)
    expect(who(await setup(await mailed(email)))).toBe(id)
    expect(who(await login(email, NEW))).toBe(id)
    expect(who(await enterByIssuer(email))).toBe(id)
    const lost = await row(squatter.id)
    expect(lost).toMatchObject({ email, waiting_email: email, proven_email: null, username: expect.any(String) })
    expect(errorOf(await login(email))).toBe('ERR_INVALID_CREDENTIALS')
    expect(who(await login(lost.username!))).toBe(squatter.id)
    const seen = await call(product(), users.get, squatter.token, { params: { id: squatter.id } })
    expect(seen.body).toMatchObject({ emailState: 'waiting', username: lost.username })
    const recorded = await product().platform.db.asPlatform((db) =>
      db
        .selectFrom('audit_log')
        .select(['target', 'changes'])
        .where('tenant_id', '=', squatter.tenantId)
        .where('action', '=', 'email.moved')
        .execute(),
    )
    expect(recorded).toEqual([
      { target: { id: squatter.id, name: 'Ana Diretora', email }, changes: { username: { after: lost.username } } },
    ])
  })

  it('leaves a username that was there as it is, and cannot leave its holder without any', async () => {
    const email = address()
    const squatter = await squat(email, { username: `chefe${counter}` })
    const mine = await company()
    await create(mine.token, email)
    expect((await setup(await mailed(email))).status).toBe(200)
    expect((await row(squatter.id)).username).toBe(`chefe${counter}`)
    const params = { id: squatter.id }
    const none = await call(product(), users.update, squatter.token, { params, body: { username: '' } })
    expect([none.status, errorOf(none)]).toEqual([400, 'ERR_VALIDATION'])
    const other = `outro${counter}`
    const changed = await call(product(), users.update, squatter.token, { params, body: { username: other } })
    expect(changed.body).toMatchObject({ username: other, emailState: 'waiting' })
    expect(who(await login(other))).toBe(squatter.id)
  })

  it('is had by a company that signs up, once its link was opened; before, nobody enters by it', async () => {
    const email = address()
    const squatter = await squat(email)
    await call(product(), plans.open, boss, { body: { isOpen: true } })
    const { plan } = (await call(product(), plans.offered, null, {})).body
    const body = {
      name: 'Empresa da Diretora',
      userName: 'Diretora',
      cpfCnpj: '11.222.333/0001-81',
      email,
      mobilePhone: '(11) 98765-4321',
      password: NEW,
      planId: plan[0]!.id,
    }
    const joined = await call(product(), signup.create, null, { body })
    expect([joined.status, joined.body]).toEqual([200, { message: expect.stringContaining('abra o link') }])
    expect(who(await login(email))).toBe(squatter.id)
    expect(errorOf(await login(email, NEW))).toBe('ERR_INVALID_CREDENTIALS')
    const code = await mailed(email)
    expect((await call(product(), auth.checkSetup, null, { body: { code } })).body).toMatchObject({
      kind: 'email',
      email,
    })
    expect((await confirm(code)).body).toMatchObject({ email, isHeld: true })
    expect(errorOf(await confirm(code))).toBe('ERR_CODE_INVALID')
    const mine = who(await login(email, NEW))!
    expect([mine === squatter.id, (await row(mine)).tenant_id === squatter.tenantId]).toEqual([false, false])
    // Proven, it is refused like any other.
    const again = await call(product(), signup.create, null, { body })
    expect([again.status, again.body]).toMatchObject([
      409,
      { details: { email: 'Já existe um usuário com este e-mail.' } },
    ])
  })

  it('is had by who changes the own e-mail, once the new one’s link was opened', async () => {
    const email = address()
    const squatter = await squat(email)
    const mine = await company()
    const asked = await call(product(), ownProfile.changeEmail, mine.token, { body: { email, current: PASSWORD } })
    expect(asked.body).toEqual({ message: 'ok', isMailed: true })
    expect(who(await login(mine.admin.email))).toBe(mine.admin.id)
    const own = () => call(product(), users.get, mine.token, { params: { id: mine.admin.id } })
    expect((await own()).body).toMatchObject({ email: mine.admin.email, newEmail: email })
    expect((await confirm(await mailed(email))).body).toMatchObject({ email, isHeld: true })
    expect((await own()).body).toMatchObject({ email, newEmail: null, emailState: 'proven' })
    expect(who(await login(email))).toBe(mine.admin.id)
    expect(errorOf(await login(mine.admin.email))).toBe('ERR_INVALID_CREDENTIALS')
    expect((await row(squatter.id)).waiting_email).toBe(email)
  })

  it('goes to one of two who prove it at once, every time; the other keeps a username', {
    timeout: 60_000,
  }, async () => {
    for (let round = 0; round < 3; round++) {
      const email = address()
      const squatter = await squat(email)
      const [one, two] = [await company(), await company()]
      const made = await Promise.all([one, two].map(({ token }) => create(token, email)))
      const ids = made.map(({ body }) => body.id)
      const codes = [await mailed(email), await mailed(email)]
      await call(product(), recovery.request, null, { body: { email } })
      const token = await resetLink(email)
      const replies = await Promise.all([
        ...codes.map((code) => setup(code)),
        call(product(), recovery.reset, null, { body: { token, password: NEW } }),
      ])
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      const rows = await Promise.all([...ids, squatter.id].map(row))
      expect(rows.filter((one) => one.proven_email === email)).toHaveLength(1)
      expect(rows.filter((one) => one.waiting_email === email && one.username)).toHaveLength(2)
      const holder = [...ids, squatter.id][rows.findIndex((one) => one.proven_email === email)]
      expect(who(await login(email, NEW))).toBe(holder)
      for (const { username, waiting_email } of rows)
        if (waiting_email) expect((await login(username!, NEW)).status).toBe(200)
    }
  })
})

describe('an e-mail that another account has', () => {
  it('keeps nobody out where no link could prove it: who is added enters by a username, whoever has the e-mail', async () => {
    await configureMail(false)
    try {
      const [unproven, unproven2, proven, own] = [address(), address(), address(), address()]
      await squat(unproven)
      await squat(unproven2)
      const holder = await squat(proven)
      await product().platform.db.asPlatform((db) =>
        db.updateTable('users').set({ proven_email: proven }).where('id', '=', holder.id).execute(),
      )
      const mine = await company()
      await create(mine.token, own, { password: PASSWORD })
      const person = (await create(mine.token, address(), { password: PASSWORD })).body
      for (const email of [unproven, proven]) {
        const added = await create(mine.token, email, { password: PASSWORD })
        expect([added.status, added.body]).toMatchObject([200, { emailState: 'waiting', username: expect.any(String) }])
        const { id, username } = added.body as { id: number; username: string }
        expect(who(await login(username))).toBe(id)
        const { token } = await company()
        const invited = await create(token, email)
        expect(invited.body).toMatchObject({ isMailed: false, emailState: 'waiting' })
        const again = { params: { id: invited.body.id }, body: {} }
        const { link } = (await call(product(), users.invite, token, again)).body as { link: string }
        expect(link).toContain('tokenSetup')
      }
      const changed = await call(product(), users.update, mine.token, {
        params: { id: person.id },
        body: { email: unproven2 },
      })
      expect(changed.body).toMatchObject({ emailState: 'waiting' })
      // Addresses of users of the same company are refused as duplicates.
      const replies: Reply[] = [await create(mine.token, own), await create(mine.token, own, { password: PASSWORD })]
      replies.push(await call(product(), users.update, mine.token, { params: { id: person.id }, body: { email: own } }))
      for (const email of [unproven, proven, own]) {
        const body = { email, current: PASSWORD }
        replies.push(await call(product(), ownProfile.changeEmail, mine.token, { body }))
      }
      for (const { status, body } of replies)
        expect([status, body]).toEqual([
          409,
          {
            error: 'ERR_DUPLICATED',
            message: 'Já existe um registro com esses dados.',
            requestId: expect.any(String),
            details: { email: 'Já existe um usuário com este e-mail.' },
          },
        ])
    } finally {
      await configureMail(true)
    }
  })

  it('never moves from who has proven it: who opens an invitation there enters by a username', async () => {
    const email = address()
    const first = await company()
    const { id } = (await create(first.token, email)).body
    expect((await setup(await mailed(email))).status).toBe(200)
    const second = await company()
    const made = (await create(second.token, email)).body as { id: number; username: string }
    expect(who(await setup(await mailed(email)))).toBe(made.id)
    expect(who(await login(email, NEW))).toBe(id)
    expect(who(await login(made.username, NEW))).toBe(made.id)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { access } from '#features/access/contract.ts'
import { auth } from '#features/auth/contract.ts'
import { recovery } from '#features/auth/recovery.ts'
import { tags } from '#features/catalog/tags.ts'
import { companyMail, installationMail } from '#features/mail/contract.ts'
import { passkeys } from '#features/second-factor/contract.ts'
import { signup } from '#features/signup/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { webchatChannels } from '#features/webchat/contract.ts'
import type { CallInput } from '#kit/contract.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make, PASSWORD } from './make.ts'
import { type SmtpPeer, startSmtp } from './peers/smtp.ts'
import { call, ownProduct, type Reply } from './server.ts'

/** Product with pools of two clients: twenty concurrent operations without cached values once waited for themselves. */
const product = ownProduct('has few clients of the database', {
  env: { DB_POOL: 2, PUBLIC_URL: 'https://guiche.loja.test' },
})
const made = () => make(product().platform)
let peer: SmtpPeer
let tenantId: number
let admin: { id: number; email: string }
let token: string
let owner: string
let planId: number

const mail = () => ({
  smtp: 'enabled' as const,
  emailHost: '127.0.0.1',
  emailPort: peer.port,
  emailSecure: 'none' as const,
  emailUser: '',
  emailName: 'Guichê',
  emailFrom: 'sistema@guiche.test',
})
const forgetAll = () => {
  const { actors, settings, installation } = product().platform
  for (const cache of [actors, settings, installation]) cache.clear()
}
const statusesOf = async (asked: Promise<Reply>[]) => [...new Set((await Promise.all(asked)).map((one) => one.status))]
const times = <T>(amount: number, work: (index: number) => T): T[] => Array.from({ length: amount }, (_, i) => work(i))

beforeAll(async () => {
  peer = await startSmtp()
  tenantId = await made().tenant()
  admin = await made().user(tenantId, { profile: 'admin' })
  token = await made().token({ id: admin.id, tenantId })
  owner = await made().token(await made().user(tenantId, { profile: 'superadmin' }))
  planId = await product().platform.db.asPlatform(async (db) => {
    await changeInstallation(db, 'mail', { ...mail(), sealed: null })
    await changeInstallation(db, 'signup', { isOpen: true })
    await db.updateTable('tenants').set({ max_users: 1000, max_connections: 1000 }).execute()
    const plan = { name: 'Crescer', value: '10', connections: 1, users: 5, is_active: true }
    return (await db.insertInto('plans').values(plan).returning('id').executeTakeFirstOrThrow()).id
  })
})
afterAll(() => peer.close())

test('somebody unknown, asked for twenty times', async () => {
  const ticket = await made().ticket(tenantId)
  forgetAll()
  expect(
    await statusesOf([
      ...times(20, () => call(product(), access.get, token, { params: { id: 999_999 } })),
      ...times(20, () =>
        call(product(), tickets.explain, token, { params: { id: ticket }, query: { userId: 999_999 } }),
      ),
    ]),
  ).toEqual([404])
})

test('a colleague who is not cached, asked for twenty times', async () => {
  const colleague = await made().user(tenantId)
  const ticket = await made().ticket(tenantId)
  forgetAll()
  expect(
    await statusesOf([
      ...times(20, () => call(product(), access.get, token, { params: { id: colleague.id } })),
      ...times(20, () =>
        call(product(), tickets.explain, token, { params: { id: ticket }, query: { userId: colleague.id } }),
      ),
    ]),
  ).toEqual([200])
})

test('twenty password resets while the mail settings are saved stop no login', async () => {
  const people = await Promise.all(times(20, () => made().user(tenantId)))
  forgetAll()
  const save = () => call(product(), installationMail.save, owner, { body: mail() })
  expect(
    await statusesOf([
      save(),
      ...people.map(({ email }) => call(product(), recovery.request, null, { body: { email } })),
      save(),
      ...times(5, () => call(product(), auth.login, null, { body: { email: admin.email, password: PASSWORD } })),
      save(),
    ]),
  ).toEqual([200])
  for (const { email } of people) expect((await peer.nextTo(email)).read.subject).toBe('Redefinir sua senha')
})

test('twenty companies that sign up at once, and are greeted by mail', async () => {
  forgetAll()
  const join = (index: number) =>
    call(product(), signup.create, null, {
      body: {
        name: `Padaria ${index}`,
        cpfCnpj: '529.982.247-25',
        email: `dona${index}@pao.test`,
        mobilePhone: '(11) 98765-4321',
        password: PASSWORD,
        planId,
      },
    })
  expect(await statusesOf(times(20, join))).toEqual([200])
  for (let index = 0; index < 20; index++)
    expect((await peer.nextTo(`dona${index}@pao.test`)).read.subject).toBe('Sua conta está pronta')
})

test('twenty people invited at once, by mail', async () => {
  forgetAll()
  const invite = (index: number) =>
    call(product(), users.create, token, {
      body: { name: `Nova ${index}`, email: `nova${index}@loja.test`, profile: 'user' },
    })
  expect(await statusesOf(times(20, invite))).toEqual([200])
})

test('mail settings, passkeys and webchat channels, twenty at once', async () => {
  forgetAll()
  const body = {
    name: 'Loja',
    queueId: null,
    look: {
      title: 'Loja',
      welcome: 'Olá',
      away: 'Já voltamos',
      color: null,
      position: 'right' as const,
      theme: 'auto' as const,
    },
    domains: [],
    requiresProof: false,
  } satisfies CallInput<typeof webchatChannels.create>['body']
  expect(
    await statusesOf([
      ...times(20, () => call(product(), companyMail.read, token)),
      ...times(20, () => call(product(), installationMail.read, owner)),
      ...times(20, () => call(product(), passkeys.options, token, { body: { password: PASSWORD } })),
      ...times(20, () => call(product(), webchatChannels.create, token, { body })),
    ]),
  ).toEqual([200])
})

test('a pool that stays taken answers 503 with the time to wait, and works again afterwards', async () => {
  let free = () => {}
  const isFree = new Promise<void>((resolve) => {
    free = resolve
  })
  const taken = times(2, () => product().platform.db.read(tenantId, () => isFree))
  const reply = await call(product(), tags.ops.list, token)
  free()
  await Promise.all(taken)
  expect([reply.status, reply.body]).toMatchObject([503, { error: 'ERR_UNAVAILABLE' }])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await call(product(), tags.ops.list, token)).status).toBe(200)
})

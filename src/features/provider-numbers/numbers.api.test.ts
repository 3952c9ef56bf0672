import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import type { Operation } from '#kit/contract.ts'
import { META_ERRORS } from '#providers/channels/meta-errors.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type NumberChange, providerNumbers } from './contract.ts'
import { readOld } from './server/states.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)
let meta: Awaited<ReturnType<typeof startMeta>>
let us: Awaited<ReturnType<typeof metaCompany>>
let admin: string
let agent: string
let stranger: string
let email: string

beforeAll(async () => {
  meta = await startMeta()
  const tenantId = await m().tenant()
  const person = await m().user(tenantId, { profile: 'admin' })
  email = person.email
  admin = await m().token(person)
  agent = await m().token(await m().user(tenantId))
  stranger = await m().token(await m().user(await m().tenant(), { profile: 'admin' }))
  us = await metaCompany(product(), meta, { tenantId, adminId: person.id, token: admin })
  await us.start()
  await until(async () => (await number()).state !== null)
})
afterAll(() => meta.close())

const ask = (operation: Operation, body?: object, by = admin) =>
  call(product(), operation, by, { params: { id: us.id }, ...(body ? { body } : {}) } as never)
const number = async () => {
  const { body } = await call(product(), providerNumbers.list, admin, {})
  return body.numbers[0]!
}
const changes = async () => {
  const { body } = await ask(providerNumbers.changes)
  return body['changes'] as NumberChange[]
}
const told = () => product().platform.now().getTime()

test('connecting reads how the number stands; another company and an agent see nothing of it', async () => {
  expect(await number()).toMatchObject({
    ...{ whatsappId: us.id, name: 'Empório', isConnected: true },
    state: {
      ...{ shownNumber: '+55 11 3000-4000', name: 'Empório', nameStatus: 'APPROVED', quality: 'GREEN' },
      ...{ dailyLimit: 1000, status: 'CONNECTED', isVerified: true },
    },
  })
  expect(await changes()).toEqual([])
  expect((await call(product(), providerNumbers.list, stranger, {})).body).toEqual({ numbers: [] })
  expect((await ask(providerNumbers.read, undefined, stranger)).status).toBe(404)
  expect((await ask(providerNumbers.read, undefined, agent)).status).toBe(403)
})

test('what Meta says of quality and limit is read, noted once, and told; a replay and a rise are no alarm', async () => {
  Object.assign(meta.number.state, { quality_rating: 'RED', messaging_limit_tier: 'TIER_250', status: 'FLAGGED' })
  const fell = { display_phone_number: '551130004000', event: 'FLAGGED', current_limit: 'TIER_250' }
  const at = Math.floor(told() / 1000)
  await meta.tellAccount('phone_number_quality_update', fell, at)
  await until(async () => (await changes()).length === 3)
  await meta.tellAccount('phone_number_quality_update', fell, at)
  expect((await ask(providerNumbers.read)).body).toMatchObject({ state: { quality: 'RED', dailyLimit: 250 } })
  expect((await changes()).map(({ what, before, after, isFall }) => [what, before, after, isFall]).sort()).toEqual([
    ['limit', '1000', '250', true],
    ['quality', 'GREEN', 'RED', true],
    ['status', 'CONNECTED', 'FLAGGED', true],
  ])
  Object.assign(meta.number.state, {
    quality_rating: 'GREEN',
    messaging_limit_tier: 'TIER_UNLIMITED',
    status: 'CONNECTED',
  })
  await ask(providerNumbers.read)
  expect((await changes()).slice(0, 3).map(({ isFall }) => isFall)).toEqual([false, false, false])
  expect((await number()).state).toMatchObject({ dailyLimit: 0 })
})

test('a restriction and a payment that is missing are noted and told to administrators, also by mail, each once', async () => {
  const smtp = await startSmtp()
  const { platform } = product()
  const mailer = { smtp: 'enabled', emailHost: '127.0.0.1', emailPort: smtp.port, emailSecure: 'none' }
  const by = { emailUser: '', emailName: 'Guichê', emailFrom: 'sistema@guiche.test', sealed: null }
  await platform.db.asPlatform((db) => changeInstallation(db, 'mail', { ...mailer, ...by }))
  platform.installation.clear()
  try {
    const restriction = {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1_900_000_000 }],
    }
    const at = Math.floor(told() / 1000)
    await Promise.all(Array.from({ length: 5 }, () => meta.tellAccount('account_update', restriction, at)))
    const { subject, text } = (await smtp.nextTo(email)).read
    expect(subject).toBe('A conta de “Empório” foi restrita')
    expect(text).toContain('O provedor limitou ou barrou a conta.')
    const failed = (n: number) => ({
      ...{ id: `wamid.sem-registro-${n}`, status: 'failed', timestamp: String(at + n), recipient_id: '5511988887777' },
      errors: [{ code: 131_042, title: 'Business eligibility payment issue' }],
    })
    for (const n of [1, 2, 3]) await meta.push({ statuses: [failed(n)] })
    expect((await smtp.nextTo(email)).read.subject).toBe('Falta um pagamento na conta de “Empório”')
    expect((await changes()).slice(0, 2).map(({ what, after }) => [what, after])).toEqual([
      ['payment', ''],
      ['restriction', 'RESTRICTED_BIZ_INITIATED_MESSAGING'],
    ])
    expect(smtp.mails).toHaveLength(2)
  } finally {
    platform.installation.clear()
    await smtp.close()
  }
})

test('of an account that nobody has connected nothing is noted, and it is counted', async () => {
  const before = await changes()
  const { wabaId } = meta.app
  meta.app.wabaId = '1'
  await meta.tellAccount('account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'X' } })
  meta.app.wabaId = wabaId
  expect(await changes()).toEqual(before)
  const { body } = await call(product(), providers.get, admin, { params: { id: 'meta' } })
  expect(body).toMatchObject({ unclaimedEvents: 1 })
})

test('how it presents itself is read and changed; what Meta would refuse is told at its field', async () => {
  expect((await ask(providerNumbers.profile)).body).toMatchObject({
    about: 'Tudo para a casa',
    vertical: 'RETAIL',
    picture: null,
  })
  const profile = {
    ...{ about: 'Casa e jardim', description: 'Desde 1980', address: 'Rua A, 1', email: 'oi@emporio.test' },
    ...{ websites: ['https://emporio.test'], vertical: 'GROCERY' },
  }
  expect((await ask(providerNumbers.saveProfile, profile)).status).toBe(200)
  expect(meta.number.state.profile).toMatchObject(profile)
  const wrong = { ...profile, about: 'a'.repeat(140), email: 'oi', websites: ['emporio.test'] }
  const { status, body } = await ask(providerNumbers.saveProfile, wrong)
  expect([status, Object.keys(body['details'] as object).sort()]).toEqual([400, ['about', 'email', 'websites.0']])
  const refused = await ask(providerNumbers.saveProfile, { ...profile, vertical: 'PADARIA' })
  expect(refused).toMatchObject({ status: 422, body: { details: { reason: META_ERRORS[100]!.text } } })
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'foto.png')
  const answer = await fetch(`${product().address}/api/provider-numbers/${us.id}/picture`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${admin}` }, body: form },
  })
  expect([answer.status, await answer.text()]).toEqual([200, '{"message":"ok"}'])
  expect((await ask(providerNumbers.profile)).body).toMatchObject({ picture: `data:image/png;base64,${PNG}` })
})

test('a number is shown to be theirs by a code, and registered by a PIN; what is wrong is said in words', async () => {
  Object.assign(meta.number.state, { code_verification_status: 'NOT_VERIFIED', status: 'PENDING' })
  expect(await ask(providerNumbers.register, { pin: '123456' })).toMatchObject({
    body: { details: { reason: META_ERRORS[133_006]!.text } },
  })
  expect((await ask(providerNumbers.register, { pin: '12345' })).status).toBe(400)
  expect((await ask(providerNumbers.requestCode, { by: 'voice' })).status).toBe(200)
  expect(meta.number.state.sent).toEqual({ code: '482913', by: 'VOICE' })
  expect(await ask(providerNumbers.verify, { code: '000000' })).toMatchObject({
    ...{ status: 422, body: { details: { reason: expect.stringContaining('O código não confere') } } },
  })
  expect((await ask(providerNumbers.verify, { code: '482913' })).status).toBe(200)
  expect((await ask(providerNumbers.register, { pin: '123456' })).status).toBe(200)
  expect((await number()).state).toMatchObject({ isVerified: true, status: 'CONNECTED' })
  expect(await ask(providerNumbers.register, { pin: '654321' })).toMatchObject({
    body: { details: { reason: META_ERRORS[133_005]!.text } },
  })
})

test('the events of an account are brought here once the address has answered, and given back to the app’s', async () => {
  expect((await ask(providerNumbers.setCallback, { isHere: true })).body).toMatchObject({ error: 'ERR_NO_CALLBACK' })
  product().platform.env.PUBLIC_URL = product().address
  expect((await ask(providerNumbers.setCallback, { isHere: true })).status).toBe(200)
  expect(meta.number.state.override).toBe(meta.state.callback)
  expect((await ask(providerNumbers.setCallback, { isHere: false })).status).toBe(200)
  expect(meta.number.state.override).toBeNull()
})

test('whoever fills in an account of somebody else’s is told nothing of it', async () => {
  const { phoneId: tokenAPI, wabaId, token: bmToken } = meta.app
  const fillIn = (account: string) =>
    call(product(), connections.update, admin, {
      ...{ params: { id: us.id }, body: { config: { tokenAPI, wabaId: account, bmToken } } },
    })
  const businesses = () =>
    product().platform.db.asPlatform((db) => db.selectFrom('number_states').select('business').execute())
  const before = await businesses()
  expect((await fillIn('4242')).status).toBe(200)
  expect((await ask(providerNumbers.read)).body).toMatchObject({ error: 'ERR_NUMBER_PROVIDER' })
  expect(await businesses()).toEqual(before)
  await fillIn(wabaId)
  expect((await ask(providerNumbers.read)).status).toBe(200)
})

test('an account that was named instead hears nothing of the one before, and is read at once', async () => {
  const { phoneId: tokenAPI, wabaId, token: bmToken } = meta.app
  const fillIn = (account: string) =>
    call(product(), connections.update, admin, {
      ...{ params: { id: us.id }, body: { config: { tokenAPI, wabaId: account, bmToken } } },
    })
  await fillIn('4242')
  const before = await changes()
  await meta.tellAccount('account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } })
  expect(await changes()).toEqual(before)
  const { readAt } = (await number()).state!
  await fillIn(wabaId)
  await until(async () => (await number()).state!.readAt > readAt)
  await meta.tellAccount('account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } })
  await until(async () => (await changes())[0]!.after === 'SPAM')
})

test('a payment that is missing is told of as well where a message is refused at once', async () => {
  const { tenantId } = us
  await product().platform.db.write(tenantId, (db) =>
    db.deleteFrom('number_changes').where('what', '=', 'payment').execute(),
  )
  const bia = { number: '5511977776666', name: 'Bia' }
  await meta.write(bia, { type: 'text', text: { body: 'Oi' } })
  const ticketId = await us.accept(bia.number)
  for (const text of ['um', 'dois']) {
    meta.state.refusals.push({ code: 131_042 })
    const { body } = await us.reply(ticketId, text)
    await until(async () => (await us.messageOf(body.messages[0]!.id)).status === 'failed')
  }
  expect((await changes()).filter(({ what }) => what === 'payment')).toHaveLength(1)
})

test('a number that nobody has read for a day is read; a token that is worth nothing then stops the connection, once', async () => {
  const { platform } = product()
  const age = () =>
    platform.db.write(us.tenantId, (db) =>
      db
        .updateTable('number_states')
        .set({ read_at: new Date(told() - 86_400_001) })
        .execute(),
    )
  await readOld(platform)
  const { readAt } = (await number()).state!
  await age()
  Object.assign(meta.number.state, { quality_rating: 'YELLOW' })
  await readOld(platform)
  await until(async () => (await number()).state!.quality === 'YELLOW')
  expect((await number()).state!.readAt).toBeGreaterThan(readAt)
  await age()
  meta.state.isTokenValid = false
  await readOld(platform)
  await until(async () => !(await number()).isConnected)
  expect((await us.read()).cause).toBe('token')
  meta.state.isTokenValid = true
})

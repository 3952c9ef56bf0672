import { beforeEach, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { entry } from '#features/auth/entry.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { make, PASSWORD } from '#test/make.ts'
import { authenticator, type Options, type Twist } from '#test/peers/authenticator.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { passkeys } from './contract.ts'

let clock = Date.parse('2026-11-20T12:00:00Z')
const product = withProduct({ now: () => new Date(clock) })
const m = () => make(product().platform)
const origin = () => product().address

type Person = { id: number; tenantId: number; email: string }
let ana: Person
let token: string
let device: ReturnType<typeof authenticator>

const optionsFor = async (as = token) =>
  (await call(product(), passkeys.options, as, { body: { password: PASSWORD } })).body as Options
const keep = async (response: object, as = token, name = 'Celular') =>
  call(product(), passkeys.register, as, { body: { name, response: response as never } })
const loginOptions = async () => (await call(product(), entry.passkeyOptions, null)).body as Options
const enter = (response: object, headers = {}) =>
  call(product(), entry.passkey, null, { body: { response: response as never }, headers })
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error

beforeEach(async () => {
  clock += 3_600_000
  ana = await m().user(await m().tenant())
  token = await m().token(ana)
  device = authenticator(origin())
  expect((await keep(device.create(await optionsFor()))).status).toBe(200)
})

describe('a passkey', () => {
  it('opens a session by itself, also where a second factor is required', async () => {
    await make(product().platform).setting(ana.tenantId, 'requireSecondFactor')
    const done = await enter(device.get(await loginOptions()))
    expect(done.body).toMatchObject({ userId: ana.id, tenantId: ana.tenantId })
    expect(done.headers.getSetCookie()[0]).toMatch(/^guiche_refresh=/)
    // The password alone does not, and cannot set up what would.
    const body = { email: ana.email, password: PASSWORD }
    expect((await call(product(), auth.login, null, { body })).body).toMatchObject({ methods: ['passkey'] })
    const { passkeys: own } = (await call(product(), passkeys.list, token)).body
    expect(own).toMatchObject([{ name: 'Celular', lastUsedAt: new Date(clock).toISOString() }])
  })

  it('answers each challenge once, within five minutes, and only ours', async () => {
    // Synchronised passkeys do not count their uses, so only the challenge identifies a repeated answer.
    const synced = authenticator(origin())
    const still = { counter: 0 }
    expect((await keep(synced.create(await optionsFor(), still))).status).toBe(200)
    const response = synced.get(await loginOptions(), still)
    const both = await Promise.all([enter(response), enter(response)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await enter(synced.get(await loginOptions(), still))).status).toBe(200)
    const late = await loginOptions()
    clock += 5 * 60_000
    expect(errorOf(await enter(device.get(late)))).toBe('ERR_PASSKEY_INVALID')
    const chosen = { ...(await loginOptions()), challenge: Buffer.from('escolhido').toString('base64url') }
    expect(errorOf(await enter(device.get(chosen)))).toBe('ERR_PASSKEY_INVALID')
    // A challenge for making a passkey opens no session, and the other way round.
    const making = { ...(await loginOptions()), challenge: (await optionsFor()).challenge }
    expect(errorOf(await enter(device.get(making)))).toBe('ERR_PASSKEY_INVALID')
    const logging = { ...(await optionsFor()), challenge: (await loginOptions()).challenge }
    expect(errorOf(await keep(authenticator(origin()).create(logging)))).toBe('ERR_PASSKEY_INVALID')
  })

  it.each<[string, Twist]>([
    ['another page’s origin', { origin: 'https://guiche.example' }],
    ['another host', { rpId: 'guiche.example' }],
    ['a device that did not ask who is there', { isUnverified: true }],
    ['a counter that went back, as a copy’s does', { counter: 1 }],
    ['nobody’s handle', { userHandle: '' }],
    ['a handle that is no handle', { userHandle: Buffer.from("1' or 1=1:1").toString('base64url') }],
  ])('is refused with %s', async (_, twist) => {
    expect((await enter(device.get(await loginOptions()))).status).toBe(200)
    expect(errorOf(await enter(device.get(await loginOptions(), twist)))).toBe('ERR_PASSKEY_INVALID')
  })

  it('opens no other account, whatever handle comes with it, and none that is gone', async () => {
    const bea = await m().user(ana.tenantId)
    const far = await m().user(await m().tenant())
    for (const other of [bea, far]) {
      const userHandle = Buffer.from(`${other.tenantId}:${other.id}`).toString('base64url')
      expect(errorOf(await enter(device.get(await loginOptions(), { userHandle })))).toBe('ERR_PASSKEY_INVALID')
    }
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ is_active: false }).where('id', '=', ana.id).execute(),
    )
    const gone = await enter(device.get(await loginOptions()))
    expect([gone.status, gone.headers.getSetCookie()]).toEqual([401, []])
  })

  it('cannot be made for a challenge of somebody else, twice, or without the password', async () => {
    const other = await m().token(await m().user(ana.tenantId))
    const options = await optionsFor()
    expect(errorOf(await keep(authenticator(origin()).create(options), other))).toBe('ERR_PASSKEY_INVALID')
    const one = authenticator(origin()).create(options)
    expect((await keep(one)).status).toBe(200)
    expect(errorOf(await keep(one))).toBe('ERR_PASSKEY_INVALID')
    expect(errorOf(await keep(device.create(await optionsFor())))).toBe('ERR_PASSKEY_EXISTS')
    const wrong = await call(product(), passkeys.options, token, { body: { password: 'errada' } })
    expect([wrong.status, errorOf(wrong)]).toEqual([400, 'ERR_VALIDATION'])
    const foreign = authenticator('https://guiche.example').create(await optionsFor())
    expect(errorOf(await keep(foreign))).toBe('ERR_PASSKEY_INVALID')
  })

  it('is renamed and removed by its owner only', async () => {
    const { passkeys: own } = (await call(product(), passkeys.list, token)).body
    const params = { id: own[0]!.id }
    const other = await m().token(await m().user(ana.tenantId))
    const body = { name: 'Notebook' }
    expect((await call(product(), passkeys.rename, other, { params, body })).status).toBe(404)
    expect((await call(product(), passkeys.remove, other, { params })).status).toBe(404)
    expect((await call(product(), passkeys.rename, token, { params, body })).body).toMatchObject(body)
    expect((await call(product(), passkeys.remove, token, { params })).status).toBe(200)
    expect(errorOf(await enter(device.get(await loginOptions())))).toBe('ERR_PASSKEY_INVALID')
  })

  it('goes by the public address, and by a company’s own domain only when that is verified', async () => {
    const env = { PUBLIC_URL: 'https://atende.example' }
    const named = await startProduct({ env, now: () => new Date(clock) }, product().ownerUrl)
    const rpIdAt = async (host: string) => {
      const reply = await named.app.http.inject({
        method: 'POST',
        url: '/api/auth/passkey/options',
        headers: { host },
      })
      return reply.json().rpId
    }
    try {
      expect(await rpIdAt('atende.example')).toBe('atende.example')
      expect(await rpIdAt('pesca.example')).toBe('atende.example')
      await product().platform.db.asPlatform((db) =>
        addToDirectory(db, { kind: 'domain', key: 'loja.example', tenantId: ana.tenantId, subjectId: 'x' }),
      )
      expect(await rpIdAt('loja.example')).toBe('loja.example')
    } finally {
      await named.close()
    }
  })
})

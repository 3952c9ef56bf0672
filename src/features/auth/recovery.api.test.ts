import { performance } from 'node:perf_hooks'
import CryptoJS from 'crypto-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#features/users/contract.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make, PASSWORD } from '#test/make.ts'
import { type SmtpPeer, startSmtp } from '#test/peers/smtp.ts'
import { whenQuiet } from '#test/round-trips.ts'
import { call, ownProduct, type Product, startProduct, testSecrets } from '#test/server.ts'
import { auth } from './contract.ts'
import { recovery } from './recovery.ts'

let ahead = 0
const product = ownProduct('has a public address', {
  env: { OUTBOUND_ALLOW: ['127.0.0.1'], PUBLIC_URL: 'https://guiche.loja.test/' },
  now: () => new Date(Date.now() + ahead),
})
let peer: SmtpPeer
let tenantId: number
const NEW = 'Nova!senha7'

const ask = (email: string, of: Product = product(), headers = {}) =>
  call(of, recovery.request, null, { body: { email }, headers })
const reset = (token: string, password = NEW) => call(product(), recovery.reset, null, { body: { token, password } })
const login = (email: string, password: string) => call(product(), auth.login, null, { body: { email, password } })
const made = () => make(product().platform)
const linkTo = async (email: string): Promise<string> => {
  const { read } = await peer.nextTo(email)
  return read.text!.match(/https:\/\/guiche\.loja\.test\/reset\/([\w-]{43})\b/)![1]!
}
const configure = async (port: number) => {
  const mail = {
    smtp: 'enabled',
    emailHost: '127.0.0.1',
    emailPort: port,
    emailSecure: 'none',
    emailUser: '',
    emailName: 'Guichê',
    emailFrom: 'sistema@guiche.test',
    sealed: null,
  }
  await product().platform.db.asPlatform((db) => changeInstallation(db, 'mail', mail))
  product().platform.bus.stale('installation all')
}

beforeAll(async () => {
  peer = await startSmtp()
  tenantId = await made().tenant()
})
afterAll(() => peer.close())

it('says so, to everybody alike, while the installation cannot send mails', async () => {
  const user = await made().user(tenantId)
  const [known, unknown] = [await ask(user.email), await ask('ninguem@loja.test')]
  for (const reply of [known, unknown])
    expect([reply.status, reply.body]).toMatchObject([422, { error: 'ERR_MAIL_NOT_CONFIGURED' }])
})

describe('a link for a new password', () => {
  beforeAll(() => configure(peer.port))

  it('arrives by mail, sets the password once, and ends every session', async () => {
    const user = await made().user(tenantId, { name: 'Ana\r\nBcc: espia@fora.test' })
    const entered = await login(user.email, PASSWORD)
    const { token } = entered.body as { token: string }
    expect([(await ask(user.email.toUpperCase())).body]).toEqual([
      { message: 'E-mail de recuperação de senha enviado.' },
    ])
    const key = await linkTo(user.email)
    const wire = CryptoJS.AES.encrypt(NEW, testSecrets.publicPassphrase).toString()
    const replies = await Promise.all([reset(key, wire), reset(key, wire), reset(key, wire)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(replies.find(({ status }) => status === 200)!.body).toEqual({ message: 'Senha redefinida com sucesso!' })
    expect(replies.find(({ status }) => status === 400)!.body).toMatchObject({ error: 'ERR_CODE_INVALID' })
    expect((await call(product(), users.get, token, { params: { id: user.id } })).status).toBe(401)
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await call(product(), auth.refresh, null, { headers: { cookie } })).status).toBe(401)
    expect((await login(user.email, PASSWORD)).status).toBe(401)
    expect((await login(user.email, NEW)).status).toBe(200)
    const { n } = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('users').select('token_version as n').where('id', '=', user.id).executeTakeFirstOrThrow(),
    )
    expect(n).toBe(2)
    const recorded = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('audit_log').select('action').where('user_id', '=', user.id).orderBy('seq').execute(),
    )
    expect(recorded.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['password.requested', 'password.changed']),
    )
  })

  it('is kept as a hash only, and wears no name of the asking request', async () => {
    const user = await made().user(tenantId)
    await ask(user.email, product(), { host: 'espia.test', 'x-forwarded-host': 'espia.test' })
    const key = await linkTo(user.email)
    const rows = await product().platform.db.asPlatform((db) =>
      db.selectFrom('directory').selectAll().where('kind', '=', 'reset').execute(),
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  it('is over after an hour, and when another was used; asking again ends none', async () => {
    const user = await made().user(tenantId)
    await ask(user.email)
    const first = await linkTo(user.email)
    await ask(user.email)
    const second = await linkTo(user.email)
    ahead = 3600_000
    for (const key of [first, second]) expect((await reset(key)).body).toMatchObject({ error: 'ERR_CODE_INVALID' })
    ahead = 0
    expect((await reset(first)).status).toBe(200)
    expect((await reset(second)).body).toMatchObject({ error: 'ERR_CODE_INVALID' })
  })

  it('is mailed five times an hour at most, and none of them is made worthless by asking', async () => {
    const user = await made().user(tenantId)
    const keys = []
    for (let n = 0; n < 5; n++) {
      await ask(user.email)
      keys.push(await linkTo(user.email))
    }
    const before = peer.mails.length
    await ask(user.email)
    const last = await made().user(tenantId)
    await ask(last.email)
    await peer.nextTo(last.email)
    expect(peer.mails).toHaveLength(before + 1)
    expect((await reset(keys[0]!)).status).toBe(200)
  })

  it('survives a password that is refused', async () => {
    const user = await made().user(tenantId)
    await ask(user.email)
    const key = await linkTo(user.email)
    expect((await reset(key, 'curta')).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { password: 'A senha precisa de ao menos 7 caracteres, um número e um caractere especial.' },
    })
    expect((await reset(key)).status).toBe(200)
  })

  it('is for nobody who left, is unknown, or whose company is inactive', async () => {
    const gone = await made().user(tenantId)
    const closed = await made().tenant()
    const outside = await made().user(closed)
    await product().platform.db.asPlatform(async (db) => {
      await db.updateTable('users').set({ is_active: false }).where('id', '=', gone.id).execute()
      await db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', closed).execute()
    })
    const before = peer.mails.length
    for (const email of [gone.email, outside.email, 'ninguem@loja.test']) expect((await ask(email)).status).toBe(200)
    const last = await made().user(tenantId)
    await ask(last.email)
    await peer.nextTo(last.email)
    expect(peer.mails).toHaveLength(before + 1)
  })

  it(
    'answers alike and in the same time, whether there is such an account or not',
    whenQuiet(async () => {
      const user = await made().user(tenantId)
      const times: Record<string, number[]> = { known: [], unknown: [] }
      for (let round = 0; round < 12; round++) {
        for (const [kind, email] of [
          ['known', user.email],
          ['unknown', `ninguem${round}@loja.test`],
        ] as const) {
          const started = performance.now()
          const reply = await ask(email)
          if (round > 1) times[kind]!.push(performance.now() - started)
          expect([reply.status, reply.body]).toEqual([200, { message: 'E-mail de recuperação de senha enviado.' }])
        }
      }
      const quickest = Object.values(times).map((values) => Math.min(...values))
      expect(Math.max(...quickest) / Math.min(...quickest)).toBeLessThan(2.5)
    }),
  )
})

it('asking and guessing are limited, by address, and nobody uses up another’s', async () => {
  const env = { OUTBOUND_ALLOW: ['127.0.0.1'], RATE_LIMITS: true, TRUST_PROXY: true }
  const limited = await startProduct({ env }, product().ownerUrl)
  try {
    const from = (ip: string) => ({ 'x-forwarded-for': ip })
    const asked = []
    for (let n = 0; n < 4; n++) asked.push((await ask('dona@loja.test', limited, from('203.0.113.1'))).status)
    expect(asked).toEqual([200, 200, 200, 429])
    expect((await ask('dona@loja.test', limited, from('203.0.113.2'))).status).toBe(200)
    const guessed = []
    for (let n = 0; n < 11; n++) {
      const body = {
        token: `palpite${n}`,
        password: CryptoJS.AES.encrypt(NEW, testSecrets.publicPassphrase).toString(),
      }
      guessed.push((await call(limited, recovery.reset, null, { body, headers: from('203.0.113.99') })).status)
    }
    expect(guessed).toEqual([...Array(10).fill(400), 429])
  } finally {
    await limited.close()
  }
})

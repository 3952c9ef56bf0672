import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { ownerSetupLink } from '#features/auth/server/index.ts'
import { users } from '#features/users/contract.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import { make, PASSWORD } from '#test/make.ts'
import { whenQuiet } from '#test/round-trips.ts'
import { call, ownProduct, type Product, startProduct } from '#test/server.ts'

const product = ownProduct('has no owner yet')
const made = () => make(product().platform)
let tenantId: number

const login = (name: string, password = PASSWORD, headers: Record<string, string> = {}, of: Product = product()) =>
  call(of, auth.login, null, { body: { email: name, password }, headers })
const cookieOf = (reply: { headers: Headers }): string => reply.headers.getSetCookie()[0]!.split(';')[0]!
const tokenOf = (reply: { body: unknown }): string => (reply.body as { token: string }).token
const refresh = (cookie: string) => call(product(), auth.refresh, null, { headers: { cookie } })

it('the owner’s code makes one owner, however many hands hold it at once', async () => {
  const link = new URL((await ownerSetupLink(product().platform, product().address))!)
  const code = link.searchParams.get('tokenSetup')!
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      call(product(), auth.setup, null, {
        body: { code, name: `Dona ${n}`, email: `dona${n}@loja.test`, password: 'Uma!senha1' },
      }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const { n } = await product().platform.db.asPlatform((db) =>
    db
      .selectFrom('tenants')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  )
  expect(n).toBe(1)
})

describe('login', () => {
  const kinds: Record<string, string> = {}
  beforeAll(async () => {
    tenantId = await made().tenant()
    kinds['known'] = (await made().user(tenantId)).email
    const gone = await made().user(tenantId)
    const invited = await made().user(tenantId)
    await product().platform.db.asPlatform(async (db) => {
      await db.updateTable('users').set({ is_active: false }).where('id', '=', gone.id).execute()
      await db.updateTable('users').set({ password_hash: null }).where('id', '=', invited.id).execute()
    })
    kinds['gone'] = gone.email
    kinds['invited'] = invited.email
    kinds['unknown'] = 'ninguem@loja.test'
  })

  it(
    'answers alike and in the same time, whether there is such an account or not',
    whenQuiet(async () => {
      const times: Record<string, number[]> = {}
      for (let round = 0; round < 14; round++) {
        for (const [kind, email] of Object.entries(kinds)) {
          const started = performance.now()
          const reply = await login(email, 'errada')
          if (round > 1) times[kind] = [...(times[kind] ?? []), performance.now() - started]
          const { requestId: _, ...answer } = reply.body as Record<string, unknown>
          expect([reply.status, answer, reply.headers.getSetCookie()]).toEqual([
            401,
            { error: 'ERR_INVALID_CREDENTIALS', message: 'Usuário ou senha não conferem. Tente de novo.' },
            [],
          ])
        }
      }
      // The quickest of each kind: a busy machine slows answers down, never up, and may be asked again. Without
      // a hash an answer takes a tenth of the time, however often one asks.
      const quickest = Object.values(times).map((values) => Math.min(...values))
      expect(Math.max(...quickest) / Math.min(...quickest)).toBeLessThan(2.5)
    }),
  )

  it('asks the database equally often for both', async () => {
    const { db } = product().platform
    const { read, write, asPlatform } = db
    // Whatever else the process asks in between is counted, too: the fewest are its own.
    const fewest = async (email: string) => {
      const times = []
      for (let n = 0; n < 5; n++) times.push(await doors(email))
      return Math.min(...times)
    }
    const doors = async (email: string): Promise<number> => {
      let n = 0
      db.read = (...given) => {
        n++
        return read(...given)
      }
      db.write = (...given) => {
        n++
        return write(...given)
      }
      db.asPlatform = (work) => {
        n++
        return asPlatform(work)
      }
      await login(email, 'errada')
      Object.assign(db, { read, write, asPlatform })
      return n
    }
    expect(await fewest(kinds['known']!)).toBe(await fewest(kinds['unknown']!))
  })

  it('that is refused is recorded where the account is, or by the installation; what was typed is kept nowhere', async () => {
    const typed = 'senha-digitada-no-lugar-do-nome'
    for (const name of [kinds['known']!, typed]) expect((await login(name, 'outra-senha-errada')).status).toBe(401)
    const { mine, theirs } = await product().platform.db.asPlatform(async (db) => ({
      mine: await db
        .selectFrom('audit_log')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .orderBy('seq', 'desc')
        .limit(1)
        .execute(),
      theirs: await db.selectFrom('platform_audit_log').selectAll().orderBy('seq', 'desc').limit(1).execute(),
    }))
    const result = { action: 'session.refused', result: 'ERR_INVALID_CREDENTIALS', ip: '127.0.0.1' }
    expect([mine[0], theirs[0]]).toMatchObject([result, { ...result, user_id: null }])
    expect(mine[0]!.user_id).toBeGreaterThan(0)
    expect(JSON.stringify([mine, theirs])).not.toMatch(/digitada|errada/)
  })

  it('takes a cookie from nobody: an old one is neither adopted nor renewed', async () => {
    const attacker = cookieOf(await login((await made().user(tenantId)).email))
    for (const planted of [attacker, 'guiche_refresh=escolhido', 'guiche_refresh=']) {
      const reply = await login(kinds['known']!, PASSWORD, { cookie: planted })
      expect(reply.status).toBe(200)
      expect(cookieOf(reply)).not.toBe(planted)
    }
    const renewed = await refresh(attacker)
    const claims = JSON.parse(Buffer.from(tokenOf(renewed).split('.')[1]!, 'base64url').toString())
    expect(claims.username).not.toBe(kinds['known'])
    expect((await refresh('guiche_refresh=escolhido')).status).toBe(401)
  })

  it('refuses names and passwords that are no text', async () => {
    for (const body of [
      { email: { $ne: null }, password: 'x' },
      { email: ['a', 'b'], password: 'x' },
      { email: kinds['known'], password: { $gt: '' } },
      { email: kinds['known'], password: true },
      { email: kinds['known'], password: PASSWORD, profile: 'superadmin' },
      { email: kinds['known'] },
      {},
      [],
    ])
      expect((await call(product(), auth.login, null, { body: body as never })).status).toBe(400)
    for (const name of ["' or 1=1 --", '*', '%', '\0', kinds['known']!.replace('@', '＠')])
      expect([400, 401]).toContain((await login(name)).status)
  })

  it('a plain password from afar is not even looked at', async () => {
    const far = await startProduct({ env: { TRUST_PROXY: true } }, product().ownerUrl)
    try {
      const headers = { 'x-forwarded-for': '203.0.113.5' }
      expect((await login(kinds['known']!, PASSWORD, headers, far)).status).toBe(401)
      const safe = { ...headers, 'x-forwarded-proto': 'https' }
      expect((await login(kinds['known']!, PASSWORD, safe, far)).status).toBe(200)
    } finally {
      await far.close()
    }
  })
})

describe('a session', () => {
  it('ends when its user is gone', async () => {
    const user = await made().user(tenantId)
    const entered = await login(user.email)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute(),
    )
    product().platform.actors.delete(`${tenantId}:${user.id}`)
    expect((await call(product(), users.get, tokenOf(entered), { params: { id: user.id } })).status).toBe(401)
    expect((await refresh(cookieOf(entered))).status).toBe(401)
  })

  it('ends on every device when a one-time code sets another password; the code works once', async () => {
    const user = await made().user(tenantId)
    const stolen = await login(user.email)
    await product().platform.db.asPlatform((db) =>
      addToDirectory(db, { kind: 'invite', key: 'codigo-de-uma-vez', tenantId, subjectId: String(user.id) }),
    )
    const body = { code: 'codigo-de-uma-vez', password: 'Outra!senha2' }
    const replies = await Promise.all([1, 2, 3].map(() => call(product(), auth.setup, null, { body })))
    const [winner] = replies.filter(({ status }) => status === 200)
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await refresh(cookieOf(stolen))).status).toBe(401)
    expect((await call(product(), users.get, tokenOf(stolen), { params: { id: user.id } })).status).toBe(401)
    expect((await call(product(), users.get, tokenOf(winner!), { params: { id: user.id } })).status).toBe(200)
    expect((await login(user.email)).status).toBe(401)
    expect((await login(user.email, 'Outra!senha2')).status).toBe(200)
  })

  it('that is renewed out of turn is taken for stolen and ended', async () => {
    const user = await made().user(tenantId)
    const first = cookieOf(await login(user.email))
    const second = cookieOf(await refresh(first))
    const third = await refresh(second)
    expect((await refresh(first)).status).toBe(401)
    expect((await refresh(cookieOf(third))).status).toBe(401)
    expect((await call(product(), users.get, tokenOf(third), { params: { id: user.id } })).status).toBe(401)
    const { rows } = await product().platform.db.asPlatform((db) =>
      sql`select action from audit_log where tenant_id = ${tenantId} and user_id = ${user.id} order by seq`.execute(db),
    )
    expect(rows).toEqual([{ action: 'session.opened' }, { action: 'session.reuse' }])
  })
})

it('six hundred requests a minute are enough for anybody, and the answer says how long to wait', async () => {
  const limited = await startProduct({ env: { RATE_LIMITS: true } }, product().ownerUrl)
  try {
    const user = await made().user(tenantId)
    const token = await made().token(user)
    const other = await made().token(await made().user(tenantId))
    const ask = (who: string) => call(limited, users.get, who, { params: { id: user.id } })
    const replies = []
    for (let n = 0; n < 31; n++) replies.push(...(await Promise.all(Array.from({ length: 20 }, () => ask(token)))))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    expect(refused[0]!.body).toMatchObject({ error: 'ERR_RATE_LIMIT' })
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(other)).status).toBe(200)
  } finally {
    await limited.close()
  }
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['sem endereço', 'sem endereço'],
])('attempts from %s are counted together with those of %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

import { io, type Socket } from 'socket.io-client'
import { afterEach, describe, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { auth } from '#features/auth/contract.ts'
import { openSession } from '#features/auth/server/sessions.ts'
import { users } from '#features/users/contract.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { devices } from './contract.ts'

// A Friday, 09:00 in São Paulo.
const morning = Date.parse('2026-11-20T12:00:00Z')
let clock = morning
const product = withProduct({ now: () => new Date(clock) })
const sockets: Socket[] = []
afterEach(() => {
  clock = morning
  for (const socket of sockets.splice(0)) socket.disconnect()
})

type Person = Awaited<ReturnType<ReturnType<typeof make>['user']>>
type Entered = { token: string; cookie: string; status: number; body: { error?: string } }

const m = () => make(product().platform)
const somebody = async () => m().user(await m().tenant())

async function enter(person: Person, userAgent = 'curl/8', cookie = ''): Promise<Entered> {
  const headers = { 'user-agent': userAgent, ...(cookie ? { cookie } : {}) }
  const reply = await call(product(), auth.login, null, { body: { email: person.email, password: PASSWORD }, headers })
  const body = reply.body as { token: string; error?: string }
  return { token: body.token, cookie: reply.headers.getSetCookie()[0]?.split(';')[0] ?? '', status: reply.status, body }
}

const refresh = (cookie: string) => call(product(), auth.refresh, null, { headers: { cookie } })
const works = async (token: string, { id }: Person) =>
  (await call(product(), users.get, token, { params: { id } })).status === 200

/** Opens a socket with a token; returns its events, and when the server closed it. */
async function line(token: string) {
  const socket = io(product().address, { transports: ['websocket'], auth: { token }, reconnection: false })
  sockets.push(socket)
  const heard: [string, unknown][] = []
  let closed: string | null = null
  socket.onAny((name: string, payload: unknown) => heard.push([name, payload]))
  socket.on('disconnect', (reason) => {
    closed = reason
  })
  await until(async () => socket.connected)
  return { id: socket.id, heard, closed: () => closed }
}

const list = async (token: string) => (await call(product(), devices.list, token)).body

describe('one’s devices', () => {
  it('are named in plain words, the last used first, one’s own marked, nobody else’s among them', async () => {
    const ana = await somebody()
    const bia = await m().user(ana.tenantId)
    await enter(bia)
    const desk = await enter(ana, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36')
    clock += 60_000
    await enter(ana, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1')
    expect((await list(desk.token)).sessions).toMatchObject([
      { name: 'Safari no iPhone', ip: '127.0.0.1', isCurrent: false, method: 'password' },
      { name: 'Chrome no Windows', ip: '127.0.0.1', isCurrent: true, method: 'password' },
    ])
  })

  it('come page by page, each once', async () => {
    const ana = await somebody()
    for (let n = 0; n < 24; n++) await m().token(ana)
    const { token } = await enter(ana)
    const first = await list(token)
    const query = { cursor: first.nextCursor as string }
    const second = (await call(product(), devices.list, token, { query })).body
    expect([first.sessions.length, first.hasMore, second.sessions.length, second.hasMore]).toEqual([20, true, 5, false])
    expect(new Set([...first.sessions, ...second.sessions].map(({ id }) => id)).size).toBe(25)
  })

  it('are put out one by one: token, cookie and line end, and the line is told why', async () => {
    const ana = await somebody()
    const desk = await enter(ana)
    const phone = await enter(ana)
    const ringing = await line(phone.token)
    const own = await line(desk.token)
    const { id } = (await list(desk.token)).sessions.find(({ isCurrent }) => !isCurrent)!
    expect((await call(product(), devices.revoke, desk.token, { params: { id } })).body).toEqual({ ended: 1 })
    await until(async () => ringing.closed() !== null)
    expect([ringing.closed(), ringing.heard]).toEqual([
      'io server disconnect',
      [[`sessionInvalidated:${ringing.id}`, { message: 'Sessão inválida. Faça login novamente.' }]],
    ])
    expect([await works(phone.token, ana), (await refresh(phone.cookie)).status]).toEqual([false, 401])
    expect([await works(desk.token, ana), own.closed()]).toEqual([true, null])
    const again = await call(product(), devices.revoke, desk.token, { params: { id } })
    expect([again.status, again.body]).toMatchObject([404, { error: 'ERR_NO_SESSION_FOUND' }])
  })

  it('of a colleague are out of reach', async () => {
    const ana = await somebody()
    const bia = await m().user(ana.tenantId, { profile: 'admin' })
    const hers = await enter(ana)
    const { id } = (await list(hers.token)).sessions[0]!
    const { token } = await enter(bia)
    expect((await call(product(), devices.revoke, token, { params: { id } })).status).toBe(404)
    expect(await works(hers.token, ana)).toBe(true)
  })

  it('are all put out but this one, or this one too; who has none left is offline', async () => {
    const ana = await somebody()
    const [desk, phone, tablet] = [await enter(ana), await enter(ana), await enter(ana)]
    expect((await call(product(), devices.revokeOthers, desk.token)).body).toEqual({ ended: 2 })
    expect(await Promise.all([desk, phone, tablet].map(({ token }) => works(token, ana)))).toEqual([true, false, false])
    const isOnline = () =>
      product().platform.db.read(ana.tenantId, async (db) => {
        const row = await db.selectFrom('users').select('is_online').where('id', '=', ana.id).executeTakeFirstOrThrow()
        return row.is_online
      })
    expect(await isOnline()).toBe(true)
    expect((await call(product(), devices.revokeAll, desk.token)).body).toEqual({ ended: 1 })
    expect([await works(desk.token, ana), (await refresh(desk.cookie)).status, await isOnline()]).toEqual([
      false,
      401,
      false,
    ])
  })
})

describe('a browser', () => {
  it('has one session: who enters again leaves the one before, and its line is not accused', async () => {
    const ana = await somebody()
    const before = await enter(ana)
    const open = await line(before.token)
    const now = await enter(ana, 'curl/8', before.cookie)
    await until(async () => open.closed() !== null)
    expect(open.heard).toEqual([])
    expect([await works(before.token, ana), await works(now.token, ana)]).toEqual([false, true])
    expect((await list(now.token)).sessions).toHaveLength(1)
  })

  it('is left at logout without putting the person’s other devices offline', async () => {
    const ana = await somebody()
    const [desk, phone] = [await enter(ana), await enter(ana)]
    const open = await line(desk.token)
    await call(product(), auth.logout, null, { body: {}, headers: { cookie: desk.cookie } })
    await until(async () => open.closed() !== null)
    expect(open.heard).toEqual([])
    expect((await call(product(), users.get, phone.token, { params: { id: ana.id } })).body).toMatchObject({
      isOnline: true,
    })
  })
})

describe('where one device at a time is the rule', () => {
  it('a new login takes the place of the others and tells them; support does not', async () => {
    const ana = await somebody()
    await make(product().platform).setting(ana.tenantId, 'forceLogout')
    const desk = await enter(ana)
    const open = await line(desk.token)
    const request = { ip: '127.0.0.1', userAgent: 'curl/8', cookies: {}, setCookie: () => {} }
    const { platform } = product()
    await openSession(platform, request as never, ana.tenantId, ana.id, { method: 'masterkey' })
    expect([open.closed(), await works(desk.token, ana)]).toEqual([null, true])

    const bia = await enter(await m().user(ana.tenantId))
    const phone = await enter(ana)
    await until(async () => open.closed() !== null)
    expect(open.heard.filter(([name]) => name.endsWith('forceLogout'))).toEqual([
      [`${ana.tenantId}:forceLogout`, { userId: ana.id, message: 'Nova sessão iniciada em outro dispositivo' }],
    ])
    expect([await works(desk.token, ana), await works(phone.token, ana)]).toEqual([false, true])
    expect(bia.status).toBe(200)
  })
})

describe('a session with an end of its own', () => {
  it('is over then, however often it is renewed', async () => {
    const ana = await somebody()
    let cookie = ''
    const setCookie = (name: string, value: string) => {
      cookie = `${name}=${value}`
    }
    const request = { ip: '127.0.0.1', userAgent: 'curl/8', cookies: {}, setCookie }
    const endsAt = new Date(clock + 20 * 60_000)
    const options = { method: 'masterkey', endsAt } as const
    const { token } = await openSession(product().platform, request as never, ana.tenantId, ana.id, options)
    expect((await list(token)).sessions).toMatchObject([{ method: 'masterkey' }])
    clock += 14 * 60_000
    const renewed = await refresh(cookie)
    const next = renewed.body.token
    expect(await works(next, ana)).toBe(true)
    clock += 6 * 60_000 + 1000
    expect([await works(next, ana), (await refresh(renewed.headers.getSetCookie()[0]!.split(';')[0]!)).status]).toEqual(
      [false, 401],
    )
  })
})

describe('outside the person’s own hours', () => {
  const night = Date.parse('2026-11-21T00:30:00Z') // still Friday there, 21:30
  const hours = (person: Person, week: unknown) =>
    product().platform.db.write(person.tenantId, (db) =>
      db
        .updateTable('users')
        .set({ business_hours: week === null ? null : JSON.stringify(week) })
        .where('id', '=', person.id)
        .execute(),
    )

  it('a login answers OUT_RANGE, by the company’s clock and only where the company says so', async () => {
    const ana = await somebody()
    const bia = await m().user(ana.tenantId)
    await hours(ana, USUAL_WEEK)
    clock = night
    expect((await enter(ana)).status).toBe(200)
    await make(product().platform).setting(ana.tenantId, 'useUserBusinessHours')
    const refused = await enter(ana)
    expect([refused.status, refused.body]).toMatchObject([403, { error: 'OUT_RANGE' }])
    expect((await enter(bia)).status).toBe(200)
    clock = morning
    expect((await enter(ana)).status).toBe(200)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ timezone: 'America/Rio_Branco' }).where('id', '=', ana.tenantId).execute(),
    )
    product().platform.bus.stale(`settings ${ana.tenantId}`)
    expect((await enter(ana)).status).toBe(403) // 07:00 in Rio Branco
  })

  it('a session is not renewed, and goes on when they begin again', async () => {
    const ana = await somebody()
    await hours(ana, USUAL_WEEK)
    await make(product().platform).setting(ana.tenantId, 'useUserBusinessHours')
    const { cookie } = await enter(ana)
    clock = night
    const refused = await refresh(cookie)
    expect([refused.status, refused.body]).toMatchObject([403, { error: 'OUT_RANGE' }])
    clock = Date.parse('2026-11-23T12:00:00Z')
    expect((await refresh(cookie)).status).toBe(200)
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Call = { url: string; init: RequestInit }
let calls: Call[] = []
let answers: (call: Call) => Response | Promise<Response>
const replaced: string[] = []

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const bearer = ({ init }: Call) => new Headers(init.headers).get('authorization')
const idempotency = ({ init }: Call) => new Headers(init.headers).get('idempotency-key')

const storage = () => {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
    keys: () => [...values.keys()],
  }
}

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  calls = []
  replaced.length = 0
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('location', { pathname: '/contatos', search: '?busca=ana', replace: (to: string) => replaced.push(to) })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    return answers({ url, init })
  })
  for (const key of ['token', 'username', 'profile', 'userId', 'dashboardChartPanels', 'queues'])
    localStorage.setItem(key, 'old')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const isRefresh = ({ url }: Call) => url === '/api/auth/refresh_token'

test('calls that fail with 401 wait for one refresh and are repeated with the new token', async () => {
  const { request } = await import('./api.ts')
  answers = (call) => {
    if (isRefresh(call)) return json(200, { token: 'new' })
    return bearer(call) === 'Bearer new' ? json(200, { ok: call.url }) : json(401, { error: 'ERR_SESSION_EXPIRED' })
  }
  const both = await Promise.all([request('GET', '/tickets'), request('POST', '/tickets', { body: { contactId: 1 } })])
  expect(both).toEqual([{ ok: '/api/tickets' }, { ok: '/api/tickets' }])
  expect(calls.filter(isRefresh)).toHaveLength(1)
  const posts = calls.filter(({ init }) => init.method === 'POST').filter((call) => !isRefresh(call))
  expect(posts).toHaveLength(2)
  expect(idempotency(posts[0] as Call)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect(idempotency(posts[1] as Call)).toBe(idempotency(posts[0] as Call))
})

test('a refused refresh clears exactly the five keys and opens the login page 200 ms later', async () => {
  const { request } = await import('./api.ts')
  answers = () => json(401, { error: 'ERR_SESSION_EXPIRED' })
  await expect(request('GET', '/tickets')).rejects.toMatchObject({ code: 'ERR_SESSION_EXPIRED', status: 401 })
  expect((localStorage as unknown as ReturnType<typeof storage>).keys()).toEqual(['queues'])
  expect(replaced).toEqual([])
  vi.advanceTimersByTime(200)
  expect(replaced).toEqual(['/login'])
  const { takeArrival } = await import('./session/session.ts')
  expect(takeArrival()).toEqual({ flash: { title: 'Sua sessão expirou. Entre de novo.' }, next: '/contatos?busca=ana' })
})

test('a token that another tab has renewed meanwhile is not renewed again; an ended session is not revived', async () => {
  const { refreshSession } = await import('./session/refresh.ts')
  answers = () => json(200, { token: 'never' })
  expect(await refreshSession('older')).toBe(true)
  localStorage.removeItem('token')
  expect(await refreshSession('older')).toBe(false)
  expect([calls, localStorage.getItem('token')]).toEqual([[], null])
})

test('a refresh that cannot be reached ends nothing', async () => {
  const { request } = await import('./api.ts')
  answers = (call) =>
    isRefresh(call) ? Promise.reject(new TypeError('offline')) : json(401, { error: 'ERR_SESSION_EXPIRED' })
  await expect(request('GET', '/tickets')).rejects.toMatchObject({ status: 401 })
  vi.advanceTimersByTime(1000)
  expect(localStorage.getItem('token')).toBe('old')
  expect(replaced).toEqual([])
})

test('a refused permission refreshes at most once a minute', async () => {
  const { request } = await import('./api.ts')
  answers = (call) =>
    isRefresh(call) ? json(200, { token: `t${calls.length}` }) : json(403, { error: 'ERR_NO_PERMISSION' })
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(request('GET', '/users')).rejects.toMatchObject({ code: 'ERR_NO_PERMISSION' })
  }
  expect(calls.filter(isRefresh)).toHaveLength(1)
  vi.advanceTimersByTime(60_001)
  await expect(request('GET', '/users')).rejects.toMatchObject({ code: 'ERR_NO_PERMISSION' })
  expect(calls.filter(isRefresh)).toHaveLength(2)
})

test('a token that was renewed and is refused again ends the session', async () => {
  const { request } = await import('./api.ts')
  answers = (call) => (isRefresh(call) ? json(200, { token: 'new' }) : json(401, { error: 'ERR_SESSION_EXPIRED' }))
  await expect(request('GET', '/tickets')).rejects.toMatchObject({ status: 401 })
  expect(calls).toHaveLength(3)
  expect(localStorage.getItem('token')).toBeNull()
  vi.advanceTimersByTime(200)
  expect(replaced).toEqual(['/login'])
})

test('a refresh outside one’s own hours ends the session under its specified title', async () => {
  const { request } = await import('./api.ts')
  answers = (call) =>
    isRefresh(call) ? json(403, { error: 'OUT_RANGE' }) : json(401, { error: 'ERR_SESSION_EXPIRED' })
  await expect(request('GET', '/tickets')).rejects.toMatchObject({ status: 401 })
  vi.advanceTimersByTime(200)
  const { takeArrival } = await import('./session/session.ts')
  expect(takeArrival().flash).toEqual({
    title: 'Outside permitted opening hours',
    text: 'Fora do horário de atendimento.',
  })
})

test('an overdue plan (402) is told and ends nothing', async () => {
  const { request } = await import('./api.ts')
  const { shownToasts } = await import('./ui/feedback/notify.tsx')
  answers = () => json(402, { error: 'ERR_ASAAS_OVERDUE', message: 'Verifique a situação do plano.' })
  await expect(request('GET', '/tickets')).rejects.toMatchObject({ status: 402 })
  expect(shownToasts()).toMatchObject([{ tone: 'warn', title: 'Verifique a situação do plano.' }])
  vi.advanceTimersByTime(10_000)
  expect([calls.length, localStorage.getItem('token'), replaced]).toEqual([1, 'old', []])
})

test('an answer that takes more than 20000 ms is told as slow; an upload may take 300000 ms', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout')
  const { request } = await import('./api.ts')
  const { shownToasts } = await import('./ui/feedback/notify.tsx')
  let answer: (reply: Response) => void = () => {}
  answers = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const slow = request('GET', '/tickets')
  vi.advanceTimersByTime(19_999)
  expect(shownToasts()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(shownToasts()).toMatchObject([
    { title: 'O processo está demorando mais do que o esperado. Por favor, aguarde.' },
  ])
  vi.advanceTimersByTime(10_000)
  answer(json(200, { ok: true }))
  await expect(slow).resolves.toEqual({ ok: true })
  const upload = request('POST', '/messages/1', { body: new FormData(), long: true })
  const before = shownToasts()
  vi.advanceTimersByTime(299_000)
  expect(shownToasts().filter((toast) => !before.includes(toast))).toEqual([])
  answer(json(200, {}))
  await upload
  expect(limits.mock.calls).toEqual([[60_000], [300_000]])
})

test('the login itself is never refreshed or repeated', async () => {
  const { request } = await import('./api.ts')
  answers = () => json(401, { error: 'ERR_INVALID_CREDENTIALS' })
  await expect(request('POST', '/auth/login/', { body: {} })).rejects.toMatchObject({ code: 'ERR_INVALID_CREDENTIALS' })
  expect(calls).toHaveLength(1)
})

test('errors carry code, fields, the record in the way and the request id; no answer has status 0', async () => {
  const { request, sentence } = await import('./api.ts')
  answers = () => json(409, { error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: 7 }, details: { a: 'b' }, requestId: 'r1' })
  await expect(request('POST', '/tickets', { body: {} })).rejects.toMatchObject({
    code: 'ERR_OTHER_OPEN_TICKET',
    details: { a: 'b', ticket: { id: 7 } },
    requestId: 'r1',
  })
  answers = () => json(418, { error: 'ERR_STRANGE', requestId: 'r2' })
  const strange = await request('GET', '/x').catch((error) => error)
  expect(sentence(strange)).toBe('ERR_STRANGE (r2)')
  answers = () => Promise.reject(new TypeError('offline'))
  const lost = await request('GET', '/x').catch((error) => error)
  expect(lost).toMatchObject({ code: 'ERR_NETWORK', status: 0 })
  expect(sentence(lost)).toMatch(/^Sem resposta do servidor/)
})

test.each([
  [200, true],
  [201, true],
  [204, true],
  [299, true],
  [304, true],
  [300, false],
  [302, false],
  [303, false],
  [305, false],
  [400, false],
  [409, false],
  [500, false],
  [599, false],
])('a response of %i is taken: %s (only 304 and what starts with 2)', async (status, isTaken) => {
  const { request } = await import('./api.ts')
  answers = () => new Response(null, { status })
  const outcome = await request('GET', '/tickets', { quiet: true }).then(
    () => true,
    () => false,
  )
  expect(outcome).toBe(isTaken)
})

test('a 401 or 500 is told at the top by its sentence, its raw code, or as an error that nobody named', async () => {
  const { request } = await import('./api.ts')
  const { shownToasts } = await import('./ui/feedback/notify.tsx')
  const failing = async (body: unknown) => {
    answers = () => json(500, body)
    await expect(request('GET', '/tickets')).rejects.toThrow()
    return shownToasts().at(-1)
  }
  expect(await failing({ error: 'ERR_CREATING_TICKET', message: 'O atendimento não pôde ser criado.' })).toMatchObject({
    tone: 'warn',
    title: 'O atendimento não pôde ser criado.',
  })
  expect((await failing({ error: 'ERR_OF_TOMORROW' }))?.title).toMatch(/ERR_OF_TOMORROW/)
  expect(await failing({})).toMatchObject({ tone: 'warn', title: 'Ocorreu um erro não identificado.' })
})

test('a refusal is explained by the sentence of the server; without one by the catalogue, or raw', async () => {
  const { errorOf, isExplained, sentence } = await import('./api.ts')
  const gone = errorOf(404, { error: 'ERR_OF_A_FEATURE', message: 'Não há mais isso.', requestId: 'r1' })
  expect([sentence(gone), isExplained(gone)]).toEqual(['Não há mais isso.', true])
  const known = errorOf(403, { error: 'ERR_NO_PERMISSION' })
  expect([sentence(known), isExplained(known)]).toEqual(['Você não tem permissão para isso.', true])
  const raw = errorOf(409, { error: 'ERR_OF_A_FEATURE', requestId: 'r2' })
  expect([sentence(raw), isExplained(raw)]).toEqual(['ERR_OF_A_FEATURE (r2)', false])
})

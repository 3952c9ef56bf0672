import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Script = EventTarget & { state: string }

function become(worker: Script, state: string): void {
  worker.state = state
  worker.dispatchEvent(new Event('statechange'))
}

const reload = vi.fn()
const unregister = vi.fn(async () => true)
let registration: EventTarget & { installing: Script | null; update: () => Promise<void> }
let answer: Response | Error
let controller: object | null
let registering: () => Promise<unknown>
let hidden = false

const script = (status = 200, type = 'text/javascript; charset=utf-8') =>
  new Response('', { status, headers: { 'content-type': type } })

function browser(hostname: string) {
  vi.stubGlobal('location', { hostname, pathname: '/home', reload })
  vi.stubGlobal('navigator', {
    onLine: true,
    serviceWorker: {
      get controller() {
        return controller
      },
      ready: new Promise((resolve) => setTimeout(() => resolve(registration), 10)),
      register: vi.fn((path: string) => (path === '/sw.js' ? registering() : Promise.reject(new Error(path)))),
      getRegistrations: async () => [{ unregister }],
    },
  })
}

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  registration = Object.assign(new EventTarget(), { installing: null, update: vi.fn(async () => {}) })
  registering = async () => registration
  answer = script()
  controller = null
  hidden = false
  reload.mockReset()
  unregister.mockClear()
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('document', {
    getElementById: () => null,
    get hidden() {
      return hidden
    },
  })
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      if (answer instanceof Error) throw answer
      return answer
    }),
  )
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Registers in a browser at this host, and returns its states in order. */
async function start(hostname = 'localhost') {
  browser(hostname)
  const worker = await import('./service-worker.ts')
  const states: string[] = []
  worker.workerState.subscribe((state) => states.push(state))
  await worker.registerWorker()
  return { states, found: () => find() }
}

/** The browser has found a script that it did not have. */
function find(): Script {
  const installing = Object.assign(new EventTarget(), { state: 'installing' })
  registration.installing = installing
  registration.dispatchEvent(new Event('updatefound'))
  return installing
}

test('the first worker of a browser: registered, ready, cached; nothing is reloaded', async () => {
  const { states, found } = await start()
  await vi.advanceTimersByTimeAsync(10)
  const first = found()
  become(first, 'installed')
  become(first, 'redundant') // as every worker at its end
  hidden = true
  expect(states).toEqual(['registered', 'ready', 'cached'])
  expect(reload).not.toHaveBeenCalled()
})

test('while a page has only just been drawn the network is its own', async () => {
  browser('guiche.loja.com.br')
  const worker = await import('./service-worker.ts')
  await worker.registerSoon()
  await vi.advanceTimersByTimeAsync(4900)
  expect(navigator.serviceWorker.register).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(navigator.serviceWorker.register).toHaveBeenCalledOnce()
})

test('where there is a worker already its next release is followed at once', async () => {
  controller = {}
  browser('guiche.loja.com.br')
  await (await import('./service-worker.ts')).registerSoon()
  expect(navigator.serviceWorker.register).toHaveBeenCalledOnce()
})

test('a later release: update found, updated, and the page is reloaded at the next safe moment', async () => {
  controller = {}
  const { states, found } = await start()
  const next = found()
  expect(states).toEqual(['registered', 'update found'])
  hidden = true
  expect(reload).not.toHaveBeenCalled()
  become(next, 'installed')
  expect(states.at(-1)).toBe('updated')
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a release is looked for every hour', async () => {
  await start()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(registration.update).toHaveBeenCalledTimes(1)
})

test.each([
  ['is missing', () => script(404)],
  ['is no script', () => script(200, 'text/html')],
])('on localhost a worker whose script %s is unregistered', async (_, made) => {
  answer = made()
  const { states } = await start()
  expect(fetch).toHaveBeenCalledWith('/sw.js', { method: 'HEAD', cache: 'no-store' })
  expect(unregister).toHaveBeenCalledTimes(1)
  expect([states, navigator.serviceWorker.register]).toMatchObject([[], expect.any(Function)])
  expect(navigator.serviceWorker.register).not.toHaveBeenCalled()
})

test('on localhost a server that is just starting changes nothing', async () => {
  answer = script(503, 'application/json')
  await start()
  expect(unregister).not.toHaveBeenCalled()
  expect(navigator.serviceWorker.register).not.toHaveBeenCalled()
})

test('elsewhere the script is registered without a look before', async () => {
  await start('guiche.loja.com.br')
  expect(fetch).not.toHaveBeenCalled()
  expect(navigator.serviceWorker.register).toHaveBeenCalledWith('/sw.js')
})

test.each([
  [false, 'offline'],
  [true, 'error'],
])('a registration that fails while the network is there (%s) is %s, and only logged', async (onLine, state) => {
  registering = () => Promise.reject(new TypeError('no'))
  browser('guiche.loja.com.br')
  Object.assign(navigator, { onLine })
  const worker = await import('./service-worker.ts')
  await worker.registerWorker()
  expect(worker.workerState.get()).toBe(state)
  expect(console.warn).toHaveBeenCalledOnce()
})

test('a release that cannot be kept is an error', async () => {
  const { states, found } = await start()
  become(found(), 'redundant')
  expect(states.at(-1)).toBe('error')
})

test('where the browser has no workers nothing happens', async () => {
  vi.stubGlobal('location', { hostname: '192.168.0.7' })
  vi.stubGlobal('navigator', {})
  const worker = await import('./service-worker.ts')
  await worker.registerWorker()
  expect(worker.workerState.get()).toBe('none')
})

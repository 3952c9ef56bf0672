import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

type Listener = (...args: never[]) => void

/** Fakes the library's socket without a network: records calls of the page, and emits events to it. */
function fakeSocket() {
  const listeners = new Map<string, Listener[]>()
  const hear = (name: string, listener: Listener) =>
    void listeners.set(name, [...(listeners.get(name) ?? []), listener])
  const socket = {
    id: 'abc',
    connected: false,
    connect: vi.fn(() => socket),
    disconnect: vi.fn(() => {
      socket.connected = false
      return socket
    }),
    emit: vi.fn(),
    timeout: vi.fn(() => ({ emit: socket.emit })),
    on: hear,
    onAny: (listener: Listener) => hear('*', listener),
    io: { on: (name: string, listener: Listener) => hear(`manager ${name}`, listener) },
    tell(name: string, ...args: unknown[]) {
      if (name === 'connect') socket.connected = true
      if (name === 'disconnect') socket.connected = false
      for (const listener of listeners.get(name) ?? []) listener(...(args as never[]))
    },
  }
  return socket
}

const made = vi.hoisted(() => ({ socket: null as unknown, options: null as unknown }))
const library = vi.hoisted(() => () => ({
  io: (options: unknown) => {
    made.options = options
    return made.socket
  },
}))
vi.mock('socket.io-client', library)

let page = new EventTarget()
const replaced: string[] = []
const values = new Map<string, string>()
const claim = (sid: string) => `x.${btoa(JSON.stringify({ id: 7, tenantId: 3, sid, exp: 4e9 }))}.y`
let socket: ReturnType<typeof fakeSocket>
let refresh: () => Response
let refreshes = 0
let line: typeof import('./realtime.ts')
let log: typeof import('./socket-log.ts')

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const events = () => log.socketLog().map(({ event }) => event)

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  page = new EventTarget()
  socket = fakeSocket()
  made.socket = socket
  replaced.length = 0
  refreshes = 0
  refresh = () => json(200, { token: claim('new') })
  values.clear()
  values.set('token', claim('old')).set('userId', '7').set('queues', '[]').set('usuario', '{}')
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', { ...storage, getItem: () => null, setItem: () => {} })
  vi.stubGlobal('location', { pathname: '/home', search: '', replace: (to: string) => replaced.push(to) })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('fetch', async (url: string) => {
    if (url !== '/api/auth/refresh_token') return json(200, { changes: [], lastSeq: 0, hasMore: false, resync: false })
    refreshes += 1
    return refresh()
  })
  line = await import('./realtime.ts')
  log = await import('./socket-log.ts')
  Object.assign(globalThis, { guichePreload: { token: claim('old'), answers: new Map() } })
  await line.openConnection()
  ;(made.options as { auth: (give: (auth: object) => void) => void }).auth(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('is asked for at /socket.io: polling, then websocket; 30000 ms; 20 tries, 1 to 30 s apart', () => {
  expect(made.options).toMatchObject({
    path: '/socket.io',
    transports: ['polling', 'websocket'],
    timeout: 30_000,
    reconnectionAttempts: 20,
    reconnectionDelay: 1000,
    reconnectionDelayMax: 30_000,
  })
})

test('a page that cannot load the library stands as given up, and asks for it again with the next click', async () => {
  vi.resetModules()
  vi.doMock('socket.io-client', () => {
    throw new Error('no network')
  })
  made.options = null
  const { connectionState, openConnection } = await import('./realtime.ts')
  await Promise.all([openConnection(), openConnection()])
  expect(connectionState.get()).toBe('given-up')
  vi.doMock('socket.io-client', library)
  page.dispatchEvent(new Event('click'))
  expect(connectionState.get()).toBe('opening')
  await vi.dynamicImportSettled()
  expect(made.options).not.toBeNull()
  socket.tell('connect')
  expect(connectionState.get()).toBe('open')
})

test('makes what was asked early too old to be taken', async () => {
  expect((await import('../start/preload.ts')).isPreloading()).toBe(false)
})

test('says where one is from its first moment on, and nothing while it is closed', () => {
  line.emit('joinChatBox', 7)
  expect(socket.emit).not.toHaveBeenCalled()
  line.connectionState.subscribe((state) => state === 'open' && line.emit('joinChatBox', 7))
  socket.tell('connect')
  expect(socket.emit).toHaveBeenCalledWith('3:joinChatBox', 7)
})

describe('states', () => {
  test('opening, open, and opening again by itself after the network broke', () => {
    expect(line.connectionState.get()).toBe('opening')
    socket.tell('connect')
    expect(line.connectionState.get()).toBe('open')
    expect(socket.emit).toHaveBeenCalledWith('3:setUserActive')
    socket.tell('disconnect', 'transport close')
    expect(line.connectionState.get()).toBe('opening')
    vi.advanceTimersByTime(60_000)
    expect(socket.connect).not.toHaveBeenCalled() // the library does it
  })

  test('closed by the server, and reopened by hand a second later', () => {
    socket.tell('connect')
    socket.tell('disconnect', 'io server disconnect')
    expect(line.connectionState.get()).toBe('closed')
    vi.advanceTimersByTime(999)
    expect(socket.connect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(socket.connect).toHaveBeenCalledTimes(1)
    expect(line.connectionState.get()).toBe('opening')
  })

  test.each(['online', 'focus', 'click'])('given up after the last try; a sign of life (%s) tries again', (event) => {
    socket.tell('manager reconnect_failed')
    expect(line.connectionState.get()).toBe('given-up')
    page.dispatchEvent(new Event(event))
    expect(socket.connect).toHaveBeenCalledTimes(1)
    expect(line.connectionState.get()).toBe('opening')
  })
})

describe('a refused token', () => {
  test('disconnects, is renewed once, and the line is opened with the new one', async () => {
    socket.tell('connect_error', new Error('authentication error'))
    expect([socket.disconnect.mock.calls.length, line.connectionState.get()]).toEqual([1, 'closed'])
    await vi.advanceTimersByTimeAsync(0)
    expect([refreshes, values.get('token'), socket.connect.mock.calls.length]).toEqual([1, claim('new'), 1])
  })

  test('that is refused again gives up instead of asking for ever', async () => {
    for (let time = 0; time < 3; time++) {
      socket.tell('connect_error', new Error('authentication error'))
      await vi.advanceTimersByTimeAsync(0)
    }
    expect([refreshes, line.connectionState.get()]).toEqual([1, 'given-up'])
  })

  test('that cannot be renewed ends at the login page', async () => {
    refresh = () => json(401, { error: 'ERR_SESSION_EXPIRED' })
    socket.tell('connect_error', new Error('authentication error'))
    await vi.advanceTimersByTimeAsync(200)
    expect([values.has('token'), replaced]).toEqual([false, ['/login']])
  })
})

describe('a session that the server ended', () => {
  const forced = { userId: 7, message: 'Nova sessão iniciada em outro dispositivo' }

  test('elsewhere began another: everything is forgotten, the reason shown, the login page opens after 2 s', async () => {
    const { shownToasts } = await import('../ui/feedback/notify.tsx')
    socket.tell('connect')
    socket.tell('*', '3:forceLogout', forced)
    expect([...values.keys()].filter((key) => key !== 'socketEvents')).toEqual([])
    expect(shownToasts()).toMatchObject([{ tone: 'neg', title: forced.message }])
    vi.advanceTimersByTime(1999)
    expect(replaced).toEqual([])
    vi.advanceTimersByTime(1)
    expect(replaced).toEqual(['/login'])
    expect(socket.connect).not.toHaveBeenCalled()
  })

  test('is no session any more: the same', () => {
    socket.tell('connect')
    socket.tell('*', 'sessionInvalidated:abc', { message: 'Sessão inválida. Faça login novamente.' })
    vi.advanceTimersByTime(2000)
    expect([values.has('token'), replaced]).toEqual([false, ['/login']])
  })

  test('is left alone where another tab of this browser has entered anew', () => {
    socket.tell('connect')
    values.set('token', claim('newer'))
    socket.tell('*', '3:forceLogout', forced)
    vi.advanceTimersByTime(5000)
    expect([values.get('token'), replaced]).toEqual([claim('newer'), []])
  })
})

describe('the log', () => {
  test.each(['parse error', 'ping timeout', 'transport close'])('keeps why a line broke: %s', (reason) => {
    socket.tell('connect')
    socket.tell('disconnect', reason)
    expect(events()).toEqual(['socket:opening', 'socket:open', reason, 'socket:opening'])
  })

  test('keeps why a line did not open: timeout', () => {
    socket.tell('connect_error', new Error('timeout'))
    expect(events()).toContain('timeout')
  })

  test('keeps that a renewal was not acknowledged within 30 s (ack timeout), and the line is opened anew', async () => {
    socket.tell('connect')
    const { refreshSession } = await import('../session/refresh.ts')
    await refreshSession()
    const [name, token, answer] = socket.emit.mock.lastCall as [
      string,
      string,
      (error: Error | null, ok?: boolean) => void,
    ]
    expect([name, token, socket.timeout.mock.lastCall]).toEqual(['renew', claim('new'), [30_000]])
    answer(new Error('operation has timed out'))
    expect(events()).toContain('ack timeout')
    expect(socket.connect).toHaveBeenCalledTimes(1)
  })

  test('has the moment of each event, at most 300, and can be emptied', () => {
    vi.setSystemTime(1_800_000_000_000)
    for (let n = 0; n < 310; n++) log.note(`event ${n}`)
    expect(log.socketLog()).toHaveLength(300)
    expect(log.socketLog().at(-1)).toEqual({ timestamp: 1_800_000_000_000, event: 'event 309' })
    expect(JSON.parse(values.get('socketEvents') as string)).toHaveLength(300)
    log.clearSocketLog()
    expect([log.socketLog(), values.has('socketEvents')]).toEqual([[], false])
  })
})

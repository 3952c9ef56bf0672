import { build } from './loader-dom.ts'
import { isOurs, type Labels, type ToFrame, type ToPage } from './protocol.ts'

type Listener = (detail: unknown) => void
type Api = {
  open(): void
  close(): void
  toggle(): void
  setUser(id: string, data?: Record<string, string>): void
  setCustomAttributes(attributes: Record<string, unknown>): void
  reset(): void
  on(event: string, listener: Listener): void
}
type Call = readonly [keyof Api, ...unknown[]]

declare global {
  interface Window {
    /** Calls made before the script arrived, then the widget itself; `push` works the same in both. */
    guiche?: Call[] | (Api & { push(...calls: Call[]): void })
  }
}

const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[data-token][src*="/widget/guiche.js"]')
const waiting = window.guiche ?? []
if (script?.dataset.token && Array.isArray(waiting)) mount(new URL(script.src).origin, script.dataset.token, waiting)

/** Mounts the launcher and the frame on the page and returns `window.guiche`. */
function mount(origin: string, token: string, waiting: Call[]): void {
  const parts = build()
  const { host, button, frame } = parts
  const store = pageStore(`guiche:${token}:`)
  const phone = matchMedia('(max-width:479.98px)')
  const { listeners, fire } = createListeners()
  const channel = createChannel(frame, origin)
  const panel = createPanel(parts, { store, phone, channel, fire })

  const receive = (message: ToPage): void => {
    if (message.type === 'guiche:hello') channel.greet(store.all())
    else if (message.type === 'guiche:ready') {
      channel.begin()
      panel.begin(message)
      fire('ready')
    } else if (message.type === 'guiche:close') panel.show(false, true)
    // Once per visit, and never on a small screen, which it would cover.
    else if (message.type === 'guiche:open') {
      if (!phone.matches && !store.get('opened', 'sessionStorage')) panel.show(true, false)
    } else if (message.type === 'guiche:unread') {
      panel.count(message.count)
      fire('unread', message.count)
    } else if (message.type === 'guiche:store') store.set(message.key, message.value)
    else fire(message.name, message.detail)
  }

  const api = apiOf(panel, channel, listeners)
  const run = ([name, ...args]: Call): void => (api[name] as (...args: unknown[]) => void)?.(...args)
  window.guiche = { ...api, push: (...calls) => calls.forEach(run) }
  waiting.forEach(run)

  button.onclick = panel.toggle
  phone.onchange = panel.fitPhone
  for (const type of ['resize', 'scroll']) window.visualViewport?.addEventListener(type, panel.reconcile)
  window.addEventListener('message', ({ origin: from, source, data }) => {
    if (from === origin && source === frame.contentWindow && isOurs(data)) receive(data as ToPage)
  })
  store.watch((key, value) => channel.post({ type: 'guiche:stored', key, value }))

  const start = (): void => {
    frame.src = `${origin}/widget/frame?token=${encodeURIComponent(token)}`
    document.body.append(host)
  }
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

function createListeners() {
  const listeners: Record<string, Listener[]> = {}
  const fire = (name: string, detail?: unknown): void => {
    for (const listener of listeners[name] ?? []) listener(detail)
  }
  return { listeners, fire }
}

/** Messages to the frame; until it is ready they wait. */
function createChannel(frame: HTMLIFrameElement, origin: string) {
  const queued: ToFrame[] = []
  let isReady = false
  const post = (message: ToFrame): void => {
    if (isReady) frame.contentWindow?.postMessage(message, origin)
    else queued.push(message)
  }
  return {
    post,
    isReady: () => isReady,
    greet: (stored: Record<string, string>): void => {
      isReady = false
      const init: ToFrame = { type: 'guiche:init', url: location.href, title: document.title, stored }
      frame.contentWindow?.postMessage(init, origin)
    },
    begin: (): void => {
      isReady = true
      queued.splice(0).forEach(post)
    },
  }
}

type Channel = ReturnType<typeof createChannel>

type Around = {
  store: ReturnType<typeof pageStore>
  phone: MediaQueryList
  channel: Channel
  fire: (name: string) => void
}

/** Shows and hides the frame, and keeps the launcher's look. */
function createPanel(parts: ReturnType<typeof build>, { store, phone, channel, fire }: Around) {
  const { root, box, button, frame, draw } = parts
  const { post } = channel
  let labels: Labels
  let isOpen = false
  let unread = 0
  let unlock: (() => void) | null = null

  const show = (open: boolean, focus: boolean): void => {
    if (open === isOpen) return
    isOpen = open
    if (!channel.isReady()) return
    const hadFocus = root.activeElement === frame
    draw(isOpen, unread, labels)
    reconcile()
    if (open) store.set('opened', '1', 'sessionStorage')
    store.set('open', open && !phone.matches ? '1' : null, 'sessionStorage')
    post({ type: 'guiche:shown', open, full: phone.matches, focus })
    if (open && focus) frame.focus()
    if (!open && hadFocus) button.focus()
    fire(open ? 'open' : 'close')
  }

  const reconcile = (): void => {
    const full = isOpen && phone.matches
    fitToView(frame, full)
    if (full) unlock ??= lockScroll()
    else {
      unlock?.()
      unlock = null
    }
  }

  return {
    show,
    reconcile,
    toggle: () => show(!isOpen, true),
    /** Takes the look of the channel, and opens the frame if that was asked for, or as it was before. */
    begin: (message: Extract<ToPage, { type: 'guiche:ready' }>): void => {
      const wasAsked = isOpen
      isOpen = false
      labels = message.labels
      frame.title = labels.title
      box.classList.toggle('left', message.position === 'left')
      if (message.color) box.style.setProperty('--guiche-color', message.color)
      draw(false, unread, labels)
      if (wasAsked) show(true, true)
      else if (store.get('open', 'sessionStorage') && !phone.matches) show(true, false)
    },
    count: (next: number): void => {
      unread = next
      draw(isOpen, unread, labels)
    },
    fitPhone: (): void => {
      reconcile()
      post({ type: 'guiche:shown', open: isOpen, full: phone.matches, focus: false })
    },
  }
}

/** Fits the frame on a phone to the visible part of the page, so that the keyboard never covers the composer. */
function fitToView(frame: HTMLIFrameElement, full: boolean): void {
  const view = window.visualViewport
  const follows = full && view && Math.abs(view.scale - 1) < 0.01
  frame.style.height = follows ? `${view.height}px` : ''
  frame.style.top = follows ? `${view.offsetTop}px` : ''
}

/** Returns the functions that the page may call. */
function apiOf(
  { show, toggle }: ReturnType<typeof createPanel>,
  { post, isReady }: Channel,
  listeners: Record<string, Listener[]>,
): Api {
  return {
    open: () => show(true, true),
    close: () => show(false, true),
    toggle,
    setUser: (id, { name, email, phone, hash } = {}) =>
      post({ type: 'guiche:user', user: { id: String(id), name, email, phone, hash } }),
    setCustomAttributes: (attributes) => {
      const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)])
      post({ type: 'guiche:attributes', attributes: Object.fromEntries(texts) })
    },
    reset: () => post({ type: 'guiche:reset' }),
    on: (event, listener) => {
      listeners[event] = [...(listeners[event] ?? []), listener]
      if (event === 'ready' && isReady()) listener(undefined)
    },
  }
}

type Where = 'localStorage' | 'sessionStorage'

/** Returns the page's own storage below our prefix; empty where a page closes its storage. */
function pageStore(prefix: string) {
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  return {
    get: (key: string, where: Where = 'localStorage') => attempt(() => window[where].getItem(prefix + key)),
    set: (key: string, value: string | null, where: Where = 'localStorage') =>
      attempt(() =>
        value === null ? window[where].removeItem(prefix + key) : window[where].setItem(prefix + key, value),
      ),
    all: (): Record<string, string> =>
      attempt(() =>
        Object.fromEntries(
          Object.entries(window.localStorage)
            .filter(([key]) => key.startsWith(prefix))
            .map(([key, value]) => [key.slice(prefix.length), String(value)]),
        ),
      ) ?? {},
    watch: (changed: (key: string, value: string | null) => void) =>
      window.addEventListener('storage', ({ key, newValue, storageArea }) => {
        const isLocal = attempt(() => storageArea === window.localStorage)
        if (isLocal && key?.startsWith(prefix)) changed(key.slice(prefix.length), newValue)
      }),
  }
}

/** Locks the page's scroll behind a full-screen conversation; returns an unlock function. */
function lockScroll(): () => void {
  const page = document.documentElement.style
  const before = page.overflow
  page.overflow = 'hidden'
  return () => {
    page.overflow = before
  }
}

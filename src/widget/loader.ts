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
  const { host, root, box, button, frame, draw } = build()
  const store = pageStore(`guiche:${token}:`)
  const phone = matchMedia('(max-width:479.98px)')
  const listeners: Record<string, Listener[]> = {}
  const queued: ToFrame[] = []
  let isReady = false
  let labels: Labels
  let isOpen = false
  let unread = 0
  let unlock: (() => void) | null = null

  const post = (message: ToFrame): void => {
    if (isReady) frame.contentWindow?.postMessage(message, origin)
    else queued.push(message)
  }
  const fire = (name: string, detail?: unknown): void => {
    for (const listener of listeners[name] ?? []) listener(detail)
  }

  const show = (open: boolean, focus: boolean): void => {
    if (open === isOpen) return
    isOpen = open
    if (!isReady) return
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

  /** Fits the frame on a phone to the visible part of the page, so that the keyboard never covers the composer. */
  const reconcile = (): void => {
    const full = isOpen && phone.matches
    const view = window.visualViewport
    const follows = full && view && Math.abs(view.scale - 1) < 0.01
    frame.style.height = follows ? `${view.height}px` : ''
    frame.style.top = follows ? `${view.offsetTop}px` : ''
    if (full) unlock ??= lockScroll()
    else {
      unlock?.()
      unlock = null
    }
  }

  const receive = (message: ToPage): void => {
    if (message.type === 'guiche:hello') {
      isReady = false
      const init: ToFrame = { type: 'guiche:init', url: location.href, title: document.title, stored: store.all() }
      frame.contentWindow?.postMessage(init, origin)
    } else if (message.type === 'guiche:ready') {
      const wasAsked = isOpen
      isReady = true
      isOpen = false
      labels = message.labels
      frame.title = labels.title
      box.classList.toggle('left', message.position === 'left')
      if (message.color) box.style.setProperty('--guiche-color', message.color)
      queued.splice(0).forEach(post)
      draw(false, unread, labels)
      if (wasAsked) show(true, true)
      else if (store.get('open', 'sessionStorage') && !phone.matches) show(true, false)
      fire('ready')
    } else if (message.type === 'guiche:close') show(false, true)
    // Once per visit, and never on a small screen, which it would cover.
    else if (message.type === 'guiche:open') {
      if (!phone.matches && !store.get('opened', 'sessionStorage')) show(true, false)
    } else if (message.type === 'guiche:unread') {
      unread = message.count
      draw(isOpen, unread, labels)
      fire('unread', unread)
    } else if (message.type === 'guiche:store') store.set(message.key, message.value)
    else fire(message.name, message.detail)
  }

  const api: Api = {
    open: () => show(true, true),
    close: () => show(false, true),
    toggle: () => show(!isOpen, true),
    setUser: (id, { name, email, phone, hash } = {}) =>
      post({ type: 'guiche:user', user: { id: String(id), name, email, phone, hash } }),
    setCustomAttributes: (attributes) => {
      const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)])
      post({ type: 'guiche:attributes', attributes: Object.fromEntries(texts) })
    },
    reset: () => post({ type: 'guiche:reset' }),
    on: (event, listener) => {
      listeners[event] = [...(listeners[event] ?? []), listener]
      if (event === 'ready' && isReady) listener(undefined)
    },
  }
  const run = ([name, ...args]: Call): void => (api[name] as (...args: unknown[]) => void)?.(...args)
  window.guiche = { ...api, push: (...calls) => calls.forEach(run) }
  waiting.forEach(run)

  button.onclick = () => show(!isOpen, true)
  phone.onchange = () => {
    reconcile()
    post({ type: 'guiche:shown', open: isOpen, full: phone.matches, focus: false })
  }
  for (const type of ['resize', 'scroll']) window.visualViewport?.addEventListener(type, reconcile)
  window.addEventListener('message', ({ origin: from, source, data }) => {
    if (from === origin && source === frame.contentWindow && isOurs(data)) receive(data as ToPage)
  })
  store.watch((key, value) => post({ type: 'guiche:stored', key, value }))

  const start = (): void => {
    frame.src = `${origin}/widget/frame?token=${encodeURIComponent(token)}`
    document.body.append(host)
  }
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
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

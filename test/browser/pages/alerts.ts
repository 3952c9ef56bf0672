import type { Page } from '@playwright/test'

/** Sounds and notifications of a page. */
export type Watched = {
  sounds: number
  /** The event in which each audio context was made. */
  madeIn: string[]
  notices: Notification[]
  closed: string[]
  eyes: 'here' | 'away'
  aheadMs: number
}

/** Counts a page's sounds and notifications at the browser's own APIs, and simulates whether a person looks at the page. */
export function watchAlerts(): void {
  const watched: Watched = { sounds: 0, madeIn: [], notices: [], closed: [], eyes: 'here', aheadMs: 0 }
  Object.assign(window, { watched })
  const start = AudioBufferSourceNode.prototype.start
  AudioBufferSourceNode.prototype.start = function (...when) {
    watched.sounds += 1
    start.apply(this, when)
  }
  window.AudioContext = class extends window.AudioContext {
    constructor() {
      super()
      watched.madeIn.push(window.event?.type ?? 'none')
    }
  }
  const Real = window.Notification
  window.Notification = class extends Real {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      watched.notices.push(this)
    }
    override close() {
      watched.closed.push(this.tag)
      super.close()
    }
  }
  // Sounds keep a distance of 1.5 s, for which no test has to wait.
  const RealDate = Date
  window.Date = new Proxy(RealDate, {
    construct: (made, given) => Reflect.construct(made, given.length > 0 ? given : [RealDate.now() + watched.aheadMs]),
    get: (of, key) => (key === 'now' ? () => RealDate.now() + watched.aheadMs : Reflect.get(of, key)),
  })
  // Every page of the test's browser believes that it is in front.
  Object.defineProperty(document, 'visibilityState', { get: () => (watched.eyes === 'here' ? 'visible' : 'hidden') })
  document.hasFocus = () => watched.eyes === 'here'
}

/** Returns a value of a watched page's counts so far. */
export const read = <T>(page: Page, what: (watched: Watched) => T): Promise<T> =>
  page.evaluate(`(${what})(window.watched)`) as Promise<T>

/** Simulates whether a person looks at a watched page. */
export async function look(page: Page, eyes: Watched['eyes']): Promise<void> {
  await page.evaluate((next) => {
    Object.assign((window as unknown as { watched: Watched }).watched, { eyes: next })
    document.dispatchEvent(new Event('visibilitychange'))
  }, eyes)
}

/** Clicks the last notification of a watched page, which a test cannot reach on the desktop. */
export const clickNotice = (page: Page): Promise<unknown> =>
  read(page, ({ notices }) => notices.at(-1)?.dispatchEvent(new Event('click')))

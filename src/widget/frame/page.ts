import { isOurs, type ToFrame, type ToPage } from '../protocol.ts'

/** Customer's page around the frame: its initial data, and a way to send it messages. */
export type Page = {
  readonly url: string
  readonly title: string
  readonly stored: Record<string, string>
  /** True without a loader around the frame: opened as a page of its own or in a plain frame. */
  readonly isAlone: boolean
  post(message: ToPage): void
}

/**
 * Greets the loader and waits for its answer; from then on only that window at that origin is listened to and written to.
 * Our address names who may frame us (`frame-ancestors`), so the parent's first answer can be trusted.
 */
export function meetPage(receive: (message: ToFrame) => void): Promise<Page> {
  const alone: Page = { url: document.referrer, title: '', stored: {}, isAlone: true, post: () => {} }
  if (window.parent === window) return Promise.resolve(alone)
  return new Promise((resolve) => {
    let origin = ''
    const giveUp = setTimeout(() => resolve(alone), 1500)
    window.addEventListener('message', (event) => {
      if (event.source !== window.parent || !isOurs(event.data) || (origin && event.origin !== origin)) return
      const message = event.data as ToFrame
      if (message.type !== 'guiche:init') return receive(message)
      origin = event.origin
      clearTimeout(giveUp)
      const { url, title, stored } = message
      resolve({ url, title, stored, isAlone: false, post: (answer) => window.parent.postMessage(answer, origin) })
    })
    window.parent.postMessage({ type: 'guiche:hello' } satisfies ToPage, '*')
  })
}

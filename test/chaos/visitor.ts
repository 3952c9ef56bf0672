import { parentPort, workerData } from 'node:worker_threads'
import type { WebchatConfig } from '#features/webchat/contract.ts'
import { createApi } from '#widget/frame/api.ts'
import { createChat } from '#widget/frame/chat.ts'
import type { Store } from '#widget/frame/store.ts'
import { randomOf } from './random.ts'

/** Origin of the installation, the channel's code on the site, and the visitor's token from an earlier visit. */
export type Visit = { readonly origin: string; readonly token: string; readonly visitorToken: string }
/**
 * Action of a visitor: writes a message, or sends all messages again in a seeded order, as a second tab with an old outbox
 * would.
 */
export type Deed = { readonly say: string } | { readonly again: number }
/**
 * Content of the visitor's page: confirmed messages of the visitor, displayed messages of the team, and whether the page
 * shows that it is offline.
 */
export type Seen = {
  readonly written: readonly string[]
  readonly received: readonly string[]
  readonly isOffline: boolean
}

// The widget's own conversation, without what draws it, in the few parts of a browser that it asks for. One page per thread.
if (parentPort) {
  const { origin, token, visitorToken } = workerData as Visit
  const { fetch } = globalThis
  const nothing = () => {}
  Object.assign(globalThis, {
    ...{ location: { origin }, window: { addEventListener: nothing, removeEventListener: nothing } },
    document: { visibilityState: 'visible', addEventListener: nothing },
    fetch: (path: string, about: RequestInit) => fetch(new URL(path, origin), about),
  })
  const kept = new Map([['visitor', visitorToken]])
  const store: Store = {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value)),
    ...{ accept: nothing, onChange: nothing },
  }
  const api = createApi(() => store.get('visitor'))
  const config = await api.get<WebchatConfig>(`config?token=${token}`)
  if (!config.ok) throw new Error(config.text)
  const page = { url: `${origin}/loja`, title: 'Loja', stored: {}, isAlone: true, post: nothing }
  const chat = createChat(token, config.value, store, page)
  const port = parentPort
  chat.state.follow(({ items, isOffline }) => {
    const of = (isOwn: boolean) =>
      items.flatMap(({ fromVisitor, local, body }) => (fromVisitor === isOwn && local === null ? [body] : []))
    port.postMessage({ written: of(true), received: of(false), isOffline } satisfies Seen)
  })
  port.on('message', (deed: Deed) => {
    if ('say' in deed) return chat.send(deed.say, [])
    const random = randomOf(deed.again)
    const own = chat.state.get().items.filter(({ idFront, fromVisitor }) => idFront && fromVisitor)
    for (const { idFront, body: text } of own.toSorted(() => random.next() - 0.5))
      void api.post('messages', { idFront, text })
  })
  // The visitor repeats messages that are shown as not sent.
  setInterval(() => {
    for (const { id, local } of chat.state.get().items) if (local === 'failed') chat.outbox.retry(id)
  }, 1000)
  chat.begin()
}

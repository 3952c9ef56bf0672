import { pages, planFor } from './plan.ts'

declare const self: ServiceWorkerGlobalScope

/** Push payload: news of a conversation (its address is the tag), or that it was read elsewhere. */
type Pushed =
  | { kind: 'notice'; tag: string; seq: number; title: string; text: string; at: number | null }
  | { kind: 'read'; tag: string }

type NoticeData = { seq: number; path: string }

/** Browsers that accept a silent push while the product is visible; others cancel the subscription. */
const mayStaySilent = /Chrom|Firefox/.test(navigator.userAgent)
const readMs = 4000
const answerMs = 1000

/**
 * Shows a pushed notification in place of the earlier one of the same conversation; a repeated one is silent. Notifications
 * read elsewhere are closed; as a push must show something, a last one says so for a moment.
 */
export async function receivePush(data: PushMessageData | null): Promise<void> {
  const pushed = data?.json() as Pushed | undefined
  if (!pushed || !/^\/(?:atendimento|chat-privado(?:\/equipe)?|tarefas)\/\d+$/.test(pushed.tag)) return
  const all = await self.registration.getNotifications()
  const before = all.filter(({ tag }) => tag === pushed.tag)
  const isInSight = mayStaySilent && (await windows()).some(({ visibilityState }) => visibilityState === 'visible')
  if (pushed.kind === 'read') {
    if (isInSight || all.length > before.length) return closeNotices(pushed.tag)
    await show('Lido em outro dispositivo', { tag: pushed.tag, silent: true })
    setTimeout(() => void closeNotices(pushed.tag), readMs)
    return
  }
  if (isInSight) return
  const { tag, seq, title, text, at } = pushed
  const shown = Math.max(0, ...before.map((one) => (one.data as NoticeData | null)?.seq ?? 0))
  if (shown > seq) return
  await show(title, {
    tag,
    body: text,
    data: { seq, path: at === null ? pathOf(tag) : `${tag}?timestamp=${at}` } satisfies NoticeData,
    renotify: shown < seq,
    ...(tag.startsWith('/atendimento/') ? { actions: [{ action: 'reply', title: 'Responder' }] } : {}),
    ...(at === null ? {} : { timestamp: at }),
  })
}

/** Returns the address of a tag; a task opens over its list. */
const pathOf = (tag: string): string => tag.replace(/^\/tarefas\/(?=\d+$)/, '/tarefas?id=')

/** Opens the message of a notification in an existing tab, else in a new window; “Responder” focuses the composer. */
export async function openNotice({ notification, action }: NotificationEvent): Promise<void> {
  notification.close()
  const { path } = (notification.data as NoticeData | null) ?? { path: notification.tag || pages.product }
  const target = action === 'reply' ? `${path}${path.includes('?') ? '&' : '?'}reply=1` : path
  const open = await windows()
  const tab = open.find(({ focused }) => focused) ?? open.find((one) => one.visibilityState === 'visible') ?? open[0]
  if (!tab) return void (await self.clients.openWindow(target))
  const focused = tab.focus().catch(() => {}) // it comes to the front where the system lets it
  // A page that is still loading does not answer: it loads the requested address.
  if (!(await ask(tab, { type: 'open', path: target }))) await tab.navigate(target).catch(() => {})
  await focused
}

/** Posts a message to a page; returns whether it answers in time. */
function ask(tab: WindowClient, message: object): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), answerMs)
    tab.postMessage(message, [port2])
  })
}

/** Closes notifications: all, or those of one tag. */
export async function closeNotices(tag?: string): Promise<void> {
  for (const one of await self.registration.getNotifications(tag === undefined ? {} : { tag })) one.close()
}

type Options = NotificationOptions & {
  renotify?: boolean
  timestamp?: number
  actions?: { action: string; title: string }[]
}

const show = (title: string, options: Options): Promise<void> =>
  self.registration.showNotification(title, {
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    lang: 'pt-BR',
    ...options,
  })

/** The product's own pages: no frame within another one, and none of those before the login. */
async function windows(): Promise<WindowClient[]> {
  const all = (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })) as WindowClient[]
  const isProduct = (url: string) =>
    planFor({ method: 'GET', mode: 'navigate', url }, self.location.origin) === pages.product
  return all.filter(({ url, frameType }) => frameType === 'top-level' && isProduct(url))
}

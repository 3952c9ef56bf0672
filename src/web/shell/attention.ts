import { createStore } from '../store.ts'

/** Number of the user's unread conversations, by the list's tab. */
type Unread = Readonly<Record<string, number>>

const unread = createStore<Unread>({})
const total = (byTab: Unread): number => Object.values(byTab).reduce((sum, count) => sum + count, 0)

/** Sets the number of the user's unread conversations, by tab. */
export function setUnread(next: Unread): void {
  if (JSON.stringify(next) !== JSON.stringify(unread.get())) unread.set(next)
}

/** Subscribes to every change of these counts. */
export const onUnread = unread.subscribe

/** Returns the number of the user's unread conversations. */
export const unreadCount = (): number => total(unread.get())

/** Hook form of `unreadCount`. */
export const useUnread = (): number => unread.use(total)

/** Returns the number of unread conversations in these tabs of the list. */
export const useUnreadIn = (tabs: readonly string[]): number =>
  unread.use((byTab) => tabs.reduce((sum, tab) => sum + (byTab[tab] ?? 0), 0))

/** Number of unread messages of colleagues and teams. */
export const privateUnread = createStore(0)

/** Number of the user's tasks that are delayed or due today. */
export const openTasks = createStore(0)

/** Unread warning of the user: the path that it opens, and a function that marks it as read. */
export type Warned = { readonly id: string; readonly title: string; readonly path: string; readonly read: () => void }

/** Unread warnings of the user. */
export const warnings = createStore<readonly Warned[]>([])

/** Number at the bell: tickets with unseen items that concern the user. */
export const bellCount = createStore(0)

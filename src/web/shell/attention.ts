import { createStore } from '../store.ts'

/** Number of the user's unread conversations, by the list's tab. */
type Unread = Readonly<Record<string, number>>

const unread = createStore<Unread>({})
const total = (byTab: Unread): number => Object.values(byTab).reduce((sum, count) => sum + count, 0)

/** Says how many conversations of the person have something unread, by tab. */
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

/** A warning that the person has not read: where it leads, and how it is read. */
export type Warned = { readonly id: string; readonly title: string; readonly path: string; readonly read: () => void }

/** The warnings that concern the person and were not read. */
export const warnings = createStore<readonly Warned[]>([])

/** The number at the bell: tickets with something that concerns the person and was not seen. */
export const bellCount = createStore(0)

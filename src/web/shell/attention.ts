import { createStore } from '../store.ts'

/** Conversations of the person with something unread, by the tab of the list in which they stand. */
type Unread = Readonly<Record<string, number>>

const unread = createStore<Unread>({})
const total = (byTab: Unread): number => Object.values(byTab).reduce((sum, count) => sum + count, 0)

/** Says how many conversations of the person have something unread, by tab. */
export function setUnread(next: Unread): void {
  if (JSON.stringify(next) !== JSON.stringify(unread.get())) unread.set(next)
}

/** Subscribes to every change of these counts. */
export const onUnread = unread.subscribe

/** How many conversations of the person have something unread. */
export const unreadCount = (): number => total(unread.get())

/** The same, drawn again when it changes. */
export const useUnread = (): number => unread.use(total)

/** How many of them stand in these tabs of the list. */
export const useUnreadIn = (tabs: readonly string[]): number =>
  unread.use((byTab) => tabs.reduce((sum, tab) => sum + (byTab[tab] ?? 0), 0))

/** How many messages of colleagues and teams the person has not read. */
export const privateUnread = createStore(0)

/** How many tasks of the person are delayed or to be done today. */
export const openTasks = createStore(0)

/** A warning that the person has not read: where it leads, and how it is read. */
export type Warned = { readonly id: string; readonly title: string; readonly path: string; readonly read: () => void }

/** The warnings that concern the person and were not read. */
export const warnings = createStore<readonly Warned[]>([])

/** The number at the bell: tickets with something that concerns the person and was not seen. */
export const bellCount = createStore(0)

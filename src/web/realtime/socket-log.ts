import { createTopic } from '../store.ts'

const key = 'socketEvents'
const most = 300
const changes = createTopic()

/** Entry of the socket log: a state, a reason, an error; `timestamp` in epoch ms. */
export type LoggedEvent = { timestamp: number; event: string }

/** Returns the log of this browser's socket, oldest first (at most 300 entries, specification §9). */
export function socketLog(): LoggedEvent[] {
  try {
    const log: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(log) ? log : []
  } catch {
    return []
  }
}

/** Adds to the log of the socket. */
export function note(event: string): void {
  localStorage.setItem(key, JSON.stringify([...socketLog().slice(1 - most), { timestamp: Date.now(), event }]))
  changes.publish()
}

/** Empties the log of the socket. */
export function clearSocketLog(): void {
  localStorage.removeItem(key)
  changes.publish()
}

/** Downloads the log of the socket as a file named by the moment (specification §9). */
export const exportSocketLog = (): void =>
  void import('../resource/csv.ts').then(({ download }) =>
    download(`socket-${Date.now()}.json`, JSON.stringify(socketLog(), null, 2), 'application/json'),
  )

/** Subscribes to changes of the log by this page. */
export const onSocketLog = changes.subscribe

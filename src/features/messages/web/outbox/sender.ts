import { isApiError, sentence } from '#web/api.ts'
import { connectionState } from '#web/realtime/realtime.ts'
import { markUnsaved } from '#web/unsaved.ts'

/** Message that the server has not confirmed, of any conversation. `refused` waits for a person. */
export type Unsent = {
  readonly file: object | null
  readonly createdAt: number
  readonly state: 'waiting' | 'sending' | 'refused'
  readonly error: string | null
}

/** Returns the next message to send per conversation: the oldest one that is not refused, unless it is being sent. */
export function nextToSend<T extends Unsent>(items: readonly T[], conversationOf: (item: T) => unknown): T[] {
  const firsts = new Map<unknown, T>()
  for (const item of items) {
    if (item.state === 'refused') continue
    const known = firsts.get(conversationOf(item))
    if (!known || item.createdAt < known.createdAt) firsts.set(conversationOf(item), item)
  }
  return [...firsts.values()].filter((item) => item.state === 'waiting')
}

/**
 * Sends unsent messages in the order of their conversation, one at a time. What did not arrive is sent again with back-off,
 * at most 30 s, and at once on reconnection; a refusal (4xx) is final, except 401, 408, 425, 429 and `repeats`.
 */
export function createSender<T extends Unsent>({
  items,
  conversationOf,
  deliver,
  change,
  repeats = [],
}: {
  items: () => readonly T[]
  conversationOf: (item: T) => unknown
  /** Sends a message and removes it from the items. */
  deliver: (item: T) => Promise<void>
  change: (item: T, next: Pick<Unsent, 'state' | 'error'>) => void
  /** Further statuses of a refusal that a repetition may overcome. */
  repeats?: readonly number[]
}): { pump: () => void; wakeOnReconnect: () => void } {
  const repeated = [401, 408, 425, 429, ...repeats]
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const pump = (): void => {
    clearTimeout(timer)
    for (const item of nextToSend(items(), conversationOf)) void send(item)
  }
  const send = async (item: T): Promise<void> => {
    change(item, { state: 'sending', error: null })
    const release = item.file ? markUnsaved('upload') : undefined
    try {
      await deliver(item)
      failures = 0
      pump()
    } catch (error) {
      const isFinal = isApiError(error) && error.status >= 400 && error.status < 500 && !repeated.includes(error.status)
      change(item, isFinal ? { state: 'refused', error: sentence(error) } : { state: 'waiting', error: null })
      if (isFinal) return pump()
      failures += 1
      clearTimeout(timer)
      timer = setTimeout(pump, Math.min(30_000, 1000 * 2 ** failures))
    } finally {
      release?.()
    }
  }
  const wake = () => {
    failures = 0
    pump()
  }
  return {
    pump,
    wakeOnReconnect() {
      addEventListener('online', wake)
      connectionState.subscribe((state) => state === 'open' && wake())
    },
  }
}

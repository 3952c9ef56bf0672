import type { ProviderEvent } from './port.ts'

/** What was read of one thing that a body tells: events, and the name of what is of no kind that is read here. */
export type Read = { readonly events: readonly ProviderEvent[]; readonly unread?: string }

/** Events of something that was understood. */
export const received = (events: readonly ProviderEvent[]): Read => ({ events })

/** Something that nothing is made of, by its name. */
export const unread = (name: string): Read => ({ events: [], unread: name })

/** Reads one thing; what lacks a part that it ought to have keeps nothing beside it from coming in. */
export function attempt(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof TypeError) return unread('incomplete')
    throw error
  }
}

/** When something was (epoch ms), where that is told so that it can be read; else the moment at which it is read. */
export const momentOr = (at: number, now: number): number => (at > 0 && at < 8.64e15 ? at : now)

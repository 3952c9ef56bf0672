import { itemAt } from '../present.ts'
import { compareMoments, type Moment } from './conversation.ts'

/** Message of a thread; the copy with the higher revision is newer. */
export type Revised = Moment & { readonly revision: number }

/** Reading position of a user. */
export type Read = Moment & { readonly userId: number }

/** Merges messages into a list, in any order of arrival: sorted, without duplicates, the newest revision of each. */
export function withMessages<M extends Revised>(known: readonly M[], came: readonly M[]): readonly M[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  let isNew = false
  for (const message of came) {
    const before = byId.get(message.id)
    if (before && before.revision >= message.revision) continue
    byId.set(message.id, message)
    isNew = true
  }
  return isNew ? [...byId.values()].sort(compareMoments) : known
}

/** Returns positions merged with newer ones; a user's position only moves forward. */
export function withPositions<P extends Read>(known: readonly P[], came: readonly P[]): readonly P[] {
  const next = [...known]
  for (const one of came) {
    const at = next.findIndex(({ userId }) => userId === one.userId)
    if (at < 0) next.push(one)
    else if (compareMoments(itemAt(next, at), one) < 0) next[at] = one
  }
  return next
}

/** Returns the users, except the sender, who have read a message. */
export const readersOf = <P extends Read>(
  message: Moment & { readonly senderId: number },
  positions: readonly P[],
): P[] => positions.filter((one) => one.userId !== message.senderId && compareMoments(message, one) <= 0)

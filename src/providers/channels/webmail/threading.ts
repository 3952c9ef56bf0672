import { bareSubject, isAnswer } from '#domain/messages/mail.ts'
import { lookUp } from '#domain/present.ts'

/** Mail with the data that determines its conversation. */
type Threaded = {
  readonly id: string
  /** Ids of the mails that it answers, the direct one first. */
  readonly parents: readonly string[]
  readonly subject: string
  /** Epoch ms. */
  readonly timestamp: number
}

/** Earlier message from or to the same sender. */
export type Earlier = { readonly conversationKey: string; readonly subject: string; readonly timestamp: number }

/** Age up to which an answer without ids joins a conversation by its subject, in ms. */
export const SUBJECT_MS = 7 * 86_400_000

/**
 * Returns the conversation of a mail: that of the first known id that it answers; else, for an answer, the newest one of the
 * same sender and subject within seven days; else a new one with the mail's id. `known`: conversations by id, `earlier`: the
 * sender's conversations.
 */
export function conversationOf(
  { id, parents, subject, timestamp }: Threaded,
  known: ReadonlyMap<string, string>,
  earlier: readonly Earlier[],
): string {
  const parent = parents.find((one) => known.has(one))
  if (parent !== undefined) return lookUp(known, parent)
  const bare = bareSubject(subject).toLowerCase()
  if (bare === '' || !isAnswer(subject)) return id
  const alike = earlier.filter(
    (one) =>
      bareSubject(one.subject).toLowerCase() === bare &&
      one.timestamp <= timestamp &&
      timestamp - one.timestamp <= SUBJECT_MS,
  )
  return alike.sort((a, b) => b.timestamp - a.timestamp)[0]?.conversationKey ?? id
}

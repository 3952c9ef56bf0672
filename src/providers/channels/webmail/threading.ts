import { bareSubject, isAnswer } from '#domain/messages/mail.ts'
import { lookUp } from '#domain/present.ts'

/** A mail as its conversation is looked for. */
type Threaded = {
  readonly id: string
  /** The ids that it answers, the direct one first. */
  readonly parents: readonly string[]
  readonly subject: string
  /** Epoch ms. */
  readonly timestamp: number
}

/** Something that the same sender wrote, or was written, before. */
export type Earlier = { readonly conversationKey: string; readonly subject: string; readonly timestamp: number }

/** So long an answer without any ids goes on where its subject says. */
export const SUBJECT_MS = 7 * 86_400_000

/**
 * The conversation of a mail. The first of the ids that it answers which is known decides; else, only of what says that it
 * is an answer, the newest conversation of the same sender with the same subject within seven days; else it begins one, which
 * bears its id. `known` says in which conversation an id stands, `earlier` is what its sender took part in.
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

import type { Ctx } from '#server/context.ts'
import type { LedgerTicket } from './ingest/ingest-queries.ts'

/** Words of a customer in a conversation that has no live ticket; `line` is the same for both spellings. */
export type Words = {
  readonly line: string
  readonly connectionId: number
  readonly spellings: readonly string[]
  /** Null for what is no text. */
  readonly text: string | null
  /** Epoch ms. */
  readonly at: number
}

/** What was said to a ticket that is closed: by words, the ticket in whose history they stand; and what to do once they do. */
export type Survey<W> = {
  readonly tickets: ReadonlyMap<W, LedgerTicket>
  /** Replies to the customers and tells the team; with the tickets as they are now. */
  answer(after: readonly LedgerTicket[]): Promise<void>
}

/** Takes, of a batch's words in order, those that answer a question to a closed ticket; others become tickets. */
export type SurveyHook = <W extends Words>(ctx: Ctx, words: readonly W[]) => Promise<Survey<W>>

let takeSurvey: SurveyHook = async () => ({ tickets: new Map(), answer: async () => {} })

/** Registers who takes the answers to surveys. */
export const onSurveyAnswers = (hook: SurveyHook): void => {
  takeSurvey = hook
}

/** Asks who takes the answers to surveys. */
export const surveyAnswers: SurveyHook = (ctx, words) => takeSurvey(ctx, words)

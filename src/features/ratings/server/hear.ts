import { readAnswer } from '#domain/ratings/answer.ts'
import { type Heard, hear } from '#domain/ratings/evaluation.ts'
import {
  type LedgerTicket,
  ledgerFacts,
  lockLedgerTicket,
  type Survey,
  say,
  type Words,
} from '#features/conversations/server/index.ts'
import type { Ctx } from '#server/context.ts'
import { ratesOf, replyFor } from './config.ts'
import { findStanding, lockStanding, type Standing, saveStanding } from './queries-asking.ts'
import { tellRating } from './tell.ts'

type Question = { ticket: LedgerTicket; standing: Standing; isChanged: boolean; reply: Heard['reply'] }

/**
 * Finds what customers say to a rating that they were asked for, in order, and writes down where each evaluation stands
 * then. All other words are left to become tickets, and so is everything that follows them.
 */
export async function hearRatings<W extends Words>(ctx: Ctx, words: readonly W[]): Promise<Survey<W>> {
  const questions = words.length > 0 ? await openQuestions(ctx, words) : new Map<string, Question>()
  const tickets = new Map<W, LedgerTicket>()
  const labels = questions.size > 0 ? ratesOf(ctx.settings).map(({ label }) => label) : []
  const over = new Set<string>()
  for (const said of words) {
    const question = questions.get(said.line)
    if (!question || over.has(said.line)) continue
    const reading = said.text === null ? ({ kind: 'other' } as const) : readAnswer(said.text, labels)
    const { isTaken, next, reply } = hear(question.standing.evaluation, reading, said.at)
    question.isChanged ||= next !== question.standing.evaluation
    question.standing = { ...question.standing, evaluation: next }
    question.reply = reply ?? question.reply
    if (isTaken) tickets.set(said, question.ticket)
    else over.add(said.line)
  }
  const changed = [...questions.values()].filter(({ isChanged }) => isChanged)
  for (const { standing } of changed) await saveStanding(ctx.db, standing, ctx.now)
  return { tickets, answer: (after) => answer(ctx, changed, after) }
}

async function openQuestions(ctx: Ctx, words: readonly Words[]): Promise<Map<string, Question>> {
  const lines = new Map(words.map((said) => [said.line, said]))
  const questions = new Map<string, Question>()
  for (const found of await findStanding(ctx.db, [...lines.values()])) {
    const ticket = await lockLedgerTicket(ctx.db, found.ticketId)
    const standing = ticket && (await lockStanding(ctx.db, found.id))
    const line = [...lines.values()].find(
      ({ connectionId, spellings }) => connectionId === found.connectionId && spellings.includes(found.conversationKey),
    )?.line
    if (standing && line !== undefined) questions.set(line, { ticket, standing, isChanged: false, reply: null })
  }
  return questions
}

async function answer(ctx: Ctx, questions: readonly Question[], after: readonly LedgerTicket[]): Promise<void> {
  for (const { ticket, standing, reply } of questions) {
    const { evaluation } = standing.evaluation
    const now = after.find(({ id }) => id === ticket.id) ?? ticket
    const text = reply && replyFor(ctx.settings, reply, evaluation)
    if (text) await say(ctx, now, text, 'evaluation')
    tellRating(ctx, now.id, ledgerFacts(now), evaluation)
  }
}

import { readAnswer } from '#domain/ratings/answer.ts'
import { type AnswerOutcome, applyAnswer } from '#domain/ratings/rating.ts'
import {
  type Hook,
  type HookItem,
  type LedgerTicket,
  ledgerFacts,
  lockLedgerTickets,
} from '#features/conversations/server/index.ts'
import type { Ctx } from '#server/context.ts'
import { ratesOf, replyFor } from './config.ts'
import { publishRating } from './publish.ts'
import { findPendingSurveys, lockStandings, type PendingSurvey, saveStandings } from './queries-asking.ts'

type Words = HookItem<'onArrival'>
type Question = { ticket: LedgerTicket; standing: PendingSurvey; isChanged: boolean; reply: AnswerOutcome['reply'] }

/**
 * Finds what customers say to a rating that they were asked for, in order, and writes down where each evaluation stands
 * then. All other words are left to become tickets, and so is everything that follows them.
 */
export const takeRatingAnswers: Hook<'onArrival'> = {
  name: 'hear-ratings',
  run: async (ctx, batch) => {
    const questions = await openQuestions(ctx, batch)
    if (questions.size === 0) return {}
    const answers = new Map<Words, LedgerTicket>()
    const labels = ratesOf(ctx.settings).map(({ label }) => label)
    const over = new Set<string>()
    for (const words of batch) {
      const question = questions.get(words.conversation)
      if (!question || over.has(words.conversation)) continue
      const reading = words.text === null ? ({ kind: 'other' } as const) : readAnswer(words.text, labels)
      const { isTaken, next, reply } = applyAnswer(question.standing.evaluation, reading, words.at)
      question.isChanged ||= next !== question.standing.evaluation
      question.standing = { ...question.standing, evaluation: next }
      question.reply = reply ?? question.reply
      if (isTaken) answers.set(words, question.ticket)
      else over.add(words.conversation)
    }
    const changed = [...questions.values()].filter(({ isChanged }) => isChanged)
    if (changed.length > 0)
      await saveStandings(
        ctx.db,
        changed.map(({ standing }) => standing),
        ctx.now,
      )
    for (const { ticket, standing } of changed)
      publishRating(ctx, ticket.id, ledgerFacts(ticket), standing.evaluation.evaluation)
    const messages = changed.flatMap(({ ticket, standing, reply }) => {
      const text = reply && replyFor(ctx.settings, reply, standing.evaluation.evaluation)
      return text ? [{ ticketId: ticket.id, text, sendType: 'evaluation' }] : []
    })
    return { answers, messages }
  },
}

async function openQuestions(ctx: Ctx, batch: readonly Words[]): Promise<Map<string, Question>> {
  const conversations = [...new Map(batch.map((words) => [words.conversation, words])).values()]
  const found = await findPendingSurveys(ctx.db, conversations)
  if (found.length === 0) return new Map()
  const tickets = await lockLedgerTickets(
    ctx.db,
    found.map(({ ticketId }) => ticketId),
  )
  const standings = await lockStandings(
    ctx.db,
    found.map(({ id }) => id),
  )
  return new Map(
    standings.flatMap((standing) => {
      const ticket = tickets.find(({ id }) => id === standing.ticketId)
      const { connectionId, conversationKey } = found.find(({ id }) => id === standing.id)!
      const words = conversations.find(
        (of) => of.connectionId === connectionId && of.spellings.includes(conversationKey),
      )
      return ticket && words ? [[words.conversation, { ticket, standing, isChanged: false, reply: null }] as const] : []
    }),
  )
}

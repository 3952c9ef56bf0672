import { firstOf, present } from '#domain/present.ts'
import { type Reading, readAnswer } from '#domain/ratings/answer.ts'
import { type AnswerOutcome, applyAnswer } from '#domain/ratings/rating.ts'
import { LANGUAGES, translated } from '#domain/webchat/languages.ts'
import type { Hook, HookItem } from '#features/ledger/server/hooks/index.ts'
import { type LedgerTicket, ledgerFacts, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import type { Ctx } from '#server/context.ts'
import { ratesOf, replyFor } from './config.ts'
import { publishRating } from './publish.ts'
import { findPendingSurveys, lockPendingSurveys, type PendingSurvey, savePendingSurveys } from './queries-asking.ts'

type Arrival = HookItem<'onArrival'>
type Question = { ticket: LedgerTicket; survey: PendingSurvey; isChanged: boolean; reply: AnswerOutcome['reply'] }

/**
 * Hook that recognizes customers' answers to rating questions, in order, and stores the new states. All other messages, and
 * those that follow them, become tickets.
 */
export const takeRatingAnswers: Hook<'onArrival'> = {
  name: 'hear-ratings',
  run: async (ctx, batch) => {
    const questions = await openQuestions(ctx, batch)
    if (questions.size === 0) return {}
    const answers = new Map<Arrival, LedgerTicket>()
    const labels = ratesOf(ctx.settings).map(({ label }) => label)
    const over = new Set<string>()
    for (const message of batch) {
      const question = questions.get(message.conversation)
      if (!question || over.has(message.conversation)) continue
      const reading = message.text === null ? ({ kind: 'other' } as const) : readIn(message.text, labels)
      const { isTaken, next, reply } = applyAnswer(question.survey.evaluation, reading, message.at)
      question.isChanged ||= next !== question.survey.evaluation
      question.survey = { ...question.survey, evaluation: next }
      question.reply = reply ?? question.reply
      if (isTaken) answers.set(message, question.ticket)
      else over.add(message.conversation)
    }
    const changed = [...questions.values()].filter(({ isChanged }) => isChanged)
    if (changed.length > 0)
      await savePendingSurveys(
        ctx.db,
        changed.map(({ survey }) => survey),
        ctx.now,
      )
    for (const { ticket, survey } of changed)
      publishRating(ctx, ticket.id, ledgerFacts(ticket), survey.evaluation.evaluation)
    const messages = changed.flatMap(({ ticket, survey, reply }) => {
      const text = reply && replyFor(ctx.settings, reply, survey.evaluation.evaluation)
      return text ? [{ ticketId: ticket.id, text, sendType: 'evaluation' }] : []
    })
    return { answers, messages }
  },
}

// Default rating labels are shown to webchat visitors in their language.
function readIn(text: string, labels: readonly string[]): Reading {
  const readings = LANGUAGES.map((language) =>
    readAnswer(
      text,
      labels.map((label) => translated(label, language)),
    ),
  )
  return readings.find(({ kind }) => kind === 'rating') ?? firstOf(readings)
}

async function openQuestions(ctx: Ctx, batch: readonly Arrival[]): Promise<Map<string, Question>> {
  const conversations = [...new Map(batch.map((message) => [message.conversation, message])).values()]
  const found = await findPendingSurveys(ctx.db, conversations)
  if (found.length === 0) return new Map()
  const tickets = await lockLedgerTickets(
    ctx.db,
    found.map(({ ticketId }) => ticketId),
  )
  const surveys = await lockPendingSurveys(
    ctx.db,
    found.map(({ id }) => id),
  )
  return new Map(
    surveys.flatMap((survey) => {
      const ticket = tickets.find(({ id }) => id === survey.ticketId)
      const { connectionId, conversationKey } = present(found.find(({ id }) => id === survey.id))
      const message = conversations.find(
        (of) => of.connectionId === connectionId && of.spellings.includes(conversationKey),
      )
      return ticket && message
        ? [[message.conversation, { ticket, survey, isChanged: false, reply: null }] as const]
        : []
    }),
  )
}

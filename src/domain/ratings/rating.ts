import type { Reading } from './answer.ts'

/** State of a rating; `left`: the customer wrote about something else, or the question was asked again. */
export const RATING_STATUSES = ['asked', 'answered', 'invalid', 'expired', 'left'] as const

/** One of them. */
export type RatingStatus = (typeof RATING_STATUSES)[number]

/** A question put to a customer; times in epoch ms. */
export type Rating = {
  readonly status: RatingStatus
  readonly evaluation: number | null
  readonly attempts: number
  readonly askedAt: number
  readonly expiresAt: number
}

/**
 * Effect of a message: whether it answers the rating (else it is an ordinary message), the new state (the same object if
 * unchanged), and the reply.
 */
export type AnswerOutcome = {
  readonly isTaken: boolean
  readonly next: Rating
  readonly reply: 'thanks' | 'error' | 'over' | null
}

const MOST_ATTEMPTS = 3
/** A customer's clock may be so far behind ours that the answer seems to come before the question. */
const CLOCKS_DIFFER_MS = 30_000

/**
 * A message written at a moment, to a customer's pending survey. A rating is taken until the time is over, also a
 * second one that corrects the first; three attempts that are none end it; whatever is something else is left alone
 * and ends the question. What was written before it, and comes late or once more, does neither.
 */
export function applyAnswer(evaluation: Rating, reading: Reading, at: number): AnswerOutcome {
  const { status, attempts, askedAt, expiresAt } = evaluation
  const left = (becomes: RatingStatus = status): AnswerOutcome => ({
    isTaken: false,
    next: becomes === status ? evaluation : { ...evaluation, status: becomes },
    reply: null,
  })
  if (status !== 'asked' && status !== 'answered') return left()
  if (at >= expiresAt) return left(status === 'asked' ? 'expired' : status)
  const isReply = at >= askedAt - CLOCKS_DIFFER_MS
  if (isReply && reading.kind === 'rating') {
    const { rating } = reading
    if (rating === evaluation.evaluation) return { isTaken: true, next: evaluation, reply: null }
    return { isTaken: true, next: { ...evaluation, status: 'answered', evaluation: rating }, reply: 'thanks' }
  }
  if (status === 'answered' || !isReply) return left()
  if (reading.kind === 'other') return left('left')
  const isOver = attempts + 1 >= MOST_ATTEMPTS
  return {
    isTaken: true,
    next: { ...evaluation, attempts: attempts + 1, status: isOver ? 'invalid' : 'asked' },
    reply: isOver ? 'over' : 'error',
  }
}

/** The mean of ratings given as amounts of 0, 1, … 5; null without any. */
export function averageOf(amounts: readonly number[]): number | null {
  const answered = amounts.reduce((sum, amount) => sum + amount, 0)
  if (answered === 0) return null
  return amounts.reduce((sum, amount, rating) => sum + amount * rating, 0) / answered
}

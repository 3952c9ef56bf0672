import type { Reading } from './answer.ts'

/** State of a rating; `left`: the customer wrote about something else, or the question was asked again. */
export const RATING_STATUSES = ['asked', 'answered', 'invalid', 'expired', 'left'] as const

/** Status of a rating. */
export type RatingStatus = (typeof RATING_STATUSES)[number]

/** Rating request to a customer; times in epoch ms. */
export type Rating = {
  readonly status: RatingStatus
  readonly evaluation: number | null
  readonly attempts: number
  readonly askedAt: number
  readonly expiresAt: number
}

/**
 * Effect of a message: whether it belongs to the rating (else it is a separate matter), the new state (the same object if
 * unchanged), and the reply.
 */
export type AnswerOutcome = {
  readonly isTaken: boolean
  readonly next: Rating
  readonly reply: 'thanks' | 'error' | 'over' | null
}

const MOST_ATTEMPTS = 3
/** Tolerance for a customer's clock that is slow, so that the answer seems to precede the question. */
const CLOCKS_DIFFER_MS = 30_000

/**
 * Applies a message written at a moment to a customer's pending rating. Ratings are accepted until the expiry, including a
 * second one as correction; three unreadable attempts end the request, as does a message about something else. Messages
 * written before the request that arrive late or twice have no effect.
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

/** Returns the mean of ratings, given as counts of 0, 1, … 5; null without any. */
export function averageOf(amounts: readonly number[]): number | null {
  const answered = amounts.reduce((sum, amount) => sum + amount, 0)
  if (answered === 0) return null
  return amounts.reduce((sum, amount, rating) => sum + amount * rating, 0) / answered
}

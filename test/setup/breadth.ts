const isWide = process.env['TEST_BREADTH'] === 'wide'

/** How much of something is tried: `each` at every commit, `wide` in the rounds of `npm run test:wide`. */
export const breadth = (each: number, wide: number): number => (isWide ? wide : each)

/** Of ways of breaking something, the one whose day it is; all of them in the rounds. */
export const inTurn = <T>(ways: readonly T[]): readonly T[] =>
  isWide ? ways : [ways[Math.floor(Date.now() / 86_400_000) % ways.length]!]

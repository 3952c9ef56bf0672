const isWide = process.env['TEST_BREADTH'] === 'wide'

/** Returns how many cases to test: `each` at every commit, `wide` in the rounds of `npm run test:wide`. */
export const breadth = (each: number, wide: number): number => (isWide ? wide : each)

/** Returns one of several ways to break something, chosen by date; all of them in the wide rounds. */
export const inTurn = <T>(ways: readonly T[]): readonly T[] =>
  isWide ? ways : [ways[Math.floor(Date.now() / 86_400_000) % ways.length]!]

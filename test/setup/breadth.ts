const isWide = process.env['TEST_BREADTH'] === 'wide'

/** How much of something is tried: `each` at every commit, `wide` in the rounds of `npm run test:wide`. */
export const breadth = (each: number, wide: number): number => (isWide ? wide : each)

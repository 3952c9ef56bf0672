import { describe, expect, it } from 'vitest'
import { checkCrash, checkMigration } from './check.ts'
import { startChild } from './processes.ts'
import { crashPoints } from './scenario.ts'

describe('killed without a word, the product loses and doubles nothing', () => {
  it.each(crashPoints.filter((point) => point !== 'provider accepted'))(
    'at: %s (twice)',
    (point) => checkCrash(point, 2),
    60_000,
  )
  // More often than a job is tried: what a stopped process gave up is taken up again.
  it('at: provider accepted (seven times)', () => checkCrash('provider accepted', 7), 90_000)
  it('during a migration (twice)', () => checkMigration(2), 60_000)
  it('a product that cannot start is given up at once, with its last words', async () => {
    await expect(startChild({ PORT: 'none' })).rejects.toThrow(/did not start \(1\): .*PORT/s)
  })
})

import { describe, expect, it } from 'vitest'
import { checkCrash, checkMigration } from './check.ts'
import { startChild } from './processes.ts'
import { crashPoints } from './scenario.ts'

describe('killed without a word, the product loses and doubles nothing', () => {
  // One of the points at each commit, all of them twenty times in the round.
  it.each(crashPoints.slice(0, 1))('at: %s', (point) => checkCrash(point, 1), 60_000)
  it('during a migration', () => checkMigration(1), 60_000)
  it('a product that cannot start is given up at once, with its last words', async () => {
    await expect(startChild({ PORT: 'none' })).rejects.toThrow(/did not start \(1\): .*PORT/s)
  })
})

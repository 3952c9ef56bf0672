import { describe, it } from 'vitest'
import { checkCrash, checkMigration } from './check.ts'
import { crashPoints } from './scenario.ts'

describe('killed without a word, the product loses and doubles nothing', () => {
  it.each(crashPoints)('at: %s (twice)', (point) => checkCrash(point, 2), 60_000)
  it('during a migration (twice)', () => checkMigration(2), 60_000)
})

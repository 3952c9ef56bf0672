import { describe, it } from 'vitest'
import { checkCrash, checkMigration } from './check.ts'
import { crashPoints } from './scenario.ts'

// More often than a job is tried: what a stopped process gave up is taken up again.
describe('killed twenty times at each point, the product loses and doubles nothing', () => {
  it.each(crashPoints)('at: %s', (point) => checkCrash(point, 20))
  it('during a migration', () => checkMigration(20))
})

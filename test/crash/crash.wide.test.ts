import { describe, it } from 'vitest'
import { checkCrash, checkMigration } from './check.ts'
import { crashPoints } from './scenario.ts'

describe('killed twenty times at each point, the product loses and doubles nothing', () => {
  it.each(crashPoints)('at: %s', (point) => checkCrash(point, 20))
  it('during a migration', () => checkMigration(20))
})

import { it } from 'vitest'
import { checkRestarts } from './restarts.ts'

it('a database that is restarted eight times under load', () => checkRestarts(8), 120_000)

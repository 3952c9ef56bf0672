import { it } from 'vitest'
import { crashFlows } from './flows.ts'

// Between what is written; the other points in the wide round.
it.each(['flow carried out'] as const)(
  'killed without a word at “%s”, a flow says each of its words once',
  (point) => crashFlows(point, { times: 1, conversations: 6 }),
  60_000,
)

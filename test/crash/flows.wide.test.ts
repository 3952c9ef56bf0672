import { it } from 'vitest'
import { crashFlows, flowPoints } from './flows.ts'

// The wide round kills a few times at each point; `CRASH_TIMES=20` (and another `CRASH_SEED`) is the whole of it.
const times = Number(process.env['CRASH_TIMES'] ?? 5)
const seed = Number(process.env['CRASH_SEED'] ?? 20_261)

it.each(flowPoints)(
  `killed ${times} times at “%s” (seed ${seed}), flows of forty conversations say each of their words once`,
  (point) => crashFlows(point, { times, conversations: 40, seed }),
)

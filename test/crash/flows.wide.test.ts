import { it } from 'vitest'
import { crashFlows, flowPoints } from './flows.ts'

it.each(flowPoints)('killed twenty times at “%s”, flows of forty conversations say each of their words once', (point) =>
  crashFlows(point, { times: 20, conversations: 40 }),
)

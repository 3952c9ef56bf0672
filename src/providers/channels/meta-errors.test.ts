import { expect, test } from 'vitest'
import { failureOf, GraphRefusal } from './meta/graph.ts'
import { eventsIn } from './meta/inbound.ts'
import { META_ERRORS, refusalOf } from './meta-errors.ts'

/** Error codes of the sheet: those that are retried, those that stop the connection, and others. */
const repeats = [4, 613, 80007, 130429, 131056, 131000, 131016, 131057]
const stops = [0, 190, 131031, 368]
const refused = [
  551,
  ...[10, 100, 131008, 131009, 131048, 131049, 131050, 131047, 131026, 131021, 131030, 131042, 131051, 131052, 131053],
  ...[132000, 132001, 132005, 132007, 132012, 132015, 132016, 133005, 133006, 133008, 133009, 133010, 133016],
]

test('every code of the sheet has a sentence that says what to do, and no other has', () => {
  expect(Object.keys(META_ERRORS).map(Number).sort()).toEqual([...repeats, ...stops, ...refused].map(Number).sort())
  for (const { text } of Object.values(META_ERRORS)) expect(text).toMatch(/^\p{Lu}.{20,}\.$/u)
})

test.each([...repeats, ...stops, ...refused])('%i', (code) => {
  const { isRepeated, stops: cause } = refusalOf(code)
  expect([isRepeated, cause !== undefined]).toEqual([!refused.includes(code), stops.includes(code)])
})

test.each([...repeats, ...stops, ...refused, 200, 299, 987654])('%i as an answer and as a status', (code) => {
  const { text, after, isRepeated, isUnpaid, stops: cause } = refusalOf(code)
  const failure = failureOf(new GraphRefusal(400, { code }), false)
  expect({ ...failure, message: failure.message }).toEqual({
    ...{ kind: isRepeated ? 'unreachable' : 'refused', message: text },
    ...(isUnpaid && { isUnpaid }),
    ...(cause && { stops: cause }),
  })
  const value = {
    metadata: { phone_number_id: 'P' },
    statuses: [{ id: 'wamid.1', status: 'failed', errors: [{ code }] }],
  }
  const call = { object: 'whatsapp_business_account', entry: [{ id: 'W', changes: [{ field: 'messages', value }] }] }
  const [{ event } = {}] = eventsIn(JSON.stringify(call)).events
  expect(event).toMatchObject({ type: 'receipt', error: after })
  expect(event && 'stops' in event ? event.stops : undefined).toBe(cause)
})

test.each([
  [null, 429, true, /limite/],
  [null, 503, true, /indisponível/],
  [null, 400, false, /^A Meta recusou a mensagem\.$/],
  [999999, 400, false, /^A Meta recusou a mensagem \(código 999999\)\.$/],
  [200, 403, false, /permissão/],
  [299, 403, false, /permissão/],
  [300, 403, false, /código 300/],
] as const)('code %s with %i', (code, status, isRepeated, text) => {
  expect(refusalOf(code, status)).toMatchObject({ isRepeated, text: expect.stringMatching(text) })
})

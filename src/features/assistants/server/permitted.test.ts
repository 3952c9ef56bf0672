import { expect, test } from 'vitest'
import { ASSISTANTS } from '#domain/tickets/assistants.ts'
import { settings } from '../settings.ts'
import { everywhereBy, permittedBy } from './permitted.ts'

const plan = { channels: null, excluded: [] }
const valuesWith = (...enabled: string[]) =>
  Object.fromEntries(Object.keys(settings).map((key) => [key, enabled.includes(key) ? 'enabled' : 'disabled'])) as never

test.each(ASSISTANTS)('%s answers by its own two settings, and by no other', (name) => {
  expect([...permittedBy({ values: valuesWith(name), plan })]).toEqual([name])
  expect([...everywhereBy({ values: valuesWith(`${name}AllTickets`) })]).toEqual([name])
})

test('none answers where the plan has no assistants', () => {
  const values = valuesWith(...ASSISTANTS)
  expect(permittedBy({ values, plan: { channels: null, excluded: ['assistants'] } }).size).toBe(0)
})

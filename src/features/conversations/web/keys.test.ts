import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const keysOf = (file: string) =>
  new Set(
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/shortcut: '([^']+)'/g)].map(([, key]) => key),
  )

test('what is done to a ticket and what is done in its conversation have no key in common', () => {
  const [ofTicket, ofConversation] = [keysOf('ticket-acts/commands.ts'), keysOf('acts/extra.ts')]
  expect(ofTicket.size).toBeGreaterThan(3)
  expect(ofConversation.size).toBeGreaterThan(1)
  expect([...ofConversation].filter((key) => ofTicket.has(key))).toEqual([])
})

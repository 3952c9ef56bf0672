import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const keysOf = (file: string) =>
  new Set(
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/shortcut: '([^']+)'/g)].map(([, key]) => key),
  )

test('what is done to a ticket and what is done in its conversation have no key in common', () => {
  const [ofTicket, ofConversation] = [keysOf('commands/commands.ts'), keysOf('commands/extra.ts')]
  expect(ofTicket.size).toBeGreaterThan(3)
  expect(ofConversation.size).toBeGreaterThan(1)
  expect([...ofConversation].filter((key) => ofTicket.has(key))).toEqual([])
})

test('a key that two commands of a ticket share is theirs in turn', () => {
  const text = readFileSync(join(import.meta.dirname, 'commands/commands.ts'), 'utf8')
  // Splits the file into commands, from one id to the next.
  const commands = text.split(/(?=\bid: ')/).flatMap((part) => {
    const [, id] = /^id: '([^']+)'/.exec(part) ?? []
    const [, key] = /shortcut: '([^']+)'/.exec(part) ?? []
    return id && key ? [{ id, key, isAlways: !part.includes('when: ') }] : []
  })
  expect(commands.length).toBeGreaterThan(5)
  const shared = commands.filter(({ key, id }) => commands.some((one) => one.key === key && one.id !== id))
  expect(shared.filter(({ isAlways }) => isAlways)).toEqual([])
})

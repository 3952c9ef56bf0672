import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Requirements of the specification, sentence by sentence, with the tests that prove them (decision B35).
type Entry = {
  id: string
  kind: string
  text: string
  state: 'done' | 'pending' | 'declined'
  proof?: string
  decision?: string
}

const root = new URL('../', import.meta.url)
const entries = JSON.parse(readFileSync(new URL('test/specification.json', root), 'utf8')) as Entry[]
const sources = new Map<string, string>()
const source = (file: string): string => {
  const path = new URL(file, root)
  const text = sources.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
  sources.set(file, text)
  return text
}

test('every entry is named once', () => {
  expect(entries.length).toBeGreaterThan(500)
  expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
})

test.each(entries.filter((entry) => entry.state === 'done'))(
  '$id is proven by a test that exists',
  ({ proof = '' }) => {
    const [file, name] = proof.split(' › ') as [string, string | undefined]
    expect(file).toMatch(/\.(test|spec)\.tsx?$/)
    expect(name?.length ?? 0).toBeGreaterThan(3)
    const text = source(file)
    // A name follows the call of a test, or of a table of tests.
    expect(
      text.split('\n').some((line) => /\b(test|it|describe|each)\b|\)\(|^\s*['`]/.test(line) && line.includes(name!)),
    ).toBe(true)
  },
)

test('what is declined names its decision, what is pending claims no proof', () => {
  for (const entry of entries) {
    if (entry.state === 'declined') expect(entry.decision).toMatch(/^(decision )?[AB]\d+$|^docs\/decisions\//)
    if (entry.state === 'pending') expect(entry.proof).toBeUndefined()
  }
})

import { describe, expect, test } from 'vitest'
import { momentOf } from './datetime.ts'
import { type Field, KINDS, kindOf, schemaOf } from './kinds.ts'
import { masked } from './secret.ts'

const to = { table: 'tags', list: {} as never, name: 'tag' }
/** Returns a field of a kind, with the options that the kind requires. */
const fieldOf = (kind: Field['kind']): Field =>
  ({ kind, label: kind, options: { a: 'Alfa', b: 'Beta' }, variables: {}, to }) as never

describe.each(KINDS)('%s', (kind) => {
  const field = fieldOf(kind)
  const { empty, samples, toText, fromText } = kindOf(field)
  const { good, bad } = samples(field)
  const reader = { zone: 'America/Sao_Paulo' }

  test('takes what is good, and what it starts with', () => {
    for (const value of [...good, empty]) expect(schemaOf(field).safeParse(value)).toMatchObject({ success: true })
  })

  test('refuses what is bad with a sentence in Portuguese', () => {
    expect(bad.length).toBeGreaterThan(2)
    for (const value of bad) {
      const { error } = schemaOf(field).safeParse(value)
      expect(error?.issues[0]?.message, JSON.stringify(value)).toMatch(/^(?!Invalid|Expected|Too |Unrec).+\.$/)
    }
  })

  test('is the same again from a file', () => {
    if (kind === 'secret') return expect(good.map((value) => toText(value, field, reader))).not.toContain(good[0])
    for (const value of [...good, empty]) {
      const read = fromText(toText(value, field, reader), field, reader)
      expect(schemaOf(field).parse(read)).toEqual(schemaOf(field).parse(value))
    }
  })

  test('is refused when it is required and left out', () => {
    if (kind === 'boolean' || kind === 'color') return
    expect(schemaOf({ ...field, required: true } as Field).safeParse(empty).success).toBe(false)
  })
})

test('choices, yes and no, sums and days are read as people write them', () => {
  const read = (kind: Field['kind'], text: string) =>
    kindOf(fieldOf(kind)).fromText(text, fieldOf(kind), { zone: 'America/Sao_Paulo' })
  expect(read('choice', ' alfa ')).toBe('a')
  expect(read('choice', 'gama')).toBe('gama')
  expect(['sim', 'NÃO', '1', ''].map((text) => read('boolean', text))).toEqual([true, false, true, false])
  expect(read('money', 'R$ 1.234,5')).toBe('1234.50')
  expect(read('number', '1.234.567,25')).toBe(1_234_567.25)
  expect(read('number', '12 laranjas')).toBe('12 laranjas')
  expect(read('date', '31/12/2026')).toBe('2026-12-31')
  expect(read('datetime', '20/11/2026 09:30')).toBe('2026-11-20T12:30:00.000Z')
  expect(read('phone', '(19) 9812-4407')).toBe('+5519998124407')
  expect(momentOf('2018-11-04T00:30', 'America/Sao_Paulo')).toMatch(/^2018-11-04T/)
})

test('a secret is known again by its end, where it is long enough', () => {
  expect(masked('chave-de-teste-9876')).toBe('••••9876')
  expect(masked('curta')).toBe('••••')
  expect(masked('')).toBe('')
})

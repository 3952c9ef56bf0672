import { expect, test } from 'vitest'
import { valuesSchema } from '#kit/provider-fields.ts'
import { channelAdapters } from './adapters.ts'
import { capabilitiesOf, channelConfigs, channelType, channelTypeIds, maxFileBytes } from './configs.ts'

test('every channel stands in both lists, and no two have the same name on the wire', () => {
  expect(channelConfigs.map(({ id }) => id).sort()).toEqual(Object.keys(channelAdapters).sort())
  expect(channelTypeIds()).toHaveLength(new Set(channelTypeIds()).size)
  expect(channelTypeIds()).toEqual(expect.arrayContaining(['webchat', 'lab']))
})

test('configs are data: what the browser gets survives being written down', () => {
  expect(JSON.parse(JSON.stringify(channelConfigs))).toEqual(channelConfigs)
})

test('a type that this version does not have can do nothing', () => {
  expect(channelType('telex')).toBeUndefined()
  expect(maxFileBytes(capabilitiesOf('telex'))).toBe(0)
  expect(capabilitiesOf('telex')).toMatchObject({ maxTextLength: 0, begins: 'contact', idempotentSending: false })
})

test.each([
  [{ kind: 'text', isRequired: true }, 'Loja', ['', '  ', 3, null, undefined, 'x'.repeat(301)]],
  [{ kind: 'text' }, '', [3, null]],
  [{ kind: 'longtext' }, 'x'.repeat(5000), ['x'.repeat(5001)]],
  [{ kind: 'number', min: 1, max: 9 }, 5, [0, 10, '5', Number.NaN]],
  [{ kind: 'boolean' }, true, ['true', 1]],
  [{ kind: 'choice', choices: [{ value: 'a', label: 'A' }] }, 'a', ['b', '']],
  [{ kind: 'url' }, 'https://a.example/x', ['a.example', 'ftp://a.example', 'javascript:alert(1)', 'file:///etc']],
  [{ kind: 'secret', isRequired: true }, 'chave', ['', undefined]],
  [{ kind: 'email' }, 'ana@loja.com.br', ['ana', 'ana@']],
  [{ kind: 'phone' }, '+55 11 98888-7777', ['123', 'abc']],
  [{ kind: 'color' }, '#1C5D99', ['red', '#12']],
] as const)('a field %j takes %j and refuses %j', (field, good, bad) => {
  const schema = valuesSchema([{ name: 'x', label: 'X', ...field } as never])
  expect(schema.safeParse({ x: good })).toMatchObject({ success: true, data: { x: good } })
  for (const value of bad) expect([value, schema.safeParse({ x: value }).success]).toEqual([value, false])
  expect(schema.safeParse({ x: good, y: 1 }).success).toBe(false)
})

import { expect, test } from 'vitest'
import type { AppError } from './errors.ts'
import * as provider from './provider.ts'

test.each([
  [{ kind: 'text', required: true }, 'Loja', ['', '  ', 3, null, undefined, 'x'.repeat(256)]],
  [{ kind: 'text' }, '', [3, null]],
  [
    { kind: 'text', format: 'host' },
    'smtp.loja.com.br',
    ['smtp loja', 'loja.test\r\nRCPT TO:<x>', 'https://loja.test'],
  ],
  [{ kind: 'longtext' }, 'x'.repeat(4000), ['x'.repeat(4001)]],
  [{ kind: 'number', min: 1, max: 9 }, 5, [0, 10, '5', Number.NaN]],
  [{ kind: 'boolean' }, true, ['true', 1]],
  [{ kind: 'choice', options: { a: 'A' } }, 'a', ['b', '']],
  [{ kind: 'url' }, 'https://a.example/x', ['a.example', 'ftp://a.example', 'javascript:alert(1)', 'file:///etc']],
  [
    { kind: 'url', isBase: true },
    'http://localhost:80/x',
    ['http://a.example', 'https://a.example/?x', 'https://u@a.example'],
  ],
  [{ kind: 'secret', required: true }, 'chave', ['', undefined]],
  [{ kind: 'email' }, 'ana@loja.com.br', ['ana', 'ana@']],
  [{ kind: 'phone' }, '+5511988887777', ['123', 'abc']],
  [{ kind: 'color' }, '#1C5D99', ['red', '#12']],
] as const)('a field %j takes %j and refuses %j', (field, good, bad) => {
  const schema = provider.valuesSchema({ x: { label: 'X', ...field } as never })
  expect(schema.safeParse({ x: good })).toMatchObject({ success: true, data: { x: good } })
  for (const value of bad) expect([value, schema.safeParse({ x: value }).success]).toEqual([value, false])
  expect(schema.safeParse({ x: good, y: 1 }).success).toBe(false)
})

const fields = {
  address: { kind: 'url', label: 'Endereço', required: true, missing: 'Informe o endereço.' },
  user: { kind: 'text', label: 'Usuário', asksAgain: true },
  safety: {
    kind: 'choice',
    label: 'Segurança',
    options: { tls: 'TLS', none: 'Nenhuma' },
    asksAgain: ['none'],
    default: 'tls',
  },
  port: { kind: 'number', label: 'Porta', default: 465, usual: { of: 'safety', is: { tls: 465, none: 25 } } },
  key: { kind: 'secret', label: 'Chave', again: 'Informe a chave de novo.' },
  note: { kind: 'text', label: 'Nota' },
} as const satisfies provider.ProviderFields
const KEY = 'chave-de-teste-9876'
const form = { ...provider.startValues(fields), address: 'https://a.test', key: KEY }
const encrypt = (plain: string) => plain.split('').reverse().join('')
const merge = (values: object, before: provider.StoredValues = provider.NO_VALUES) =>
  provider.mergeValues(fields, { ...form, ...values }, before, { encrypt })
const refusal = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as AppError).details
  }
  return null
}

test('a secret is kept apart, encrypted, and shown by its end', () => {
  const kept = merge({})
  expect(kept.config).toEqual({ address: 'https://a.test', user: '', safety: 'tls', port: 465, note: '' })
  expect(kept.secrets).toEqual({ key: { encrypted: encrypt(KEY), hint: '9876' } })
  expect(provider.shownValues(fields, kept)).toEqual({ ...form, key: '••••9876' })
  expect(provider.plainValues(kept, encrypt)).toEqual(form)
  expect(provider.shownValues(fields, provider.NO_VALUES)).toEqual({ key: '' })
})

test('what was shown of a secret, sent back, changes nothing; anything else replaces it, nothing removes it', () => {
  const before = merge({})
  expect(merge({ key: '••••9876', note: 'outra' }, before).secrets['key']).toBe(before.secrets['key'])
  expect(merge({ key: 'nova' }, before).secrets).toEqual({ key: { encrypted: 'avon', hint: '' } })
  expect(merge({ key: '' }, before).secrets).toEqual({})
  for (const key of ['••••', '••••0000', '••••98765'])
    expect(refusal(() => merge({ key }, before))).toEqual({ key: 'Informe a chave de novo.' })
  expect(refusal(() => merge({ key: '••••9876' }))).toEqual({ key: 'Informe a chave de novo.' })
})

test.each([
  [{ address: 'https://b.test' }, true],
  [{ user: 'outro' }, true],
  [{ safety: 'none' }, true],
  [{ port: 25 }, false],
  [{ note: 'outra' }, false],
])('after %j the secret is asked for again: %s', (change, isAsked) => {
  const before = merge({})
  expect(refusal(() => merge({ ...change, key: '••••9876' }, before)) !== null).toBe(isAsked)
  expect(refusal(() => merge({ ...change, key: KEY }, before))).toBeNull()
})

test('a protection that gets stronger keeps the secret', () => {
  const before = merge({ safety: 'none' })
  expect(refusal(() => merge({ key: '••••9876' }, before))).toBeNull()
})

test('a draft may leave empty what is required, and is told so when it is switched on', () => {
  const shape = provider.shapeOf(fields, { isDraft: true })
  expect(shape.address.safeParse('').success).toBe(true)
  expect(provider.shapeOf(fields).address.safeParse('').success).toBe(false)
  expect(provider.missingOf(fields, { ...form, address: '' })).toEqual({ address: 'Informe o endereço.' })
  expect(provider.missingOf(fields, form)).toEqual({})
})

test('what usually goes with a choice follows it, until a person says otherwise', () => {
  expect(provider.withUsual(fields, form, 'safety', 'none')).toMatchObject({ safety: 'none', port: 25 })
  expect(provider.withUsual(fields, { ...form, port: 2525 }, 'safety', 'none')).toMatchObject({ port: 2525 })
  expect(provider.withUsual(fields, form, 'note', 'x')).toEqual({ ...form, note: 'x' })
})

test('a field that means something beside one value only is drawn with that one', () => {
  const both = { ...fields, note: { ...fields.note, onlyFor: { of: 'safety', is: ['none'] } } }
  expect(Object.keys(provider.shownFields(both, form))).not.toContain('note')
  expect(Object.keys(provider.shownFields(both, { ...form, safety: 'none' }))).toEqual(Object.keys(fields))
})

test('what is drawn beside one value only is missed there alone', () => {
  const key = { kind: 'secret', label: 'Chave', required: true, missing: 'Informe a chave.' } as const
  const both = { ...fields, key: { ...key, onlyFor: { of: 'safety', is: ['none'] } } }
  const read = (change: object) => provider.valuesSchema(both).safeParse({ ...form, key: '', ...change })
  expect(read({}).success).toBe(true)
  expect(read({ safety: 'none', key: 'x' }).success).toBe(true)
  expect(read({ safety: 'none' }).error?.issues).toMatchObject([{ path: ['key'], message: 'Informe a chave.' }])
})

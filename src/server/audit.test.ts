import { expect, it } from 'vitest'
import { changesOf } from './audit.ts'

it('what did not change is not told', () => {
  expect(changesOf({ before: { a: 1, b: { c: [2] } }, after: { a: 1, b: { c: [2] } } })).toEqual({})
  expect(changesOf({ before: { a: 1, b: 2 }, after: { a: 3, b: 2 } })).toEqual({ a: { before: 1, after: 3 } })
  expect(changesOf({ after: { a: null } })).toEqual({ a: { after: null } })
})

it.each(['password', 'novaSenha', 'emailPass', 'apiKey', 'refreshToken', 'clientSecret', 'passwordHash', 'code'])(
  'a value called %s is never told, also deep inside another',
  (name) => {
    expect(changesOf({ before: { [name]: 'antes' }, after: { [name]: 'depois' } })).toEqual({ [name]: {} })
    const deep = changesOf({ after: { config: { list: [{ [name]: 'escondido' }] } } })
    expect(deep).toEqual({ config: { after: { list: [{ [name]: '••••' }] } } })
  },
)

it('long values are cut', () => {
  const { text } = changesOf({ after: { text: 'x'.repeat(10_000) } })
  expect(String(text!.after)).toHaveLength(501)
})

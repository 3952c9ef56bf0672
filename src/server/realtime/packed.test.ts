import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack, unpack } from './packed.ts'

const message = {
  payload: { message: { body: 'Olá 👋', mediaType: 'text', file: null } },
  audience: { kind: 'tenant' } as const,
}

test('what was packed is unpacked as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      const change = { payload: JSON.parse(JSON.stringify(payload)), audience: { kind: 'users' as const, ids: [1, 2] } }
      expect(unpack(pack(change))).toEqual(change)
    }),
  )
  const long = { ...message, payload: 'ação '.repeat(100_000) }
  expect(unpack(pack(long))).toEqual(long)
})

test('what an earlier release packed is read: the dictionary never changes', () => {
  expect(unpack(Buffer.from('w1UmQUsN/5zDCxU+zJ/Yjb34QJQOtQRaegA=', 'base64'))).toEqual(message)
})

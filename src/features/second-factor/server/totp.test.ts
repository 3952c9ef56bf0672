import { expect, test } from 'vitest'
import { hashOf, newRecoveryCodes } from './recovery.ts'
import { newSecret, stepOf, uriOf } from './totp.ts'

// RFC 6238, appendix B: the secret is "12345678901234567890"; of its eight digits an app shows the last six.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors: [number, string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
]
const at = (seconds: number) => new Date(seconds * 1000)

test.each(vectors)('at %i s the code of RFC 6238 is accepted, once', (seconds, digits) => {
  const code = digits.slice(-6)
  const step = Math.floor(seconds / 30)
  expect(stepOf(secret, code, at(seconds), 0)).toBe(step)
  expect(stepOf(secret, code, at(seconds), step)).toBeNull()
})

test.each([
  [-61, false],
  [-30, true],
  [0, true],
  [30, true],
  [61, false],
])('a clock that is %i s off: %s', (off, isAccepted) => {
  expect(stepOf(secret, '005924', at(1234567890 + off), 0) !== null).toBe(isAccepted)
})

test.each(['', '00592', '0059244', 'abcdef', '00592４', '005 24', '-05924'])('%j is no code', (code) => {
  expect(stepOf(secret, code, at(1234567890), 0)).toBeNull()
})

test('a secret has 160 bits, and its address names the product and the account', () => {
  const made = newSecret()
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(made)
  const uri = new URL(uriOf(made, 'ana@loja.dev'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Guichê:ana@loja.dev',
  ])
  expect(uri.searchParams.get('secret')).toBe(made)
  expect(uri.searchParams.get('issuer')).toBe('Guichê')
})

test('recovery codes are ten, all different, readable, and known by their hash only', () => {
  const { codes, hashes } = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
  expect(codes.map(hashOf)).toEqual(hashes)
  expect(hashOf('0123-4567-89AB-CDEF')).toBe(hashOf(' o i23 4567 89ab cdef'))
})

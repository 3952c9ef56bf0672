import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smsPartsOf, withoutAccents } from './sms.ts'

test.each([
  ['', 'gsm', 0, 0, 160],
  ['Oi', 'gsm', 2, 1, 158],
  ['a'.repeat(160), 'gsm', 160, 1, 0],
  ['a'.repeat(161), 'gsm', 161, 2, 145],
  ['a'.repeat(306), 'gsm', 306, 2, 0],
  ['a'.repeat(307), 'gsm', 307, 3, 152],
  // A euro has two places, and is not torn apart: the last place of the first part stays empty.
  [`${'a'.repeat(152)}€${'a'.repeat(10)}`, 'gsm', 164, 2, 141],
  ['é à Ç', 'gsm', 5, 1, 155],
  // The alphabet has no small letters with a cedilla or a tilde.
  ['ação', 'ucs2', 4, 1, 66],
  ['ã'.repeat(70), 'ucs2', 70, 1, 0],
  ['ã'.repeat(71), 'ucs2', 71, 2, 63],
  [`${'ã'.repeat(66)}😀${'ã'.repeat(5)}`, 'ucs2', 73, 2, 60],
] as const)('%j has %s, %i places, %i parts and %i left', (text, encoding, units, parts, left) => {
  expect(smsPartsOf(text)).toEqual({ encoding, units, parts, left })
})

test.each([
  ['Atenção: não há pão às 15h', 'Atencao: nao ha pao as 15h'],
  ['“Olá”… – até já', '"Ola"... - ate ja'],
  ['São 5 m² e 1ª via 😀', 'Sao 5 m² e 1a via 😀'],
])('%j goes without accents as %j', (text, plain) => {
  expect(withoutAccents(text)).toBe(plain)
  expect(withoutAccents(plain)).toBe(plain)
})

test('without accents no text takes more parts, but for what has a longer plain form', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zà-ú ,.]{0,400}$/), (text) => {
      expect(smsPartsOf(withoutAccents(text)).parts).toBeLessThanOrEqual(smsPartsOf(text).parts)
    }),
  )
})

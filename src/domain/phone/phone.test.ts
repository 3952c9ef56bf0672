import fc from 'fast-check'
import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, test } from 'vitest'
import { phoneKey, STATE_OF_DDD, samePhone, spellingsOf, stateOf, withNinthDigit } from './brazil.ts'
import { EXTENSION_TEXT_MAX, formatPhone, PHONE_DIGITS, parsePhone, phoneProblem } from './phone.ts'

describe('parsePhone', () => {
  test.each([
    ['+5519998124407', '+5519998124407', 'BR'],
    ['+55 (19) 99812-4407', '+5519998124407', 'BR'],
    ['(19) 99812-4407', '+5519998124407', 'BR'],
    ['19 9812-4407', '+5519998124407', 'BR'],
    ['551998124407', '+5519998124407', 'BR'],
    ['5519998124407', '+5519998124407', 'BR'],
    ['55998124407', '+5555998124407', 'BR'],
    ['(55) 3222-1100', '+555532221100', 'BR'],
    ['019 99812-4407', '+5519998124407', 'BR'],
    ['19 3322-1100', '+551933221100', 'BR'],
    ['0800 123 4567', '+558001234567', 'BR'],
    ['4004-1234', '+5540041234', 'BR'],
    ['+1 415 555 0132', '+14155550132', 'US'],
    ['+351 912 345 678', '+351912345678', 'PT'],
    ['\u202a+55 19 99812-4407\u202c', '+5519998124407', 'BR'],
    ['\u2068(19) 99812-4407\u2069', '+5519998124407', 'BR'],
    ['+55 19 99812\u20114407', '+5519998124407', 'BR'],
    ['\u200e19998124407', '+5519998124407', 'BR'],
    ['+55 19 99812\u2013 4407', '+5519998124407', 'BR'],
    ['19\u00ad99812\u00ad4407', '+5519998124407', 'BR'],
    ['\ufeff5519998124407', '+5519998124407', 'BR'],
    ['+55\u00a019\u00a099812\u20114407', '+5519998124407', 'BR'],
    ['\uff0b55 19 99812\u22124407', '+5519998124407', 'BR'],
    ['whatsapp:+5519998124407', '+5519998124407', 'BR'],
    ['tel:+5519998124407', '+5519998124407', 'BR'],
    ['p:+5519998124407', '+5519998124407', 'BR'],
    ['https://wa.me/5519998124407', '+5519998124407', 'BR'],
    ['wa.me/14155550132?text=oi', '+14155550132', 'US'],
    ['https://api.whatsapp.com/send?phone=5519998124407&text=oi', '+5519998124407', 'BR'],
    ['0xx19 99812-4407', '+5519998124407', 'BR'],
    ['(0XX19) 99812-4407', '+5519998124407', 'BR'],
    ['0 15 19 99812-4407', '+5519998124407', 'BR'],
    ['015 19 99812-4407', '+5519998124407', 'BR'],
    ['+55 (019) 99812-4407', '+5519998124407', 'BR'],
    ['+5215512345678', '+525512345678', 'MX'],
    ['+525512345678', '+525512345678', 'MX'],
    ['+55 0 15 19 3322-1100', '+551933221100', 'BR'],
  ])('%s is %s (%s)', (text, e164, country) => {
    expect(parsePhone(text, metadata)).toEqual({ e164, country })
  })

  test.each([
    '',
    '+',
    'abc',
    '99812-4407',
    '(20) 99812-4407',
    '(19) 89812-44071',
    '(19) 6812-440',
    '(19) 0812-4407',
    '+5500998124407',
    '+999123456789',
    '+123456789012345678',
    '19 99812 4407 ramal 3',
  ])('refuses "%s"', (text) => {
    expect(parsePhone(text, metadata)).toBeNull()
  })
})

test.each([
  ['+5519998124407', '+55 (19) 99812-4407'],
  ['+551933221100', '+55 (19) 3322-1100'],
  ['+14155550132', '+1 415 555 0132'],
  ['+558001234567', '+55 800 123 4567'],
  ['not a number', 'not a number'],
])('%s reads %s', (e164, text) => {
  expect(formatPhone(e164, metadata)).toBe(text)
})

const ddd = fc.constantFrom(...STATE_OF_DDD.keys())
const mobile = fc.tuple(fc.integer({ min: 6, max: 9 }), fc.integer({ min: 0, max: 9_999_999 }))

test('formatting and parsing are inverse, and the ninth digit makes no other line', () => {
  fc.assert(
    fc.property(ddd, mobile, (code, [first, rest]) => {
      const subscriber = `${first}${String(rest).padStart(7, '0')}`
      const e164 = `+55${code}9${subscriber}`
      expect(parsePhone(formatPhone(e164, metadata), metadata)?.e164).toBe(e164)
      expect(parsePhone(`+55${code}${subscriber}`, metadata)?.e164).toBe(e164)
      expect(withNinthDigit(`+55${code}${subscriber}`)).toBe(e164)
      expect(withNinthDigit(e164)).toBe(e164)
      expect(samePhone(e164, `55${code}${subscriber}@s.whatsapp.net`)).toBe(true)
    }),
  )
})

test.each([
  ['+5519998124407', '551998124407', true],
  ['+55 (19) 99812-4407', '5519998124407@s.whatsapp.net', true],
  ['+5519998124407', '+5519998124408', false],
  ['+5519998124407', '+5511998124407', false],
  ['+5519933221100', '+551933221100', false],
  ['+5511945678901', '+551145678901', false],
  ['+14155550132', '14155550132', true],
  ['', '', false],
])('%s and %s: same line %s', (a, b, same) => {
  expect(samePhone(a, b)).toBe(same)
  expect(samePhone(b, a)).toBe(same)
})

test('being the same line is what the key says', () => {
  expect(phoneKey('+5519998124407')).toBe('551998124407')
  expect(phoneKey('+551998124407')).toBe('551998124407')
  expect(samePhone('+525512345678', '5215512345678')).toBe(true)
  expect(samePhone('+541123456789', '5491123456789')).toBe(true)
})

test.each([
  ['5519998124407', ['5519998124407', '551998124407']],
  ['551998124407', ['551998124407', '5519998124407']],
  ['551998124407@s.whatsapp.net', ['551998124407@s.whatsapp.net', '5519998124407@s.whatsapp.net']],
  ['551933221100', ['551933221100']],
  ['5519933221100', ['5519933221100']],
  ['14155550132', ['14155550132']],
  ['525512345678', ['525512345678', '5215512345678']],
  ['5215512345678@s.whatsapp.net', ['5215512345678@s.whatsapp.net', '525512345678@s.whatsapp.net']],
  ['5491123456789', ['5491123456789', '541123456789']],
  ['541123456789', ['541123456789', '5491123456789']],
  ['5519998124407-1512345678@g.us', ['5519998124407-1512345678@g.us']],
  ['0190aaaa-5519-7998-8124-407000000000', ['0190aaaa-5519-7998-8124-407000000000']],
  ['', ['']],
])('%s is written %j', (address, spellings) => {
  expect(spellingsOf(address)).toEqual(spellings)
})

test.each([
  ['+5519998124407', 'SP'],
  ['5555998124407', 'RS'],
  ['+5561998124407', 'DF'],
  ['+5598998124407', 'MA'],
  ['+5520998124407', null],
  ['+14155550132', null],
])('%s is in %s', (number, state) => {
  expect(stateOf(number)).toBe(state)
})

test('67 area codes in 27 states', () => {
  expect(STATE_OF_DDD.size).toBe(67)
  expect(new Set(STATE_OF_DDD.values()).size).toBe(27)
})

test.each([
  ['+5519998124407', null],
  ['+55 (19) 99812-4407', null],
  ['+1 415 555 0132', null],
  ['19998124407', 'characters'],
  ['+55 19 99812 ramal 3', 'characters'],
  ['+', 'short'],
  ['+5', 'short'],
  ['+55', 'short'],
  ['+551999812', 'short'],
  ['+55199981244071', 'long'],
  ['+123456789012345678', 'long'],
  ['+999123456789', 'country'],
  ['+5520998124407', 'line'],
  ['+5519098124407', 'line'],
])('what is wrong with "%s": %s', (text, problem) => {
  expect(phoneProblem(text, metadata)).toBe(problem)
})

test('2 to 17 digits, whatever a country says, and no text beyond 250 characters', () => {
  expect(PHONE_DIGITS).toEqual({ min: 2, max: 17 })
  expect(EXTENSION_TEXT_MAX).toBe(250)
  const padded = (length: number) => '+55 19 99812-4407'.padEnd(length, ' ')
  expect(parsePhone(padded(250), metadata)?.e164).toBe('+5519998124407')
  expect(parsePhone(padded(251), metadata)).toBeNull()
  expect(phoneProblem(padded(251), metadata)).toBe('characters')
  expect(phoneProblem(`+${'1'.repeat(17)}`, metadata)).not.toBeNull()
})

test('a number has a problem exactly when it is not taken', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+(55|1|351|44|999)\d{0,16}$/), (number) => {
      expect(phoneProblem(number, metadata) === null).toBe(parsePhone(number, metadata) !== null)
    }),
  )
})

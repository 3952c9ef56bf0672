import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BusinessDay, USUAL_WEEK } from './business-hours.ts'
import { absenceMessage, effectiveHours } from './effective-hours.ts'
import { isoDay, localTime, offsetMinutes } from './local-time.ts'

const ALWAYS: BusinessDay[] = USUAL_WEEK.map((row) => ({ ...row, type: 'O' }))
const NEVER: BusinessDay[] = USUAL_WEEK.map((row) => ({ ...row, type: 'C' }))
const tenant = { week: USUAL_WEEK, message: 'Empresa fechada' }

test.each([
  ['nobody has hours of their own', { user: [], useUserHours: true, queue: undefined }, 'tenant', 'Empresa fechada'],
  [
    'the queue has',
    { user: [], useUserHours: true, queue: { week: NEVER, message: 'Fila fechada' } },
    'queue',
    'Fila fechada',
  ],
  [
    'the queue has only a week',
    { user: [], useUserHours: false, queue: { week: NEVER, message: '' } },
    'queue',
    'Empresa fechada',
  ],
  [
    'the queue has only words',
    { user: [], useUserHours: false, queue: { week: [], message: 'Fila' } },
    'tenant',
    'Fila',
  ],
  [
    'the person has, and it counts',
    { user: ALWAYS, useUserHours: true, queue: { week: NEVER, message: '' } },
    'user',
    'Empresa fechada',
  ],
  [
    'the person has, but it does not count',
    { user: ALWAYS, useUserHours: false, queue: undefined },
    'tenant',
    'Empresa fechada',
  ],
] as const)('%s', (_, from, of, message) => {
  expect(effectiveHours({ ...from, tenant })).toMatchObject({ of, message })
})

const saoPaulo = (iso: string) => {
  const at = Date.parse(iso)
  return localTime(at, offsetMinutes('America/Sao_Paulo', at))
}
const NATAL = { date: '2026-12-25', description: 'Natal', active: true }

test.each([
  ['2026-11-20T10:59:59Z', [], 'Empresa fechada'],
  ['2026-11-20T11:00:00Z', [], null],
  ['2026-11-20T15:00:00Z', [], 'Empresa fechada'],
  ['2026-11-20T17:00:00Z', [], null],
  ['2026-11-20T21:00:00Z', [], 'Empresa fechada'],
  // Saturday in UTC, still Friday evening at the counter.
  ['2026-11-21T00:30:00Z', [], 'Empresa fechada'],
  // No daylight saving: noon UTC is nine o'clock in January as in July.
  ['2026-01-15T12:00:00Z', [], null],
  ['2026-07-15T12:00:00Z', [], null],
  ['2026-12-25T12:00:00Z', [NATAL], 'Empresa fechada'],
  ['2026-12-25T12:00:00Z', [{ ...NATAL, active: false }], null],
])('a customer writes at %s', (iso, holidays, said) => {
  expect(absenceMessage(tenant, holidays, saoPaulo(iso))).toBe(said)
})

const moment = fc
  .integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2031, 0, 1) / 60_000 })
  .map((minutes) => localTime(minutes * 60_000, -180))

test('an open week never speaks, a closed one always; a holiday closes both; without words nobody speaks', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(ALWAYS, NEVER, [...USUAL_WEEK]), fc.string(), (at, week, message) => {
      const today = [{ date: isoDay(at), description: '', active: true }]
      const said = message === '' ? null : message
      expect(absenceMessage({ week, message }, today, at)).toBe(said)
      if (week === ALWAYS) expect(absenceMessage({ week, message }, [], at)).toBeNull()
      if (week === NEVER) expect(absenceMessage({ week, message }, [], at)).toBe(said)
    }),
  )
})

test('whose hours count is always one of the three that were given', () => {
  const week = fc.constantFrom<readonly BusinessDay[]>([], ALWAYS, NEVER)
  const hours = fc.record({ week, message: fc.constantFrom('', 'Fila', 'Outra') })
  fc.assert(
    fc.property(week, fc.boolean(), fc.option(hours, { nil: undefined }), hours, (user, useUserHours, queue, own) => {
      const found = effectiveHours({ user, useUserHours, queue, tenant: own })
      const source = { user, queue: queue?.week ?? [], tenant: own.week }[found.of]
      expect(found.week).toEqual(source)
      if (found.of === 'user') expect(useUserHours && user.length > 0).toBe(true)
      expect([queue?.message, own.message]).toContain(found.message)
    }),
  )
})

import { expect, test } from 'vitest'
import { eventTime } from './event-time.ts'

const ZONE = 'America/Sao_Paulo'
/** 30/11/2026 22:30 in São Paulo, which is the next day in UTC. */
const NOW = Date.parse('2026-12-01T01:30:00Z')
const at = (iso: string) => Date.parse(iso)

test.each([
  ['today', 0, '23:00', '', '2026-12-01T02:00Z', '2026-12-01T03:00Z'],
  ['tomorrow', 0, '9:30', '11:00', '2026-12-01T12:30Z', '2026-12-01T14:00Z'],
  ['days_from_interaction', 32, '14h', '13:00', '2027-01-01T17:00Z', '2027-01-01T18:00Z'],
  ['custom', 0, '31/12/2026 14:30', '31/12/2026 16:00', '2026-12-31T17:30Z', '2026-12-31T19:00Z'],
  ['custom', 0, '2027-02-28T08:00', '', '2027-02-28T11:00Z', '2027-02-28T12:00Z'],
  ['custom', 0, '2027-02-28T08:00:00Z', '2027-02-28T08:15:00Z', '2027-02-28T08:00Z', '2027-02-28T08:15Z'],
] as const)('%s, %d days, “%s” to “%s” has its hours', (type, days, start, end, from, to) => {
  expect(eventTime({ type, days, start, end }, NOW, ZONE)).toEqual({ isAllDay: false, start: at(from), end: at(to) })
})

test.each([
  ['custom', 0, '28/02/2028', '29/02/2028', '2028-02-28', '2028-02-29'],
  ['custom', 0, '2027-05-01', '2027-04-01', '2027-05-01', '2027-05-01'],
  ['tomorrow', 0, '', '', '2026-12-01', '2026-12-01'],
  ['today', 0, 'amanhã cedo', '', '2026-11-30', '2026-11-30'],
] as const)('%s, %d days, “%s” to “%s” has whole days', (type, days, start, end, firstDay, lastDay) => {
  expect(eventTime({ type, days, start, end }, NOW, ZONE)).toEqual({ isAllDay: true, firstDay, lastDay })
})

test.each(['', 'quando der', '31/02/2027 10:00', '2027-13-01', '00/00/0000', `${'9'.repeat(400)}/1/1`])(
  'a custom “%s” names no day',
  (start) => {
    expect(eventTime({ type: 'custom', days: 0, start, end: '' }, NOW, ZONE)).toBeNull()
  },
)

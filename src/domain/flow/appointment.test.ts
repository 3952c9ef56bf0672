import { expect, test } from 'vitest'
import { FLOW_FACTS } from '#test/flow-facts.ts'
import { momentOfAppointment } from './appointment.ts'
import { readFlow } from './read.ts'
import { newSession } from './session.ts'
import { step } from './step.ts'

const ZONE = 'America/Sao_Paulo'
const at = (type: Parameters<typeof momentOfAppointment>[0]['type'], now: string, date = '', delayMs = 0) => {
  const moment = momentOfAppointment({ type, date, delayMs }, Date.parse(now), ZONE)
  return moment && new Date(moment).toISOString()
}

test.each([
  ['30_mins', '2026-01-31T12:00:00Z', '2026-01-31T12:30:00.000Z'],
  ['1_hour', '2026-01-31T12:00:00Z', '2026-01-31T13:00:00.000Z'],
  ['tomorrow', '2026-01-31T12:10:00Z', '2026-02-01T12:10:00.000Z'],
  ['next_week', '2026-01-31T12:10:00Z', '2026-02-07T12:10:00.000Z'],
  // The last day of a shorter month; the year after December; the day of the company, not of Greenwich.
  ['next_month', '2026-01-31T12:10:00Z', '2026-02-28T12:10:00.000Z'],
  ['next_month', '2026-12-15T12:10:00Z', '2027-01-15T12:10:00.000Z'],
  ['next_month', '2026-05-01T01:00:00Z', '2026-05-31T01:00:00.000Z'],
] as const)('%s after %s is %s', (type, now, then) => {
  expect(at(type, now)).toBe(then)
})

test('a date is the company’s wall clock where it has no offset, and nothing where it is none; more minutes are added', () => {
  const now = '2026-01-01T00:00:00Z'
  expect(at('custom', now, '2026-02-03T09:30')).toBe('2026-02-03T12:30:00.000Z')
  expect(at('custom', now, '2026-02-03 09:30:00')).toBe('2026-02-03T12:30:00.000Z')
  expect(at('custom', now, '2026-02-03T09:30:00Z')).toBe('2026-02-03T09:30:00.000Z')
  expect(at('1_hour', now, '', 600_000)).toBe('2026-01-01T01:10:00.000Z')
  expect([at('custom', now), at('custom', now, 'amanhã')]).toEqual([null, null])
})

/** Returns what a flow with these interactions schedules for a new contact, and how it ends. */
function scheduled(...asked: Record<string, unknown>[]) {
  const interactions = asked.map((data) => ({ type: 'ScheduleField', data }))
  const flow = readFlow({
    nodeList: [{ id: 'a', type: 'node', interactions, conditions: [] }],
    lineList: [{ from: 'start', to: 'a' }],
  })
  const session = newSession({ id: 's', chatFlowId: 1, version: 1, seed: 1 })
  const facts = { ...FLOW_FACTS, values: { ...FLOW_FACTS.values, phoneNumber: '5511987654321' } }
  const { effects } = step(flow, session, { type: 'start', at: 0 }, facts)
  const reasons = effects.flatMap((one) => (one.type === 'direct' ? [one.reason] : []))
  return { messages: effects.filter(({ type }) => type === 'schedule'), reasons }
}

test('a message is scheduled as it reads now, with whom it is about; where it says nothing none is', () => {
  const later = { scheduleType: 'tomorrow', delayBeforeSend: '30', includeContactInfo: 'enabled' }
  const { messages } = scheduled(
    { ...later, scheduleMessage: 'Até amanhã, {{name}}' },
    { scheduleType: '1_hour', scheduleMessage: ' ' },
    { scheduleDate: '2026-01-02T09:00', fileId: 'f', name: 'a.pdf' },
    { scheduleMessage: 'Um arquivo que não está aqui', media: 'data:x' },
  )
  expect(messages).toMatchObject([
    { body: 'Até amanhã, Maria\n\nMaria\n5511987654321', media: null, when: { type: 'tomorrow', delayMs: 1_800_000 } },
    { body: '', media: { fileId: 'f', name: 'a.pdf' }, when: { type: 'custom', date: '2026-01-02T09:00' } },
    { body: 'Um arquivo que não está aqui', media: null },
  ])
})

test('what is scheduled counts among the messages of one word', () => {
  const one = { scheduleType: '1_hour', scheduleMessage: 'Oi' }
  const { messages, reasons } = scheduled(...Array.from({ length: 21 }, () => one))
  expect([messages.length, reasons]).toEqual([20, [expect.stringContaining('20 mensagens')]])
})

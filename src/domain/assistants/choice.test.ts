import { expect, test } from 'vitest'
import { ASSISTANTS, type TicketAssistant } from '../tickets/assistants.ts'
import { answering, beginningWith, type Chosen, mayAnswer, ORDER, type Situation } from './choice.ts'

const waiting: Situation = {
  status: 'pending',
  isGroup: false,
  isInFlow: false,
  isPaused: false,
  isBlocked: false,
  isChatbotBlocked: false,
  isInWallet: false,
  wasAttended: false,
  isFirstTicket: true,
  switches: {},
}
const always: Chosen = { assistant: null, when: 'always', firstTicketOnly: false }
const all = new Set<TicketAssistant>(ASSISTANTS)
const there = { isOpen: true, isAway: false }

test.each<[Partial<Situation>, boolean]>([
  [{}, true],
  [{ wasAttended: true }, true],
  [{ status: 'open' }, false],
  [{ status: 'closed' }, false],
  [{ isGroup: true }, false],
  [{ isInFlow: true }, false],
  [{ isPaused: true }, false],
  [{ isBlocked: true }, false],
  [{ isChatbotBlocked: true }, false],
  [{ isInWallet: true }, false],
])('in a ticket with %o an assistant may answer: %s', (about, may) => {
  expect(mayAnswer({ ...waiting, ...about })).toBe(may)
})

test.each<[string, Partial<Situation>, Partial<Chosen>, TicketAssistant[], TicketAssistant | null]>([
  ['the connection’s', {}, { assistant: 'claude' }, ['typebot'], 'claude'],
  ['the first of those that answer everywhere', {}, {}, ['claude', 'dify', 'chatgpt'], 'dify'],
  ['none where none is chosen', {}, {}, [], null],
  ['none after a person', { wasAttended: true }, { assistant: 'claude' }, ['typebot'], null],
  ['none where it was switched off', { switches: { claude: false } }, { assistant: 'claude' }, ['typebot'], null],
  ['none in a later ticket', { isFirstTicket: false }, { assistant: 'claude', firstTicketOnly: true }, [], null],
  ['the same in a first ticket', {}, { assistant: 'claude', firstTicketOnly: true }, [], 'claude'],
])('a ticket begins with %s', (_, about, chosen, everywhere, begins) => {
  const how = { permitted: all, everywhere: new Set(everywhere) }
  expect(beginningWith({ ...waiting, ...about }, { ...always, ...chosen }, how)).toBe(begins)
})

test('each answers everywhere only while its company lets it answer', () => {
  for (const name of ORDER) {
    const everywhere = new Set([name])
    expect(beginningWith(waiting, always, { permitted: all, everywhere })).toBe(name)
    expect(beginningWith(waiting, always, { permitted: new Set(), everywhere })).toBe(null)
  }
  expect([...ORDER].sort()).toEqual([...ASSISTANTS].sort())
})

test.each<[Chosen['when'], { isOpen: boolean; isAway: boolean }, TicketAssistant | null]>([
  ['always', there, 'n8n'],
  ['closed', there, null],
  ['closed', { isOpen: false, isAway: false }, 'n8n'],
  ['away', there, null],
  ['away', { isOpen: true, isAway: true }, 'n8n'],
])('of several that are on, one answers: %s, %o: %s', (when, attendance, name) => {
  const switches = { grok: true, n8n: true, typebot: false }
  expect(answering(switches, all, { when }, attendance)).toBe(name)
})

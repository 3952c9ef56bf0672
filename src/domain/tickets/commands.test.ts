import { describe, expect, test } from 'vitest'
import { type Cast, COMMAND_TABLE, commandBy, ROLES, SITUATIONS, STATES, subjectOf } from '#test/ticket-table.ts'
import { changeChannel, pause, snooze, wake } from './commands.ts'
import { TICKET_STATUSES } from './facts.ts'
import { isSnoozeTime } from './snooze-time.ts'
import { accept, type Outcome, type TicketState } from './transitions.ts'

const NOW = 1_770_000_000_000
const HOUR = 3_600_000
const CAST: Cast = {
  me: 1,
  colleague: 9,
  queue: 10,
  otherQueue: 11,
  flow: { id: 5, firstNode: 'boas-vindas' },
  target: { connectionId: 21, conversationKey: '5511911111111', channel: 'lab', isTaken: false },
  connection: { connectionId: 20, conversationKey: '5511900000000', channel: 'lab' },
  now: NOW,
}
const OPEN = subjectOf({ status: 'open', situation: 'plain' }, CAST)
const by = commandBy('admin', CAST)

const people: Record<number, string> = { 1: 'the actor', 9: 'the colleague' }
const shown: Partial<Record<keyof TicketState, (value: never) => string>> = {
  status: (status: string) => status,
  userId: (id: number | null) => (id === null ? 'no owner' : `owner: ${people[id]}`),
  queueId: (id: number | null) => (id === null ? 'no queue' : 'other queue'),
  chatFlowId: (id: number | null) => (id === null ? 'flow ends' : 'flow begins'),
  chatFlowNode: (node: string | null) => (node === null ? '' : 'at its first node'),
  pausedAt: (at: number | null) => (at === null ? 'pause ends' : 'paused'),
  snoozedUntil: (at: number | null) => (at === null ? 'snooze ends' : 'snoozed'),
  connectionId: () => 'other connection',
}

function cell(outcome: Outcome): string {
  if (typeof outcome === 'string') return `\`${outcome}\``
  const said = Object.entries(outcome.set).map(
    ([key, value]) => shown[key as keyof TicketState]?.(value as never) ?? '',
  )
  const logs = outcome.logs.map(({ type }) => type).join(', ')
  const what = said.filter(Boolean).join(', ')
  return what === '' ? 'nothing changes' : `${what} (${logs})`
}

/** Returns the outcome of each command for each role; a single one if all roles get the same. */
function cells(name: string, state: (typeof STATES)[number]): string {
  const byRole = ROLES.map((role) => {
    const outcome = COMMAND_TABLE[name]!.decide(subjectOf(state, CAST), commandBy(role, CAST), CAST)
    return [cell(outcome), role] as const
  })
  const groups = Map.groupBy(byRole, ([text]) => text)
  if (groups.size === 1) return byRole[0]![0]
  return [...groups].map(([text, roles]) => `${roles.map(([, role]) => role).join(', ')}: ${text}`).join('; ')
}

function page(): string {
  const tables = Object.entries(COMMAND_TABLE).map(([name, { call }]) => {
    const rows = SITUATIONS.map((situation) => {
      const columns = TICKET_STATUSES.map((status) => {
        const state = STATES.find((one) => one.status === status && one.situation === situation)
        const other = COMMAND_TABLE[name]!.means?.[status]
        if (other) return `as ${other}`
        return state ? cells(name, state) : '–'
      })
      return `| ${situation} | ${columns.join(' | ')} |`
    })
    return [
      `## ${name}`,
      `\`${call}\``,
      ['| | open | pending | closed |', '|---|---|---|---|', ...rows].join('\n'),
    ].join('\n\n')
  })
  return `# Commands of a ticket

What each command makes of a ticket: by status (columns), by what it is in beside (rows), for the four roles where they differ. An open or closed ticket is a colleague's, a pending one nobody's; the company hides what others attend (\`NotViewAssignedTickets\`), controls what users force (\`controlFeatures\`) and lets tickets rest (\`allowPause\`). In brackets the lines of the log; – is what cannot be. Written by \`src/domain/tickets/commands.test.ts\` from the pure functions that decide it (\`npx vitest run --project=unit -u commands.test.ts\`); \`commands.api.test.ts\` asks the server for each of them.

${tables.join('\n\n')}
`
}

test('the page of documentation says what the functions decide', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/ticket-commands.md')
})

describe.each(Object.keys(COMMAND_TABLE))('%s', (name) => {
  test('leaves every ticket whole: what ends with an owner or a status has ended, a flow with its place', () => {
    for (const state of STATES)
      for (const role of ROLES) {
        const before = subjectOf(state, CAST)
        const outcome = COMMAND_TABLE[name]!.decide(before, commandBy(role, CAST), CAST)
        if (typeof outcome === 'string') continue
        const after = { ...before, ...outcome.set }
        const isHandedOn = after.status !== before.status || after.userId !== before.userId
        if (isHandedOn) expect([after.pausedAt, after.snoozedUntil]).toEqual([null, null])
        if (after.chatFlowId === null) expect([after.chatFlowNode, after.botRetries]).toEqual([null, 0])
        if (after.pausedAt !== null) expect(after.status).toBe('open')
        if (after.status === 'closed') expect(after.snoozedUntil).toBeNull()
        if (before.pausedAt !== null && after.pausedAt === null) expect(after.totalPausedMs).toBe(HOUR)
        expect(outcome.logs.length > 0).toBe(Object.keys(outcome.set).length > 0)
      }
  })
})

test('a pause needs the setting and carries its reason', () => {
  const off = { ...by, settings: { ...by.settings, allowPause: false } }
  expect(pause(OPEN, off)).toBe('ERR_PAUSE_DISABLED')
  expect(pause(OPEN, by, 'almoço')).toEqual({
    set: { pausedAt: NOW },
    logs: [{ type: 'pause', userId: 1, queueId: 10, data: { reason: 'almoço' } }],
  })
})

test('a ticket is snoozed for a year at most, and comes back when its time has come, not before', () => {
  expect([NOW, NOW + 1, NOW + 365 * 24 * HOUR, NOW + 367 * 24 * HOUR].map((at) => isSnoozeTime(at, NOW))).toEqual([
    false,
    true,
    true,
    false,
  ])
  const snoozed = { ...OPEN, snoozedUntil: NOW + HOUR }
  expect(wake(snoozed, NOW)).toBeNull()
  expect(wake(OPEN, NOW)).toBeNull()
  const woken = { set: { snoozedUntil: null }, logs: [{ type: 'wake', userId: null, queueId: 10 }] }
  expect(wake(snoozed, NOW + HOUR)).toEqual(woken)
  expect(snooze(snoozed, { ...by, until: null })).toMatchObject({ set: woken.set, logs: [{ type: 'wake', userId: 1 }] })
  // Taking it is the end of it, its owner's second taking is none.
  expect(accept({ ...snoozed, status: 'pending' }, by)).toMatchObject({ set: { userId: 1, snoozedUntil: null } })
  expect(accept({ ...snoozed, userId: 1 }, by)).toEqual({ set: {}, logs: [] })
})

test('another connection: not without an address, not where the contact is attended already, not to where it is', () => {
  expect(changeChannel(OPEN, { ...by, target: null })).toBe('ERR_NO_ADDRESS')
  expect(changeChannel(OPEN, { ...by, target: { ...CAST.target, isTaken: true } })).toBe('ERR_OTHER_OPEN_TICKET')
  const here = { ...CAST.connection, isTaken: true }
  expect(changeChannel(OPEN, { ...by, target: here })).toEqual({ set: {}, logs: [] })
})

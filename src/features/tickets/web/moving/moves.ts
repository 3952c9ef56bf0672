import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import type { BulkAction, BulkArgs } from '../../bulk-contract.ts'
import type { Doors } from '../actions/doors.ts'
import { confirmTaking } from '../actions/taking.ts'
import { runOne } from '../bulk/one.ts'
import { resolve } from '../commands/resolve.ts'

// Those that a ticket can be moved to, with their names and what becomes of it there.
const tabs = [
  ['open', t('Abertos'), t('com você')],
  ['pending', t('Pendentes'), t('na fila')],
  ['snoozed', t('Adiados'), t('até uma hora')],
  ['closed', t('Resolvidos'), t('resolver')],
] as const

/** What moving a ticket to a tab does; null where it changes nothing. What was put away closes where it was open, and all can be taken back. */
export function moveToTab(tab: string | undefined, row: TicketRow, doors: Doors): (() => void) | null {
  const { id, name, status } = row
  const isMine = row.userId === viewer().userId
  const isSnoozed = row.snoozedUntil !== null
  const act = (action: BulkAction, args: BulkArgs, title: string) => runOne(id, action, args, title)
  if (isSnoozed && tab === status && (tab === 'pending' || isMine))
    return () => void act('snooze', { until: null }, t('{name} voltou à lista', { name }))
  if (tab === 'open' && status === 'closed')
    return () => void act('reopen', {}, t('Atendimento de {name} reaberto', { name }))
  if (tab === 'open' && !(status === 'open' && isMine))
    return async () => {
      if (!(await confirmTaking(row))) return
      const isColleagues = status === 'open' && row.userId !== null
      const [how, args] = isColleagues
        ? (['transfer', { userId: viewer().userId }] as const)
        : (['accept', {}] as const)
      await act(how, args, t('{name} está com você', { name }))
    }
  if (tab === 'pending' && status === 'open')
    return () => void act('return', {}, t('{name} voltou à fila', { name })).then((done) => done && doors.gone(id))
  if (tab === 'snoozed' && status !== 'closed' && !isSnoozed) return () => doors.ask('snooze', id, true)
  if (tab === 'closed' && status !== 'closed') return () => resolve(row, doors, { leaves: true })
  return null
}

/** Gives a ticket to a colleague, in the queue where it is; it is not in front of whoever gave it any more. */
export async function moveToColleague(
  { id, name }: Pick<TicketRow, 'id' | 'name'>,
  to: { readonly id: number; readonly name: string },
  doors: Doors,
): Promise<void> {
  if (await runOne(id, 'transfer', { userId: to.id }, t('{name} está com {who}', { name, who: to.name })))
    doors.gone(id)
}

/** The colleagues who can be given a ticket: those who are there first. */
export const receivers = <P extends { id: number; isOnline: boolean }>(
  { status, userId }: Pick<TicketRow, 'status' | 'userId'>,
  people: readonly P[],
): P[] =>
  status === 'closed'
    ? []
    : people
        .filter(({ id }) => id !== userId && id !== viewer().userId)
        .sort((a, b) => Number(b.isOnline) - Number(a.isOnline))

type Person = { readonly id: number; readonly name: string; readonly isOnline: boolean }

/** Everywhere a ticket can be moved to, tabs first. */
export const movesOf = (row: TicketRow, people: readonly Person[], doors: Doors) => [
  ...tabs.flatMap(([key, label, hint]) => {
    const run = moveToTab(key, row, doors)
    return run ? [{ key, label, hint, person: null, run }] : []
  }),
  ...receivers(row, people).map((person) => ({
    ...{ key: `${person.id}`, label: person.name, hint: person.isOnline ? '' : t('offline'), person },
    run: () => void moveToColleague(row, person, doors),
  })),
]

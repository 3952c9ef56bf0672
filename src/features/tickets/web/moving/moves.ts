import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import type { BulkAction, BulkArgs } from '../../bulk-contract.ts'
import type { Doors } from '../actions/doors.ts'
import { confirmTaking } from '../actions/taking.ts'
import { runOne } from '../bulk/one.ts'
import { resolve } from '../commands/resolve.ts'

// Tabs that accept a ticket, with name and effect.
const tabs = [
  ['open', t('Abertos'), t('com você')],
  ['pending', t('Pendentes'), t('na fila')],
  ['snoozed', t('Adiados'), t('até uma hora')],
  ['closed', t('Resolvidos'), t('resolver')],
] as const

/**
 * Returns the action of moving a ticket to a tab; null if nothing changes. Closes the view of a ticket that was put away;
 * every move can be undone.
 */
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

/** Gives a ticket to a colleague in its current queue, and closes the giver's view of it. */
export async function moveToColleague(
  { id, name }: Pick<TicketRow, 'id' | 'name'>,
  to: { readonly id: number; readonly name: string },
  doors: Doors,
): Promise<void> {
  if (await runOne(id, 'transfer', { userId: to.id }, t('{name} está com {who}', { name, who: to.name })))
    doors.gone(id)
}

/** Returns the colleagues who can be given a ticket, online ones first. */
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

/** Returns all moves of a ticket, tabs first. */
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

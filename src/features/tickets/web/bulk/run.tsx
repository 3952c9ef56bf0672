import { isBulkWanted, showBulk } from '#features/bulk/web/index.ts'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ticketsBulk } from '../../bulk-addresses.ts'
import type { BulkAction, BulkArgs } from '../../bulk-contract.ts'
import { type ListFilter, queryOf } from '../lists/list-filter.ts'
import { textsOf } from './texts.ts'

/** Tickets that are named, or all of a filter in the number that the person saw. */
export type Target = { readonly ids: readonly number[] } | { readonly filter: ListFilter; readonly expected: number }

/** Does something with the tickets that are chosen. */
export type Perform = (action: BulkAction, args?: BulkArgs) => Promise<void>

const bodyOf = (target: Target) =>
  'ids' in target ? { ids: [...target.ids] } : { filter: queryOf(target.filter), expected: target.expected }

/** How many tickets a filter means now. */
export async function countOf(filter: ListFilter): Promise<number> {
  // Any action would do: nothing is done.
  const [action] = ['read'] as const
  const body = { filter: queryOf(filter), action, dryRun: true }
  return (await call(ticketsBulk.start, { body }, { quiet: true })).total
}

/** Does something with many tickets: what would be refused is shown first. True when it was done, or has begun. */
export const runBulk = (target: Target, action: BulkAction, args: BulkArgs = {}): Promise<boolean> =>
  run(target, action, args, false)

// `hasChanged`: the filter means others by now than the person saw.
async function run(target: Target, action: BulkAction, args: BulkArgs, hasChanged: boolean): Promise<boolean> {
  const ask = (dryRun: boolean) =>
    call(ticketsBulk.start, { body: { ...bodyOf(target), action, args, dryRun } }, { quiet: true, long: true })
  try {
    const preview = await ask(true)
    const nameOf = (id: number) => ticketRow(id)?.name
    if (!(await isBulkWanted(preview, textsOf(action), { hasChanged, nameOf }))) return false
    show(await ask(false))
    return true
  } catch (error) {
    const now = isApiError(error) && error.code === 'ERR_SELECTION_CHANGED' && Number(error.details['count'])
    if (now === false || !('filter' in target)) {
      notifyError(error)
      return false
    }
    return run({ ...target, expected: now }, action, args, true)
  }
}

/** Marks all that a list means as read, with the way back. */
export async function readAll(filter: ListFilter): Promise<void> {
  try {
    const unread = { ...filter, withUnreadMessages: true }
    const expected = await countOf(unread)
    if (expected > 0) await runBulk({ filter: unread, expected }, 'read')
    else notify({ tone: 'info', title: t('Tudo aqui já foi lido') })
  } catch (error) {
    notifyError(error)
  }
}

/** Tells what was done with tickets, with the way back. */
export const show = (answer: BulkAnswer, title?: string): void => showBulk(answer, textsOf(answer.action), title)

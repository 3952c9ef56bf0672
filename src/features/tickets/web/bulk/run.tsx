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

/** Target of a bulk action: named tickets, or all that match a filter with the number that the person saw. */
export type Target = { readonly ids: readonly number[] } | { readonly filter: ListFilter; readonly expected: number }

/** Runs an action on the selected tickets. */
export type Perform = (action: BulkAction, args?: BulkArgs) => Promise<void>

const bodyOf = (target: Target) =>
  'ids' in target ? { ids: [...target.ids] } : { filter: queryOf(target.filter), expected: target.expected }

/** Counts the tickets that match a filter. */
export async function countOf(filter: ListFilter): Promise<number> {
  // Any action serves for a dry run.
  const [action] = ['read'] as const
  const body = { filter: queryOf(filter), action, dryRun: true }
  return (await call(ticketsBulk.start, { body }, { quiet: true })).total
}

/** Runs a bulk action; shows first what would be refused. Returns true if it was done or started. */
export const runBulk = (target: Target, action: BulkAction, args: BulkArgs = {}): Promise<boolean> =>
  run(target, action, args, false)

// `hasChanged`: the filter now matches other tickets than the person saw.
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

/** Marks all tickets of a list as read, with undo. */
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

/** Shows the result of a bulk action, with undo. */
export const show = (answer: BulkAnswer, title?: string): void => showBulk(answer, textsOf(answer.action), title)

import { isBulkWanted, showBulk } from '#features/bulk/web/index.ts'
import type { CallInput } from '#kit/contract.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { contactsBulk } from '../addresses.ts'
import type { ContactAction, ContactArgs } from '../bulk-contract.ts'
import { textsOf } from './bulk-texts.ts'

/** Filter of the list. */
export type ContactFilter = NonNullable<CallInput<typeof contactsBulk.start>['body']['filter']>

/** Target of a bulk action: named contacts, or all that match a filter with the number that the person saw. */
export type Target = { readonly ids: readonly number[] } | { readonly filter: ContactFilter; readonly expected: number }

const bodyOf = (target: Target) =>
  'ids' in target ? { ids: [...target.ids] } : { filter: target.filter, expected: target.expected }

/** Counts the contacts that match a filter. */
export async function countOf(filter: ContactFilter): Promise<number> {
  // Any action serves for a dry run.
  const body = { filter, action: 'unblock' as const, dryRun: true }
  return (await call(contactsBulk.start, { body }, { quiet: true })).total
}

/** Runs a bulk action on contacts; shows first what would be refused. Returns true if it was done or started. */
export async function runBulk(
  target: Target,
  action: ContactAction,
  args: ContactArgs,
  nameOf: (id: number) => string | undefined,
): Promise<boolean> {
  const ask = (dryRun: boolean) =>
    call(contactsBulk.start, { body: { ...bodyOf(target), action, args, dryRun } }, { quiet: true, long: true })
  try {
    const preview = await ask(true)
    if (!(await isBulkWanted(preview, textsOf(action), { nameOf }))) return false
    showBulk(await ask(false), textsOf(action))
    return true
  } catch (error) {
    const now = isApiError(error) && error.code === 'ERR_SELECTION_CHANGED' && Number(error.details['count'])
    if (now === false || !('filter' in target)) notifyError(error)
    else notify({ tone: 'warn', title: t('A lista mudou enquanto você decidia.'), text: t('Confira e tente de novo.') })
    return false
  }
}

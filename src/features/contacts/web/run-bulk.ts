import { isBulkWanted, showBulk } from '#features/bulk/web/index.ts'
import type { CallInput } from '#kit/contract.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { contactsBulk } from '../addresses.ts'
import type { ContactAction, ContactArgs } from '../bulk-contract.ts'
import { textsOf } from './bulk-texts.ts'

/** What the list is narrowed by. */
export type ContactFilter = NonNullable<CallInput<typeof contactsBulk.start>['body']['filter']>

/** Contacts that are named, or all of a filter in the number that the person saw. */
export type Target = { readonly ids: readonly number[] } | { readonly filter: ContactFilter; readonly expected: number }

const bodyOf = (target: Target) =>
  'ids' in target ? { ids: [...target.ids] } : { filter: target.filter, expected: target.expected }

/** How many contacts a filter means now. */
export async function countOf(filter: ContactFilter): Promise<number> {
  // Any action would do: nothing is done.
  const body = { filter, action: 'unblock' as const, dryRun: true }
  return (await call(contactsBulk.start, { body }, { quiet: true })).total
}

/** Does something with many contacts: what would be refused is shown first. True when it was done, or has begun. */
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

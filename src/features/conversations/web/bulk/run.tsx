import { undoMs } from '#domain/bulk/limits.ts'
import { follow, Refusals, undoBulk } from '#features/bulk/web/index.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ticketsBulk } from '../../addresses.ts'
import type { BulkAction, BulkArgs } from '../../bulk-contract.ts'
import { type ListFilter, queryOf } from '../list/list-filter.ts'
import { ticketRow } from '../live/store.ts'
import { textsOf } from './texts.ts'

/** Tickets that are named, or all of a filter in the number that the person saw. */
export type Target = { readonly ids: readonly number[] } | { readonly filter: ListFilter; readonly expected: number }

/** Does something with the tickets that are chosen. */
export type Perform = (action: BulkAction, args?: BulkArgs) => Promise<void>

/** Up to so many are changed without a question, where none is refused: the toast has the way back. */
const unasked = 20

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
    if (!(await isWanted(preview, hasChanged))) return false
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

async function isWanted(preview: BulkAnswer, hasChanged: boolean): Promise<boolean> {
  const { action, total, done, refused, refusedCount } = preview
  const { question, button } = textsOf(action)
  if (done === 0) {
    const why = [...new Set(refused.map(({ text }) => text))].join(' ')
    notify({ tone: 'warn', title: t('Nenhum pode ser alterado'), text: why })
    return false
  }
  if (refusedCount === 0 && total <= unasked && !hasChanged) return true
  const minutes = undoMs(total) / 60_000
  const back =
    minutes < 1 ? t('Dá para desfazer por 10 segundos.') : t('Dá para desfazer por {minutes} minutos.', { minutes })
  const left = refusedCount > 0 && (
    <>
      <p>{plural(refusedCount, t('fica como está:'), t('ficam como estão:'))}</p>
      <Refusals refused={refused} nameOf={(id) => ticketRow(id)?.name} />
    </>
  )
  const text = (
    <>
      {hasChanged && <p>{t('A lista mudou enquanto você decidia.')}</p>}
      {left || back}
    </>
  )
  return confirm({ title: question(done), text, action: button, tone: 'brand' })
}

/** Tells what was done, with the way back; what goes on by itself is followed above every screen. */
export function show(answer: BulkAnswer, title?: string): void {
  const { id, action, status, total, done, refusedCount, refused, undoUntil } = answer
  if (id === null) return
  if (status === 'running') {
    const { refused: _, ...progress } = answer
    follow({ ...progress, id })
    return
  }
  const [first] = refused
  if (done === 0 && first) return void notify({ tone: 'warn', title: first.text })
  notify({
    id: `bulk ${id}`,
    tone: 'pos',
    title: title ?? textsOf(action).done(done),
    ...(refusedCount > 0 ? { text: plural(refusedCount, t('ficou como está'), t('ficaram como estão')) } : {}),
    ...(undoUntil ? { ms: undoMs(total), action: { label: t('Desfazer'), run: () => void undoBulk(id) } } : {}),
  })
}

import { undoMs } from '#domain/bulk/limits.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { follow } from './operations.ts'
import { Refusals } from './Refusals.tsx'
import type { BulkTexts } from './texts.ts'
import { undo } from './undo.ts'

/** Texts of a bulk action's confirmation and result. */
export type BulkQuestion = BulkTexts & { readonly question: (count: number) => string; readonly button: string }

/** Maximum number of records changed without confirmation, if none is refused; the toast offers undo. */
const unasked = 20

/**
 * Asks whether to carry out a previewed bulk action; shows refusals first. `hasChanged`: the filter matches other records
 * than the user saw.
 */
export async function isBulkWanted(
  { total, done, refused, refusedCount }: BulkAnswer,
  { question, button }: BulkQuestion,
  { hasChanged = false, nameOf }: { hasChanged?: boolean; nameOf: (id: number) => string | undefined },
): Promise<boolean> {
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
      <Refusals refused={refused} nameOf={nameOf} />
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

/** Shows the result of a bulk action with undo; background operations are followed by a bar on every screen. */
export function showBulk(answer: BulkAnswer, { done: textOf }: BulkTexts, title?: string): void {
  const { id, status, total, done, refusedCount, refused, undoUntil } = answer
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
    title: title ?? textOf(done),
    ...(refusedCount > 0 ? { text: plural(refusedCount, t('ficou como está'), t('ficaram como estão')) } : {}),
    ...(undoUntil ? { ms: undoMs(total), action: { label: t('Desfazer'), run: () => void undo(id) } } : {}),
  })
}

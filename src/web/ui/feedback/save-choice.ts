import { sentence } from '../../api.ts'
import { t } from '../../t.ts'
import { notify } from './notify.tsx'

/** Switch or choice that is saved at once. */
type Choice<V> = {
  /** Label of the field on the screen. */
  label: string
  before: V
  next: V
  /** Formats a value: “ligado”, “30 dias”. */
  labelOf: (value: V) => string
  save: (value: V) => Promise<unknown>
  /** Shows a value immediately, where `save` does not do so itself. */
  show?: (value: V) => void
  /** Returns a better text for a refusal than the server's sentence. */
  refusal?: (error: unknown) => { title?: string; text?: string }
}

/** Formats a switch's value. */
export const onOff = (value: boolean): string => (value ? t('ligado') : t('desligado'))

/**
 * Shows a choice, saves it and confirms it in a toast with “Desfazer”; if the server refuses, shows the previous value and
 * the error. Returns whether it was saved.
 */
export async function saveChoice<V>(choice: Choice<V>, isUndo = false): Promise<boolean> {
  const { label, before, next, labelOf, save, show, refusal } = choice
  if (before === next) return true
  const id = `choice ${label}`
  show?.(next)
  try {
    await save(next)
  } catch (error) {
    show?.(before)
    const text = sentence(error)
    notify({ id, tone: 'warn', title: t('“{label}” não foi salvo', { label }), text, ...refusal?.(error) })
    return false
  }
  const value = labelOf(next)
  const undo = () => void saveChoice({ ...choice, before: next, next: before }, true)
  notify({
    id,
    tone: 'pos',
    title: label,
    text: isUndo ? t('Desfeito: {value}', { value }) : t('Salvo: {value}', { value }),
    ...(isUndo ? {} : { action: { label: t('Desfazer'), run: undo } }),
  })
  return true
}

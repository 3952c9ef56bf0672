import { Button } from '@mantine/core'
import { t } from '../../t.ts'
import { BusyButton } from '../feedback/BusyButton.tsx'
import css from './save-footer.module.css'

/**
 * Footer of a form that is saved as a whole: the unsaved changes, and the buttons that save or discard. Hidden until a
 * change. Without `onSave` its button submits the form around it.
 */
export function SaveFooter(props: {
  isChanged: boolean
  busy: boolean
  onSave?: () => void
  onDrop: () => void
  /** Problem that prevents saving. */
  problem?: string | undefined
  /** Text for unsaved changes, in place of the default. */
  unsaved?: string
}) {
  const { isChanged, busy, onSave, onDrop, problem, unsaved = t('Alterações não salvas') } = props
  if (!isChanged) return null
  return (
    <footer className={css.footer}>
      <span data-problem={problem !== undefined || undefined} role={problem ? 'alert' : undefined}>
        {problem ?? unsaved}
      </span>
      <Button variant="default" onClick={onDrop} disabled={busy}>
        {t('Descartar')}
      </Button>
      <BusyButton busy={busy} doing={t('Salvando')} {...(onSave ? { onClick: onSave } : { type: 'submit' })}>
        {t('Salvar')}
      </BusyButton>
    </footer>
  )
}

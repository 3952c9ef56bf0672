import { Button } from '@mantine/core'
import { t } from '#web/t.ts'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import css from './acts.module.css'

/** End of a dialog with one request (`useAsking`): its problem of no field, and its buttons. Without `onRun` it submits. */
export function DialogEnd(props: {
  problem: string | undefined
  action: string
  isReady: boolean
  busy: boolean
  onClose: () => void
  onRun?: () => void
}) {
  const { problem, action, isReady, busy, onClose, onRun } = props
  return (
    <>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={dialogs.footer}>
        <Button variant="default" onClick={onClose}>
          {t('Cancelar')}
        </Button>
        <Button
          type={onRun ? 'button' : 'submit'}
          disabled={!isReady}
          loading={busy}
          {...(onRun && { onClick: onRun })}
        >
          {action}
        </Button>
      </div>
    </>
  )
}

import { Button } from '@mantine/core'
import { t } from '../../t.ts'
import css from './dialogs.module.css'

/** End of a dialog: its problem of no field, “Cancelar” and the button `action`, which submits the form without `onRun`. */
export function DialogEnd(props: {
  problem?: string | undefined
  action: string
  isReady?: boolean
  busy: boolean
  onClose: () => void
  onRun?: () => void
}) {
  const { problem, action, isReady = true, busy, onClose, onRun } = props
  return (
    <>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={css.footer}>
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

import { Button } from '@mantine/core'
import { t } from '../../t.ts'
import { BusyButton } from './BusyButton.tsx'
import css from './dialogs.module.css'

/**
 * End of a dialog: its problem of no field, “Cancelar” and the button `action`, which submits the form without `onRun` and
 * reads `doing` (a gerund) while it is busy.
 */
export function DialogEnd(props: {
  problem?: string | undefined
  action: string
  doing?: string
  isReady?: boolean
  isDanger?: boolean
  busy: boolean
  onClose: () => void
  onRun?: () => void
}) {
  const { problem, action, doing = t('Um momento'), isReady = true, isDanger = false, busy, onClose, onRun } = props
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
        <BusyButton
          type={onRun ? 'button' : 'submit'}
          disabled={!isReady}
          busy={busy}
          doing={doing}
          {...(isDanger && { color: 'neg' })}
          {...(onRun && { onClick: onRun })}
        >
          {action}
        </BusyButton>
      </div>
    </>
  )
}

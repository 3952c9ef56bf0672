import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../../t.ts'
import css from './dialogs.module.css'

/** Fields in the middle of the screen with “Cancelar” and the button `action`, which turns until `onSubmit` is done. */
export function FormDialog(props: {
  title: string
  action: string
  onSubmit: () => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  const { title, action, onSubmit, onClose, children } = props
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    await onSubmit()
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} size={420} padding={20} title={title}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

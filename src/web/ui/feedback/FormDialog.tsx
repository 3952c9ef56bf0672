import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useUnsaved } from '../../unsaved.ts'
import { confirmDiscard } from './confirm.tsx'
import { DialogEnd } from './DialogEnd.tsx'
import css from './dialogs.module.css'

/**
 * Dialog with fields, “Cancelar” and the button `action`, which is busy until `onSubmit` is done. `unsaved` is the text of
 * what would be lost: leaving asks then.
 */
export function FormDialog(props: {
  title: string
  action: string
  unsaved?: string | false
  onSubmit: () => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  const { title, action, unsaved = false, onSubmit, onClose, children } = props
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    await onSubmit()
    setBusy(false)
  }
  // A request in progress is not unsaved, and its result may lead to another page.
  useUnsaved(unsaved !== false && !busy)
  const close = async () => {
    if (!unsaved || (await confirmDiscard({ text: unsaved }))) onClose()
  }
  return (
    <Modal opened onClose={() => void close()} size={420} title={title}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        <DialogEnd action={action} busy={busy} onClose={() => void close()} />
      </form>
    </Modal>
  )
}

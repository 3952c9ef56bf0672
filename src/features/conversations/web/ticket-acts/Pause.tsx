import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import css from '../dialogs.module.css'
import own from './ticket-acts.module.css'

/** “Pausar”: with the reason, where somebody gives one. */
export function Pause(props: { title: string; onPause: (reason: string) => Promise<void>; onClose: () => void }) {
  const { title, onPause, onClose } = props
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    await onPause(reason.trim())
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
        <p className={own.hint}>{t('Não é resolvido sozinho enquanto descansa; as mensagens continuam chegando.')}</p>
        <TextInput
          data-autofocus
          label={t('Motivo')}
          placeholder={t('Opcional, para a equipe')}
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('Pausar')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import own from './ticket-acts.module.css'

/** “Pausar” dialog, with an optional reason. */
export function Pause(props: { title: string; onPause: (reason: string) => Promise<void>; onClose: () => void }) {
  const { title, onPause, onClose } = props
  const [reason, setReason] = useState('')
  return (
    <FormDialog title={title} action={t('Pausar')} onSubmit={() => onPause(reason.trim())} onClose={onClose}>
      <p className={own.hint}>
        {t('Enquanto está pausado, não é resolvido automaticamente; as mensagens continuam chegando.')}
      </p>
      <TextInput
        data-autofocus
        label={t('Motivo')}
        placeholder={t('Opcional, para a equipe')}
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

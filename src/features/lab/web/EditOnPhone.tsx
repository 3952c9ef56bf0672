import { Button, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'

/** Dialog for editing a message of the phone's person. */
export function EditOnPhone({
  phone,
  message,
  onClose,
}: {
  phone: LabPhone
  message: LabMessage
  onClose: () => void
}) {
  const [text, setText] = useState(message.body)
  const body = text.trim()
  const save = async () => {
    if (await actOn(phone, message, { act: 'edit', body })) onClose()
  }
  return (
    <Modal opened onClose={onClose} size={400} title={t('Editar no telefone de {name}', { name: phone.name })}>
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        aria-label={t('Texto')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button fullWidth mt={12} disabled={body === '' || body === message.body} onClick={() => void save()}>
        {t('Salvar')}
      </Button>
    </Modal>
  )
}

import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'

/** Dialog that asks for the reason of a loss. */
export function LoseDialog(props: {
  title: string
  onLose: (reason: string) => Promise<unknown>
  onClose: () => void
}) {
  const { title, onLose, onClose } = props
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const submit = async () => {
    const text = reason.trim()
    if (!text) return setError(t('Diga por que foi perdida.'))
    await onLose(text)
    onClose()
  }
  return (
    <FormDialog title={title} action={t('Perder')} onSubmit={submit} onClose={onClose}>
      <Textarea
        label={t('Motivo da perda')}
        placeholder={t('Preço, prazo, comprou em outro lugar…')}
        autosize
        minRows={2}
        maxLength={300}
        data-autofocus
        value={reason}
        error={error}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setError(undefined)
        }}
      />
    </FormDialog>
  )
}

import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { opportunityNotes } from '../addresses.ts'
import type { Opportunity } from '../contract.ts'

/** Dialog that sends an e-mail to an opportunity's contact through the company's mail server; a copy is stored as a note. */
export function MailDialog({ card, onClose }: { card: Opportunity; onClose: () => void }) {
  const [subject, setSubject] = useState(card.name)
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const missing = (value: string, sentence: string) => (isTried && !value.trim() ? sentence : undefined)
  const submit = async () => {
    setTried(true)
    if (!subject.trim() || !text.trim()) return
    const body = { subject, text }
    const sent = await attempt(
      () => call(opportunityNotes.mail, { params: { id: card.id }, body }, { quiet: true }),
      t('E-mail enviado; ele fica nas notas da oportunidade'),
    )
    if (sent) onClose()
  }
  return (
    <FormDialog
      title={t('E-mail para {name}', { name: card.contact.name })}
      action={t('Enviar')}
      unsaved={text.trim() !== '' && t('O e-mail ainda não foi enviado.')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('Assunto')}
        maxLength={200}
        value={subject}
        error={missing(subject, t('Escreva o assunto.'))}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Textarea
        label={t('Mensagem')}
        autosize
        minRows={5}
        maxRows={14}
        maxLength={3500}
        data-autofocus
        value={text}
        error={missing(text, t('Escreva a mensagem.'))}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

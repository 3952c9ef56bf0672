import { FileButton, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { mailOf } from '#domain/messages/mail.ts'
import { t } from '#web/t.ts'
import { AttachIcon, BroadcastIcon, CloseIcon } from '#web/ui/icons.ts'
import type { LabPhone } from '../contract.ts'
import css from './composer.module.css'
import type { PhoneState } from './use-phone.ts'

/** Composer of a mailbox: answers the chosen or the newest mail, or writes a mail with another subject. */
export function MailComposer({ phone, state }: { phone: LabPhone; state: PhoneState }) {
  const { draft, type, send, messages, answering, setAnswering } = state
  const [subject, setSubject] = useState('')
  const answered = answering ?? messages.findLast(({ data }) => mailOf(data))
  const isNew = subject.trim() !== ''
  const sendMail = (file?: File) => {
    const text = draft.trim()
    if (!text && !file) return
    const about = isNew ? { subject: subject.trim() } : answered ? { quotedId: answered.id } : {}
    void send({ text, ...about, ...(file ? { file } : {}) })
    type('')
    setSubject('')
    setAnswering(null)
  }
  return (
    <form
      className={css.mail}
      onSubmit={(event) => {
        event.preventDefault()
        sendMail()
      }}
    >
      <TextInput
        size="xs"
        aria-label={t('Assunto de {name}', { name: phone.name })}
        placeholder={answered ? t('Novo assunto (em branco, responde)') : t('Assunto')}
        maxLength={200}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      {!isNew && answered && (
        <p className={css.answering}>
          <span className="g-cut">
            {t('Respondendo: {subject}', { subject: mailOf(answered.data)?.subject ?? '' })}
          </span>
          {answering && (
            <button type="button" aria-label={t('Responder ao e-mail mais novo')} onClick={() => setAnswering(null)}>
              <CloseIcon size={15} />
            </button>
          )}
        </p>
      )}
      <MailRow phone={phone} state={state} sendMail={sendMail} />
    </form>
  )
}

function MailRow(props: { phone: LabPhone; state: PhoneState; sendMail: (file?: File) => void }) {
  const { phone, state, sendMail } = props
  const pick = useRef<() => void>(null)
  return (
    <div className={css.mailRow}>
      <div className={css.field}>
        <textarea
          rows={2}
          value={state.draft}
          placeholder={t('E-mail')}
          aria-label={t('E-mail de {name}', { name: phone.name })}
          onChange={(event) => state.type(event.currentTarget.value)}
        />
        <FileButton
          resetRef={pick}
          onChange={(file) => {
            if (file) sendMail(file)
            pick.current?.()
          }}
        >
          {(file) => (
            <button type="button" className={css.attach} aria-label={t('Anexar')} onClick={file.onClick}>
              <AttachIcon size={18} />
            </button>
          )}
        </FileButton>
      </div>
      <button type="submit" className={css.go} aria-label={t('Enviar')}>
        <BroadcastIcon size={18} />
      </button>
    </div>
  )
}

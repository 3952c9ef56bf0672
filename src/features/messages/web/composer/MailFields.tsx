import { TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type MailDraft, type MailPerson, typedPeople } from '#domain/messages/mail.ts'
import { tickets } from '#features/ledger/addresses.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import type { Answer } from '#kit/contract.ts'
import { query } from '#web/client.ts'
import { isRestricted } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import { useSavedDraft } from './draft-store.ts'
import { writeDraft } from './drafts.ts'
import { problemsOf, untouched } from './mail-draft.ts'
import css from './mail-fields.module.css'

const NOBODY: readonly MailPerson[] = []

/** Receivers and subject above the text of a mail; left unchanged, the mail replies to the last writer. */
export function MailFields({ ticket }: { ticket: Pick<TicketDetail, 'id' | 'lastMessageAt'> }) {
  const { mail } = useSavedDraft(ticket.id)
  const asked = query(tickets.answer, { params: { id: ticket.id } })
  // The reply goes to the last writer: read again after each message.
  const { data } = useQuery({
    ...asked,
    queryKey: [...asked.queryKey, ticket.lastMessageAt],
    placeholderData: keepPreviousData,
  })
  const draft = mail ?? untouched
  const [isWanted, setWanted] = useState<boolean | null>(null)
  const id = useId()
  const problems = problemsOf(draft)
  const isUsed = draft.mode === 'own' || Boolean(draft.subject || draft.cc || draft.bcc)
  const isOpen = Object.keys(problems).length > 0 || (isWanted ?? isUsed)
  const change = (next: Partial<MailDraft>) => {
    const all = { ...draft, ...next }
    const isTouched = all.mode !== 'reply' || all.subject || all.cc || all.bcc
    writeDraft(ticket.id, { mail: isTouched ? all : null })
  }
  return (
    <div className={css.mail} role="group" aria-label={t('Cabeçalho do e-mail')}>
      <div className={css.row}>
        <ReplyMode draft={draft} answer={data} change={change} />
        <button
          type="button"
          className="g-icon-button"
          aria-label={t('Assunto e destinatários')}
          aria-expanded={isOpen}
          aria-controls={id}
          data-open={isOpen || undefined}
          onClick={() => setWanted(!isOpen)}
        >
          <ChevronDownIcon size={16} />
        </button>
      </div>
      {isOpen && <MailDetails id={id} draft={draft} answer={data} problems={problems} change={change} />}
    </div>
  )
}

type DraftProps = {
  draft: MailDraft
  /** Receivers and subject of a reply. */
  answer: Answer<typeof tickets.answer> | undefined
  change: (next: Partial<MailDraft>) => void
}

function ReplyMode({ draft, answer, change }: DraftProps) {
  const { to = NOBODY, cc: others = NOBODY } = answer ?? {}
  const isToAll = draft.mode === 'all'
  return (
    <>
      <p className={css.receivers}>
        {draft.mode === 'own'
          ? t('O e-mail vai para quem está em “Para”.')
          : answer && t('Para: {people}', { people: namesOf(isToAll ? [...to, ...others] : to) })}
      </p>
      {draft.mode === 'own' && to.length > 0 && (
        <button type="button" className={css.choice} onClick={() => change({ mode: 'reply', to: '' })}>
          {t('Responder a quem escreveu')}
        </button>
      )}
      {draft.mode !== 'own' && others.length > 0 && (
        <button
          type="button"
          className={css.choice}
          aria-pressed={isToAll}
          onClick={() => change({ mode: isToAll ? 'reply' : 'all' })}
        >
          {t('Responder a todos')}
        </button>
      )}
    </>
  )
}

function MailDetails(props: DraftProps & { id: string; problems: ReturnType<typeof problemsOf> }) {
  const { id, draft, answer, problems, change } = props
  const { to = NOBODY, cc: others = NOBODY, subject = '' } = answer ?? {}
  // Explicit receivers replace the default ones.
  const name = (typed: string) => {
    const cc = draft.mode === 'all' ? [typedPeople(others), draft.cc].filter(Boolean).join(', ') : draft.cc
    change({ mode: 'own', to: typed, cc })
  }
  return (
    <div id={id} className={css.fields}>
      {(draft.mode === 'own' || !isRestricted()) && (
        <Receivers
          label={t('Para')}
          value={draft.mode === 'own' ? draft.to : typedPeople(to)}
          error={problems.to}
          onChange={name}
        />
      )}
      <Receivers label={t('Cc')} value={draft.cc} error={problems.cc} onChange={(cc) => change({ cc })} />
      <Receivers label={t('Cco')} value={draft.bcc} error={problems.bcc} onChange={(bcc) => change({ bcc })} />
      <TextInput
        size="xs"
        label={t('Assunto')}
        maxLength={300}
        placeholder={subject}
        value={draft.subject}
        onChange={(event) => change({ subject: event.currentTarget.value })}
      />
    </div>
  )
}

const namesOf = (people: readonly MailPerson[]): string =>
  people.map(({ name, address }) => name || address).join(', ') || t('ninguém escreveu ainda')

/** Input for mail addresses; shows its error only after it loses the focus. */
function Receivers(props: {
  label: string
  value: string
  error: string | undefined
  onChange: (typed: string) => void
}) {
  const { label, value, error, onChange } = props
  const [isTyping, setTyping] = useState(false)
  return (
    <TextInput
      size="xs"
      label={label}
      maxLength={4000}
      autoComplete="off"
      spellCheck={false}
      value={value}
      error={isTyping ? undefined : error}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

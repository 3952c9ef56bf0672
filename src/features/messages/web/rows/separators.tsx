import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatDate, formatDateTime, formatDay, formatTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { TransferIcon } from '#web/ui/icons.ts'
import type { PastTicket } from '../cache/thread-data.ts'
import { quotePreview } from '../parts/quote.tsx'
import css from './thread.module.css'
import type { LogEntry } from './thread-rows.ts'

/** Separator with the day of the messages below. */
export const DaySeparator = memo(function DaySeparator({ at }: { at: number }) {
  return (
    <div className={css.day}>
      <span>{formatDay(at)}</span>
    </div>
  )
})

/** Separator before the first message that was unread when the conversation opened. */
export const UnreadSeparator = memo(function UnreadSeparator({ count }: { count: number | null }) {
  const text = count === null ? t('Mensagens novas') : plural(count, t('mensagem nova'), t('mensagens novas'))
  return <Separator tone="brand">{text}</Separator>
})

/** Log entry of the ticket between messages. */
export const LogRow = memo(function LogRow({ log }: { log: LogEntry }) {
  return (
    <Separator>
      {(log.type === 'transfered' || log.type === 'receivedTransfer') && <TransferIcon size={14} />}
      <span>{sentenceOf(log)}</span>
      <time>{`· ${formatTime(log.createdAt)}`}</time>
    </Separator>
  )
})

/** Separator before the messages of another ticket of the contact, or again of the open ticket (null). */
export const TicketSeparator = memo(function TicketSeparator({ ticket }: { ticket: PastTicket | null }) {
  if (!ticket) return <Separator tone="ticket">{t('Atendimento atual')}</Separator>
  const about = [ticket.queue, ticket.connectionName, ticket.username].filter(Boolean)
  return (
    <Separator tone="ticket">
      <Link to={`/atendimento/${ticket.id}`}>{t('Atendimento {id}', { id: ticket.id })}</Link>
      <span>{about.map((part) => ` · ${part}`)}</span>
      <time>{` · ${formatDate(ticket.createdAt)}`}</time>
    </Separator>
  )
})

/** Horizontal separator across the conversation. */
export function Separator({ tone, children }: { tone?: 'brand' | 'ticket'; children: ReactNode }) {
  return (
    <div className={css.separator} data-tone={tone}>
      <span className={css.text}>{children}</span>
    </div>
  )
}

function sentenceOf({ type, label, user, queue, reason, until }: LogEntry): ReactNode {
  const who = user?.name
  if (!who && type === 'overflow' && queue)
    return t('Passou para a fila {queue} por transbordo', { queue: queue.queue })
  if (!who) return type === 'create' ? t('Conversa iniciada pelo contato') : label
  switch (type) {
    case 'create':
      return t('{who} iniciou a conversa', { who })
    case 'open':
      return t('{who} assumiu o atendimento', { who })
    case 'pending':
      return t('{who} devolveu à fila', { who })
    case 'closed':
      return t('{who} resolveu o atendimento', { who })
    case 'receivedTransfer':
      return (
        <>
          {t('Atendimento recebido por')} <b>{who}</b>
        </>
      )
    case 'distributed':
      return (
        <>
          {t('Distribuído para')} <b>{who}</b>
        </>
      )
    case 'ownerAway':
      return t('Voltou à fila: {who} se ausentou', { who })
    case 'transfered':
      return (
        <>
          {queue ? t('{who} transferiu para', { who }) : t('{who} transferiu o atendimento', { who })}{' '}
          {queue && <b>{queue.queue}</b>}
        </>
      )
    default:
      if (type === 'snooze' && until)
        return t('{who} adiou até {when}', { who, when: formatDateTime(until).replace(/\/\d{4} /, ', ') })
      // “Pausou o atendimento” needs a subject; “Bot: Fila definida” does not.
      return [
        /^\S+(ou|ez) /.test(label) ? `${who} ${label.charAt(0).toLowerCase()}${label.slice(1)}` : `${label} · ${who}`,
        reason,
      ]
        .filter(Boolean)
        .join(': ')
  }
}

/** Typing indicator of the contact. */
export function TypingDots() {
  return (
    <div className={css.dots} role="img" aria-label={t('digitando')}>
      <span>
        <i />
        <i />
        <i />
      </span>
    </div>
  )
}

/** Announces the contact's newest message to screen readers. */
export function Announcer({ message }: { message: MessageRow | undefined }) {
  return (
    <div className="g-hidden" aria-live="polite">
      {message && !message.fromMe && `${t('Nova mensagem')}: ${quotePreview(message)}`}
    </div>
  )
}

import { Suspense, useState } from 'react'
import { shownText } from '#domain/messages/signature.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { refreshTicket } from '#features/messages/web/ticket/ticket.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatDay, formatTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { BlockIcon, EditIcon, HoursIcon, SendIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { repeatText } from './repeats.ts'
import css from './schedule.module.css'

const ScheduleDialog = lazyPart(async () => (await import('./ScheduleDialog.tsx')).ScheduleDialog)

type One = TicketDetail['scheduledMessages'][number]

/** Scheduled message with its actions, in the conversation or as a row of the panel. */
export function Scheduled({ ticketId, message, readOnly }: { ticketId: number; message: One; readOnly?: boolean }) {
  const [changing, setChanging] = useState(false)
  const { id, scheduleDate, cancelOnReply, repeat, mediaName, userName } = message
  const text = shownText({ body: message.body, userName, fromMe: true })
  const about = [
    ...(repeat ? [t('Repete {how}', { how: repeatText(repeat) })] : []),
    ...(cancelOnReply ? [t('Só se o cliente não responder antes')] : []),
    ...(userName ? [userName] : []),
  ]
  const commands: Command[] = [
    { id: 'change', label: t('Alterar'), icon: EditIcon, run: () => setChanging(true) },
    { id: 'now', label: t('Enviar agora'), icon: SendIcon, run: () => void act(ticketId, sendNow(id)) },
    {
      id: 'cancel',
      label: repeat ? t('Cancelar e não repetir') : t('Cancelar agendamento'),
      icon: BlockIcon,
      run: () => void act(ticketId, cancel(id), t('Agendamento cancelado')),
    },
  ]
  return (
    <article className={css.card} aria-label={t('Mensagem agendada')}>
      <header className={css.header}>
        <HoursIcon size={15} />
        <span>{t('{day}, {time}', { day: formatDay(scheduleDate), time: formatTime(scheduleDate) })}</span>
        {!readOnly && <CommandMenu commands={commands} label={t('Opções do agendamento')} size={28} />}
      </header>
      {mediaName && <p className={css.more}>{mediaName}</p>}
      {text && <p className={css.text}>{text}</p>}
      {about.length > 0 && <p className={css.more}>{about.join(' · ')}</p>}
      {changing && (
        <Suspense>
          <ScheduleDialog
            ticketId={ticketId}
            name=""
            subject={{
              body: message.body,
              change: { id, scheduleDate, userName, repeat, cancelOnReply, mediaName },
              onDone: () => {},
            }}
            onClose={() => setChanging(false)}
          />
        </Suspense>
      )}
    </article>
  )
}

/** Scheduled message in the conversation, on the team's side. */
export function ScheduledRow(props: { ticketId: number; message: One; readOnly: boolean }) {
  return (
    <div className={css.row}>
      <Scheduled {...props} />
    </div>
  )
}

/** List of a ticket's scheduled messages, next first. */
export function ScheduledList({ ticket }: { ticket: TicketDetail }) {
  return (
    <div className={css.panel}>
      {ticket.scheduledMessages.map((message) => (
        <Scheduled key={message.id} ticketId={ticket.id} message={message} />
      ))}
    </div>
  )
}

const sendNow = (id: string) => call(messages.change, { params: { id }, body: { scheduleDate: null } }, { quiet: true })
const cancel = (id: string) => call(messages.cancel, { params: { id } }, { quiet: true })

async function act(ticketId: number, work: Promise<unknown>, done?: string): Promise<void> {
  try {
    await work
    if (done) notify({ tone: 'pos', title: done })
  } catch (error) {
    notifyError(error)
  }
  refreshTicket(ticketId)
}

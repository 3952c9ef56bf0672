import type { MailDraft } from '#domain/messages/mail.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import type { Attachment } from '../outbox/attachments.ts'

/** A message that waits for its time. */
export type ScheduledMessage = TicketDetail['scheduledMessages'][number]

/** What is scheduled: a new message, or one that is to be changed. */
export type ScheduleSubject = {
  body: string
  /** What goes along, and what it answers. */
  files?: readonly Attachment[]
  quotedMsgId?: string | undefined
  /** Of a mail: who gets it and what it is about. */
  mail?: MailDraft | null
  change?: Pick<ScheduledMessage, 'id' | 'scheduleDate' | 'userName' | 'repeat' | 'cancelOnReply' | 'mediaName'>
  onDone: () => void
}

import type { MailDraft } from '#domain/messages/mail.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import type { Attachment } from '../outbox/attachments.ts'

/** Scheduled message that has not been sent. */
export type ScheduledMessage = TicketDetail['scheduledMessages'][number]

/** Message to schedule: a new one, or a scheduled one to change. */
export type ScheduleSubject = {
  body: string
  /** Attachments and quoted message. */
  files?: readonly Attachment[]
  quotedMsgId?: string | undefined
  /** Subject and recipients of a mail. */
  mail?: MailDraft | null
  change?: Pick<ScheduledMessage, 'id' | 'scheduleDate' | 'userName' | 'repeat' | 'cancelOnReply' | 'mediaName'>
  onDone: () => void
}

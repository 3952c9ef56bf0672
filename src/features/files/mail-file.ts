import type { MailPerson } from '#domain/messages/mail.ts'

/** What a mail says that is kept as a file; its attachments by their place, each `isTaken` where it may be downloaded. */
export type MailInFile = {
  readonly subject: string
  readonly from: MailPerson
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly text: string
  readonly quoted: string
  /** Epoch ms; null where the mail does not say it. */
  readonly writtenAt: number | null
  readonly files: readonly { readonly name: string; readonly size: number; readonly isTaken: boolean }[]
}

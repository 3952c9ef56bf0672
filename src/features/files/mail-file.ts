import type { MailPerson } from '#domain/messages/mail.ts'

/** Parsed content of a mail stored as a file; attachments by position, `isTaken` if they may be downloaded. */
export type MailInFile = {
  readonly subject: string
  readonly from: MailPerson
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly text: string
  readonly quoted: string
  /** Epoch ms; null if the mail has no date. */
  readonly writtenAt: number | null
  readonly files: readonly { readonly name: string; readonly size: number; readonly isTaken: boolean }[]
}

import { maskName, maskValue } from '#domain/access/restricted.ts'
import type { Mail, MailPerson } from '#domain/messages/mail.ts'

/** A mail as somebody reads it who is not to know its people: what it repeats, and how it was formatted, names them too. */
export const maskMail = ({ quoted: _, hasHtml: __, ...mail }: Mail): Mail => ({
  ...{ ...mail, to: mail.to.map(maskReceiver), cc: mail.cc.map(maskReceiver) },
  ...(mail.from ? { from: maskReceiver(mail.from) } : {}),
  ...(mail.bcc ? { bcc: mail.bcc.map(maskReceiver) } : {}),
  ...(mail.replyTo ? { replyTo: mail.replyTo.map(maskReceiver) } : {}),
})

/** Somebody of a mail, as they are shown to whoever is not to know them. */
export const maskReceiver = ({ name, address }: MailPerson): MailPerson => ({
  ...{ name: name && maskName(name), address: maskValue(address) },
})

import { maskName, maskValue } from '#domain/access/restricted.ts'
import type { Mail, MailPerson } from '#domain/messages/mail.ts'

/** A mail as somebody reads it who is not to know its people: what it repeats, and how it was formatted, names them too. */
export const maskMail = ({ quoted: _, hasHtml: __, ...mail }: Mail): Mail => ({
  ...{ ...mail, to: mail.to.map(maskAddress), cc: mail.cc.map(maskAddress) },
  ...(mail.from ? { from: maskAddress(mail.from) } : {}),
  ...(mail.bcc ? { bcc: mail.bcc.map(maskAddress) } : {}),
  ...(mail.replyTo ? { replyTo: mail.replyTo.map(maskAddress) } : {}),
})
const maskAddress = ({ name, address }: MailPerson): MailPerson => ({
  ...{ name: name && maskName(name), address: maskValue(address) },
})

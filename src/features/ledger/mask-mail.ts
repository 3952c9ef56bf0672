import { maskName, maskValue } from '#domain/access/restricted.ts'
import type { Mail, MailPerson } from '#domain/messages/mail.ts'

/** Returns a mail for readers without access to its people: without quoted and formatted text, which name them too. */
export const maskMail = ({ quoted: _, hasHtml: __, ...mail }: Mail): Mail => ({
  ...{ ...mail, to: mail.to.map(maskReceiver), cc: mail.cc.map(maskReceiver) },
  ...(mail.from ? { from: maskReceiver(mail.from) } : {}),
  ...(mail.bcc ? { bcc: mail.bcc.map(maskReceiver) } : {}),
  ...(mail.replyTo ? { replyTo: mail.replyTo.map(maskReceiver) } : {}),
})

/** Returns a masked recipient. */
export const maskReceiver = ({ name, address }: MailPerson): MailPerson => ({
  ...{ name: name && maskName(name), address: maskValue(address) },
})

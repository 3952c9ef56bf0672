import { randomUUID } from 'node:crypto'
import type { OpenContactEnd } from '#test/channels/contact-end.ts'
import { connectedMailbox, letter, mailsTo, startMail } from '#test/channels/mail-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { webmailConfig } from './config.ts'

const OTAVIO = 'otavio@cliente.example'

/** Person with a mail program, who answers in one conversation unless they begin another. */
const openMail: OpenContactEnd = async (product, { token }) => {
  const lost: string[] = []
  const servers = await startMail(product, { smtp: { loses: (raw) => lost.some((text) => raw.includes(text)) } })
  const { imap, smtp } = servers
  const { id: connectionId } = await connectedMailbox(product, token, servers)
  let root = ''
  return {
    connectionId,
    async write({ payload }, quotes) {
      const id = `<${randomUUID()}@cliente.example>`
      const answers = quotes ?? root
      root ||= id
      const rows = [`Message-ID: ${id}`, ...(answers ? [`In-Reply-To: ${answers}`, `References: ${answers}`] : [])]
      imap.deliver(`${rows.join('\r\n')}\r\n${String(payload!['raw'])}`)
    },
    arrived: async () => mailsTo(smtp, OTAVIO),
    confirm: async () => {},
    seesTyping: () => false,
    openThread: async (text) =>
      void imap.deliver(letter(text, { from: `Otávio <${OTAVIO}>`, subject: 'Outro assunto' })),
    loseAnswer: (body) => void lost.push(body),
    async tellOfLost(body) {
      const { raw } = smtp.mails.find((mail) => mail.raw.includes(body))!
      imap.deliverTo(imap.sent, raw)
    },
    close: servers.close,
  }
}

channelSuite(webmailConfig, import.meta.dirname, openMail)

import { randomUUID } from 'node:crypto'
import { connections } from '#features/connections/contract.ts'
import { type ImapBehaviour, type ImapPeer, startImap } from '#test/peers/imap/server.ts'
import { type SmtpBehaviour, type SmtpPeer, startSmtp } from '#test/peers/smtp.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { Arrived } from './contact-end.ts'

/** The mailbox of a company. */
export const SHOP = 'contato@loja.example'
const PASSWORD = 'segredo'

/** Servers of a mailbox: one that is read, one that sends. */
export async function startMail(
  product: Product,
  { imap = {}, smtp = {} }: { imap?: ImapBehaviour; smtp?: SmtpBehaviour } = {},
) {
  const reads = await startImap({ user: SHOP, password: PASSWORD, now: product.platform.now, ...imap })
  const sends = await startSmtp({ login: { user: SHOP, password: PASSWORD }, ...smtp })
  const close = async () => {
    await Promise.all([reads.close(), sends.close()])
  }
  return { imap: reads, smtp: sends, close }
}
type MailServers = { readonly imap: ImapPeer; readonly smtp: SmtpPeer }

/** Returns the filled-in form of a mailbox at these servers. */
export const mailboxForm = ({ imap, smtp }: Record<keyof MailServers, { readonly port: number }>) => ({
  ...{ from: SHOP, fromName: 'Loja', user: '', pass: PASSWORD, replyTo: '', signature: '', days: 0 },
  ...{ imapHost: '127.0.0.1', imapSecure: 'none', imapPort: imap.port },
  ...{ host: '127.0.0.1', secure: 'none', port: smtp.port },
})

/** Creates a mailbox connection, started unless `isStarted` is false; returns functions to read, start and await its state. */
export async function connectedMailbox(
  product: Product,
  token: string,
  servers: MailServers,
  { isStarted = true, ...change }: { isStarted?: boolean } & Partial<ReturnType<typeof mailboxForm>> = {},
) {
  const config = { ...mailboxForm(servers), ...change }
  const made = await call(product, connections.create, token, {
    body: { type: 'webmail', name: 'E-mail da loja', config },
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  const params = { id: made.body.id }
  const read = async () => (await call(product, connections.get, token, { params })).body
  const start = () => call(product, connections.start, token, { params, body: {} })
  const is = (status: string) => until(async () => (await read()).status === status)
  if (isStarted) {
    const started = await start()
    if (started.status !== 200) throw new Error(JSON.stringify(started.body))
    await is('CONNECTED')
  }
  return { ...params, params, read, start, is }
}

/** Returns a mail's bytes, with a new message id unless one is given. */
export function letter(
  body: string,
  {
    from = 'Ana <ana@cliente.example>',
    subject = 'Pedido',
    id = `<${randomUUID()}@cliente.example>`,
    answers = '',
    header = '',
  } = {},
): Buffer {
  const rows = [
    ...[`From: ${from}`, `To: ${SHOP}`, `Subject: ${subject}`, `Message-ID: ${id}`, 'MIME-Version: 1.0'],
    ...(answers ? [`In-Reply-To: ${answers}`, `References: ${answers}`] : []),
    ...(header ? [header] : []),
    ...['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'],
  ]
  return Buffer.from(`${rows.join('\r\n')}\r\n\r\n${body.replace(/\r?\n/g, '\r\n')}\r\n`)
}

/** Returns the mails that an address received. */
export const mailsTo = ({ mails }: Pick<SmtpPeer, 'mails'>, address: string): Arrived[] =>
  mails
    .filter(({ to }) => to.includes(address))
    .map(({ read }) => {
      const [file] = read.attachments
      return {
        ...{ id: read.messageId ?? '', body: (read.text ?? '').replace(/\n$/, ''), quotes: null },
        file: file ? { name: file.filename, bytes: new Uint8Array(file.content as ArrayBuffer) } : null,
      }
    })

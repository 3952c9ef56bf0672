import { isIP } from 'node:net'
import type { Mail, MailOutcome, MailProblem, MailServer } from './port.ts'

const CONNECT_MS = 5000
const ANSWER_MS = 15_000

/**
 * Hands one mail to a mail server. The connection goes to `address`, which the caller has checked, and TLS asks for the
 * certificate of `server.host`. Never throws.
 */
export async function sendBySmtp(server: MailServer, address: string, mail: Mail): Promise<MailOutcome> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: address,
    ...(isIP(server.host) ? {} : { servername: server.host }),
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    ...(server.user ? { auth: { user: server.user, pass: server.password } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
  const domain = mail.from.address.split('@')[1]
  try {
    await transport.sendMail({
      from: { name: withoutLineBreaks(mail.from.name), address: mail.from.address },
      to: { name: '', address: mail.to },
      subject: withoutLineBreaks(mail.subject),
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return { ok: true }
  } catch (error) {
    return { ok: false, ...explain(error as Failure) }
  } finally {
    transport.close()
  }
}

/** A text that cannot begin another header: line ends and other control characters become spaces. */
export const withoutLineBreaks = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

type Failure = { code?: string; command?: string; responseCode?: number; message?: string }

const byCode: Readonly<Record<string, MailProblem>> = {
  EDNS: 'host',
  ENOTFOUND: 'host',
  ECONNREFUSED: 'refused',
  ECONNECTION: 'refused',
  ETIMEDOUT: 'timeout',
  EAUTH: 'login',
  ENOAUTH: 'login',
  ETLS: 'protection',
}

function explain({ code = '', command = '', responseCode, message = '' }: Failure): {
  problem: MailProblem
  status: number | null
} {
  const status = responseCode ?? null
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code) || /certificate|altnames/i.test(message))
    return { problem: 'certificate', status }
  if (/wrong version number|packet length|EPROTO/i.test(`${code} ${message}`)) return { problem: 'protection', status }
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(message)) return { problem: 'refused', status }
  if (code === 'EENVELOPE') return { problem: command.startsWith('MAIL') ? 'sender' : 'recipient', status }
  return { problem: byCode[code] ?? 'other', status }
}

import { isIP, type Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import { AppError } from '#kit/errors.ts'
import { type ChannelTools, isSendFailure, type SendFailure, sendFailure } from '../port.ts'
import { type MailAccount, type MailServer, reach } from './account.ts'
import type { Envelope } from './composed.ts'
import { reasonOf } from './delivery.ts'
import { type MailLogin, withLogin } from './login.ts'
import { isLoginRefused } from './problems.ts'

const CONNECT_MS = 5000
const ANSWER_MS = 60_000
/** Delay before a retry that a server asks for (greylisting), in seconds. */
const GREY_SECONDS = 300

type Refusal = {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/** Result of a sent mail; `refused`: refused recipients of a mail that others got, null if all got it. */
type Handed = { readonly refused: string | null }

type Reaching = Pick<ChannelTools, 'addressOf' | 'isNear' | 'connect'>

/** Logs in to the SMTP server and out again; fails as nodemailer does. */
export const tryLogin = (account: MailAccount, tools: Reaching): Promise<void> =>
  withServer(account, tools, async () => {})

type Receipt = { readonly rejectedErrors?: readonly (Refusal & { readonly recipient?: string })[] }

type Work<T> = (send: (from: string, to: readonly string[], mail: Readable) => Promise<Receipt>) => Promise<T>

/** Runs work with a logged-in SMTP connection; fails once the connection ends. */
const withServer = <T>(account: MailAccount, tools: Reaching, work: Work<T>): Promise<T> =>
  withLogin(account, (login) => loggedIn(account.smtp, login, tools, work))

async function loggedIn<T>(smtp: MailServer, login: MailLogin, tools: Reaching, work: Work<T>): Promise<T> {
  const address = await reach(smtp, tools)
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  // The given socket is connected already; the library adds TLS if required.
  const connection = await tools.connect({ host: address, port: smtp.port, tls: false })
  const server = new SMTPConnection({
    ...{ host: smtp.host, port: smtp.port, connection: connection as Socket, logger: false },
    ...{ secure: smtp.secure === 'tls', requireTLS: smtp.secure === 'starttls', ignoreTLS: smtp.secure === 'none' },
    ...(isIP(smtp.host) ? {} : { servername: smtp.host, tls: { servername: smtp.host } }),
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: ANSWER_MS, socketTimeout: ANSWER_MS },
  })
  const failed = new Promise<never>((_, reject) => server.on('error', reject))
  failed.catch(() => {})
  const answered = <A>(ask: (done: (error?: Error | null, answer?: A) => void) => void) =>
    Promise.race([
      new Promise<A>((resolve, reject) => ask((error, answer) => (error ? reject(error) : resolve(answer as A)))),
      failed,
    ])
  try {
    await answered((done) => server.connect(done))
    if (server.allowsAuth) await answered((done) => server.login(authOf(login), done))
    return await work((from, to, mail) => answered<Receipt>((done) => server.send({ from, to: [...to] }, mail, done)))
  } finally {
    server.quit()
    server.close()
    connection.destroy()
  }
}

/** Returns nodemailer's credentials; it would request another token itself after a refusal, which `withLogin` does. */
function authOf(login: MailLogin): object {
  if ('pass' in login) return { credentials: login }
  const { user, accessToken } = login
  const bearer = Buffer.from(`user=${user}\x01auth=Bearer ${accessToken}\x01\x01`).toString('base64')
  const oauth2 = {
    getToken: (isRetry: boolean, done: (error: Error | null, token?: string) => void) =>
      isRetry ? done(Object.assign(new Error('refused'), { responseCode: 535 })) : done(null, accessToken),
    buildXOAuth2Token: () => bearer,
  }
  return { method: 'XOAUTH2', user, oauth2 }
}

/**
 * Sends a mail by SMTP. Fails with a `SendFailure`: `unknown` only if the whole mail had been sent before the response was
 * lost.
 */
export async function handOver(
  bytes: Buffer,
  { to, cc, bcc }: Envelope,
  account: MailAccount,
  tools: Reaching,
): Promise<Handed> {
  const mail = new PassThrough()
  mail.end(bytes)
  let hasLeft = false
  mail.once('end', () => {
    hasLeft = true
  })
  const receivers = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))]
  try {
    const { rejectedErrors = [] } = await withServer(account, tools, (send) => send(account.from, receivers, mail))
    const refused = rejectedErrors.map((one) => textOf(one, one.recipient ?? ''))
    return { refused: refused.length > 0 ? refused.join(' ') : null }
  } catch (error) {
    throw failureOf(error, hasLeft, receivers)
  } finally {
    mail.destroy()
  }
}

const textOf = ({ response = '', responseCode }: Refusal, recipient: string): string =>
  reasonOf(response.match(/\b[45]\.\d{1,3}\.\d{1,3}\b/)?.[0] ?? String(responseCode ?? ''), response, recipient)

/** Converts the error of sending a mail into a `SendFailure`; `hasLeft`: the whole mail had been sent. */
export function failureOf(error: unknown, hasLeft: boolean, receivers: readonly string[]): SendFailure {
  if (isSendFailure(error)) return error
  if (error instanceof AppError) return sendFailure('unreachable', 'O servidor de e-mail não respondeu.')
  const [status, response] = [Number(fieldIn(error, 'responseCode') ?? 0), textFieldIn(error, 'response')]
  if (isLoginRefused(error))
    return sendFailure('unreachable', 'O servidor recusou o usuário ou a senha.', { stops: 'refused' })
  const about = response ? { providerText: response.slice(0, 300) } : {}
  if (status >= 500 && status < 600)
    return sendFailure(
      'refused',
      textOf({ response, responseCode: status }, receivers.length === 1 ? firstOf(receivers) : ''),
      about,
    )
  if (status >= 400)
    return sendFailure('unreachable', 'O servidor pediu para tentar mais tarde.', {
      ...about,
      waitSeconds: GREY_SECONDS,
    })
  if (hasLeft) return sendFailure('unknown', 'A resposta do servidor de e-mail se perdeu.')
  return sendFailure('unreachable', 'O servidor de e-mail não respondeu.')
}

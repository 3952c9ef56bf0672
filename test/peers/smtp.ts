import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate, certificateKey } from '#features/lab/server/whatsapp/certificate.ts'
import { until } from '../until.ts'

/** Received mail: envelope, raw lines, and its parsed content. */
export type ReceivedMail = { from: string; to: string[]; raw: string; read: Email }

/** A mail server of a test. */
export type SmtpPeer = {
  port: number
  mails: ReceivedMail[]
  /** Waits for the next mail to an address not yet returned, and returns it. */
  nextTo(address: string): Promise<ReceivedMail>
  close(): Promise<void>
}

/** Configuration of the server: login, transport security and refused recipients. */
export type SmtpBehaviour = {
  login?: { user: string; password: string }
  /** Tokens accepted with XOAUTH2, instead of a password. */
  tokens?: { has(token: string): boolean }
  security?: 'none' | 'starttls' | 'tls'
  refuses?: (recipient: string) => number | null
  /** Whether the response to an accepted mail is lost. */
  loses?: (raw: string) => boolean
}

/** Starts a real SMTP server on a free port of this machine, with an untrusted certificate. */
export async function startSmtp({
  login,
  tokens,
  security = 'none',
  refuses,
  loses,
}: SmtpBehaviour = {}): Promise<SmtpPeer> {
  const mails: ReceivedMail[] = []
  const asked = new Set<ReceivedMail>()
  const options: SMTPServerOptions = {
    secure: security === 'tls',
    cert: certificate,
    key: certificateKey,
    disabledCommands: [...(security === 'none' ? ['STARTTLS'] : []), ...(login ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    authOptional: !login,
    logger: false,
    ...(tokens ? { authMethods: ['XOAUTH2'] } : {}),
    onAuth({ username, password, accessToken = '' }, _session, done) {
      const isRight = tokens ? tokens.has(accessToken) : password === login?.password
      if (username === login?.user && isRight) done(null, { user: username })
      else done(new Error('535 no'))
    },
    onRcptTo({ address }, _session, done) {
      const status = refuses?.(address)
      done(status ? Object.assign(new Error('no such mailbox'), { responseCode: status }) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks)
        PostalMime.parse(raw).then((read) => {
          const { mailFrom, rcptTo } = session.envelope
          mails.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw: raw.toString('utf8'),
            read,
          })
          if (loses?.(raw.toString('utf8'))) for (const { _socket: socket } of server.connections) socket.destroy()
          done()
        }, done)
      })
    },
  }
  const server = new SMTPServer(options)
  // A client that breaks off a handshake is part of the tests.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    async nextTo(address) {
      const find = () => mails.find((mail) => mail.to.includes(address) && !asked.has(mail))
      await until(() => find() !== undefined)
      const found = find()!
      asked.add(found)
      return found
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

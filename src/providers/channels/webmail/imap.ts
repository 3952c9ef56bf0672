import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import type { ChannelTools } from '../port.ts'
import { type MailAccount, reach } from './account.ts'
import { type MailLogin, withLogin } from './login.ts'

const CONNECT_MS = 10_000
const GREETING_MS = 15_000
/** Time-out of silence within a response, in ms. */
const SILENCE_MS = 120_000
/** Duration of IDLE before it is renewed, in ms: servers end it after 29 min, networks in between sooner. */
const IDLE_MS = 5 * 60_000
/** Delay after the last command before IDLE starts, in ms. */
const REST_MS = 200

type Reaching = Pick<ChannelTools, 'addressOf' | 'isNear'>

/** Logs in to a mailbox; the caller closes the client. Fails as ImapFlow does. */
export const openImap = (account: MailAccount, tools: Reaching): Promise<ImapFlow> =>
  withLogin(account, (login) => connect(account, login, tools))

async function connect({ imap }: MailAccount, login: MailLogin, tools: Reaching): Promise<ImapFlow> {
  const address = await reach(imap, tools)
  const { ImapFlow: Client } = await import('imapflow')
  const client = new Client({
    ...{ host: address, port: imap.port, secure: imap.secure === 'tls', auth: login },
    ...(imap.secure === 'tls' ? {} : { doSTARTTLS: imap.secure === 'starttls' }),
    ...(isIP(imap.host) ? {} : { servername: imap.host }),
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: GREETING_MS, socketTimeout: SILENCE_MS },
    ...{ maxIdleTime: IDLE_MS, autoIdleDelay: REST_MS, logger: false, clientInfo: { name: 'Guiche' } },
  })
  // Without a listener the event would end the process; the error also rejects the pending call.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

const SENT = /^(inbox[./])?(sent|sent items|sent mail|sent messages|enviad[oa]s|itens enviados|mensagens enviadas)$/i

/** Returns the path of the Sent folder; null if there is none. */
export async function sentFolder(client: ImapFlow): Promise<string | null> {
  const folders = await client.list()
  const found = folders.find(({ specialUse }) => specialUse === '\\Sent') ?? folders.find(({ path }) => SENT.test(path))
  return found?.path ?? null
}

/** Whether a server itself stores sent mails in the Sent folder, as Gmail and Outlook do. */
export const storesCopies = (client: ImapFlow | null, { imap }: Pick<MailAccount, 'imap'>): boolean =>
  client?.capabilities.has('X-GM-EXT-1') || /(^|\.)(gmail|office365|outlook|hotmail|live)\.com$/i.test(imap.host)

import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import type { ChannelTools } from '../port.ts'
import { type MailAccount, reach } from './account.ts'
import { type MailLogin, withLogin } from './login.ts'

const CONNECT_MS = 10_000
const GREETING_MS = 15_000
/** So long a server may be silent in the middle of an answer. */
const SILENCE_MS = 120_000
/** After so long a server would end IDLE by itself (29 min); networks between forget it sooner. */
const IDLE_MS = 5 * 60_000
/** So soon after its last command a client is told of what comes. */
const REST_MS = 200

type Reaching = Pick<ChannelTools, 'addressOf' | 'isNear'>

/** Logs in to a mailbox; whoever gets the client closes it. Fails as ImapFlow does. */
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
  // Without somebody who listens it would end the process; what it says is said by whatever fails with it.
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

/** The folder of what was sent; null where there is none. */
export async function sentFolder(client: ImapFlow): Promise<string | null> {
  const folders = await client.list()
  const found = folders.find(({ specialUse }) => specialUse === '\\Sent') ?? folders.find(({ path }) => SENT.test(path))
  return found?.path ?? null
}

/** Whether a server puts a copy of what it sends into that folder by itself, as Gmail and Outlook do. */
export const storesCopies = (client: ImapFlow | null, { imap }: Pick<MailAccount, 'imap'>): boolean =>
  client?.capabilities.has('X-GM-EXT-1') || /(^|\.)(gmail|office365|outlook|hotmail|live)\.com$/i.test(imap.host)

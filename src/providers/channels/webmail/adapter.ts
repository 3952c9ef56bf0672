import { mailOf, whyNoAutomatic } from '#domain/messages/mail.ts'
import { present } from '#domain/present.ts'
import { gated } from '../file-gate.ts'
import { type LedgerMessage, type MakeChannelAdapter, type Outbound, sendFailure } from '../port.ts'
import { accountOf } from './account.ts'
import { compose, continuationEnvelope, type Envelope, envelopeOf } from './composed.ts'
import { mailFaults } from './faults.ts'
import { openImap } from './imap.ts'
import { mailboxLife } from './mailbox.ts'
import { mailLogins, testLogins } from './oauth.ts'
import { problemOf } from './problems.ts'
import { handOver, tryLogin } from './smtp.ts'

/** Maximum number of automatic mails to one address per hour, so that two machines that answer each other stop. */
const MOST_AUTOMATIC = 10
const HOUR_MS = 3_600_000
/** Maximum number of attempts, five minutes apart, while a server asks to retry, before a mail counts as refused. */
const MOST_TRIES = 24

/** Creates the adapter of a mailbox. */
export const webmailAdapter: MakeChannelAdapter = (values, tools) => {
  const account = accountOf(values, tools)
  const life = mailboxLife(account, tools)
  const tries = new Map<string, number>()

  /** Recent automatic mails, which the ledger does not have yet while they are being sent. */
  let tried: readonly { readonly address: string; readonly messageId: string; readonly at: number }[] = []

  /** Refuses an automatic mail to a machine, or above the hourly limit of an address. */
  async function requireAnswerable(
    messageId: string,
    before: readonly LedgerMessage[],
    { to }: Envelope,
  ): Promise<void> {
    const newest = before.find(({ fromMe, data }) => !fromMe && mailOf(data))
    const why = whyNoAutomatic(mailOf(newest?.data))
    if (why) throw sendFailure('refused', why)
    const now = tools.now().getTime()
    const since = now - HOUR_MS
    for (const { address } of to) {
      const lately = await present(life.link()).ledger.withSender(address, since)
      const isThis = (one: (typeof tried)[number]) => one.messageId === messageId && one.address === address
      tried = tried.filter((one) => one.at >= since && !isThis(one))
      const count = tried.filter((one) => one.address === address).length
      if (Math.max(count, lately.filter(({ isAutomatic }) => isAutomatic).length) >= MOST_AUTOMATIC)
        throw sendFailure('refused', `Já foram ${MOST_AUTOMATIC} respostas automáticas a este endereço em uma hora.`)
      tried = [...tried, { address, messageId, at: now }]
    }
  }

  async function handOverOnce(message: Outbound, bytes: Buffer, envelope: Envelope) {
    return handOver(bytes, envelope, account, tools).catch(
      (error: { kind?: string; message: string; stops?: string }) => {
        if (error.kind === 'unknown') life.askSoon()
        if (!('waitSeconds' in error)) throw error
        const count = (tries.get(message.messageId) ?? 0) + 1
        tries.set(message.messageId, count)
        if (count < MOST_TRIES) throw error
        tries.delete(message.messageId)
        throw sendFailure('refused', 'O servidor pediu muitas vezes para tentar mais tarde.')
      },
    )
  }

  return {
    open: life.open,
    close: life.close,
    look: life.look,
    faults: mailFaults,
    signup: mailLogins(tools),
    testSettings: () => testLogins(tools),
    renew: async () => account.tokens?.renew() ?? null,
    send: gated(async (message) => {
      const link = life.link()
      if (!link) throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
      const before = await link.ledger.conversation(message.conversationKey)
      const envelope = envelopeOf(message, before, account)
      if (message.isAutomatic) await requireAnswerable(message.messageId, before, envelope)
      const files = message.file ? [message.file] : []
      const { bytes, copy } = await compose({ ...message, files }, envelope, account, tools)
      const { refused } = await handOverOnce(message, bytes, envelope)
      tries.delete(message.messageId)
      const { conversationKey } = message
      // Refused recipients are named with the status of the delivery.
      if (refused !== null)
        await link.emit([
          {
            ...{ type: 'receipt', dedupeKey: `refused ${envelope.id}`, conversationKey, providerId: envelope.id },
            ...{ status: 'failed', timestamp: tools.now().getTime(), error: `A alguns não chegou. ${refused}` },
          },
        ])
      life.storeCopy(copy).catch((err: unknown) => tools.log.warn({ err }, 'a copy of a sent mail was not stored'))
      return { providerId: envelope.id }
    }),
    async continueByMail(mail) {
      const envelope = continuationEnvelope(mail, account)
      // Written by a person but composed automatically, so no machine may answer it.
      const content = { body: mail.text, files: mail.files, isAutomatic: true }
      const { bytes, copy } = await compose(content, envelope, account, tools).catch((err: unknown) => {
        tools.log.warn({ err }, 'a mail was not composed')
        throw sendFailure('unreachable', 'O e-mail não pôde ser montado.')
      })
      await handOver(bytes, envelope, account, tools)
      life.storeCopy(copy).catch((err: unknown) => tools.log.warn({ err }, 'a copy of a sent mail was not stored'))
    },
    async test() {
      const imap = await openImap(account, tools).then(
        (client) => {
          client.close()
          return null
        },
        (error: unknown) => problemOf(error, account.imap, 'IMAP'),
      )
      if (imap !== null) return { ok: false, problem: imap }
      const smtp = await tryLogin(account, tools).catch((error: unknown) => problemOf(error, account.smtp, 'SMTP'))
      return smtp ? { ok: false, problem: smtp } : { ok: true, number: account.from }
    },
  }
}

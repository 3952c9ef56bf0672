import { encrypt } from '#features/connections/server/index.ts'
import { letter, mailboxForm, mailsTo, SHOP } from '#test/channels/mail-end.ts'
import { make } from '#test/make.ts'
import { type ImapPeer, startImap } from '#test/peers/imap/server.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import type { Product } from '#test/product.ts'
import type { World } from './world.ts'

/** A company's mailbox at servers of the round's own, with who writes to it, each in a conversation of their own. */
export type MailSide = {
  /** The conversations, as the product has them: the id of the first mail of each. */
  readonly contacts: readonly string[]
  readonly imap: ImapPeer
  /** Of so many mails that are taken next the answer is lost. */
  readonly faults: { lostAnswers: number }
  write(contact: string, body: string, n: number): void
  received(contact: string): readonly string[]
  close(): Promise<void>
}

const CONTACTS = 3
const PASSWORD = 'segredo'

/** Starts the servers, as Gmail's stand: what leaves lies among what was sent by itself; and connects a mailbox there. */
export async function openMail(world: World, { platform }: Product, tenantId: number): Promise<MailSide> {
  const faults = { lostAnswers: 0 }
  const imap = await startImap({ user: SHOP, password: PASSWORD, capabilities: ['X-GM-EXT-1'] })
  const smtp = await startSmtp({
    login: { user: SHOP, password: PASSWORD },
    loses(raw) {
      imap.deliverTo(imap.sent, raw)
      return faults.lostAnswers > 0 && faults.lostAnswers-- > 0
    },
  })
  const { pass, ...config } = mailboxForm({ imap, smtp })
  const id = await make(platform).connection(tenantId, { type: 'webmail', status: 'OPENING' })
  const secrets = { pass: { encrypted: encrypt(platform, { tenantId, id }, pass), hint: '' } }
  await platform.db.write(tenantId, (db) =>
    db
      .updateTable('connections')
      .set({ config: JSON.stringify(config), secrets: JSON.stringify(secrets) })
      .where('id', '=', id)
      .execute(),
  )
  const addresses = new Map(
    Array.from({ length: CONTACTS }, (_, n) => [
      `<caos-${tenantId}-${n}@cliente.example>`,
      `caos-${tenantId}-${n}@cliente.example`,
    ]),
  )
  const side: MailSide = {
    ...{ contacts: [...addresses.keys()], imap, faults },
    write(contact, body, n) {
      const from = addresses.get(contact)!
      const about = n === 0 ? { id: contact } : { id: `<${n}.${from}>`, answers: contact }
      imap.deliver(letter(body, { from, ...about }))
    },
    received: (contact) => mailsTo(smtp, addresses.get(contact)!).map(({ body }) => body),
    async close() {
      world.mail.current = null
      await Promise.all([imap.close(), smtp.close()])
    },
  }
  world.mail.current = side
  return side
}

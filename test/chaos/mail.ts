import { encrypt } from '#features/connections/server/index.ts'
import { letter, mailboxForm, mailsTo, SHOP } from '#test/channels/mail-end.ts'
import { make } from '#test/make.ts'
import { startImap } from '#test/peers/imap/server.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import type { Product } from '#test/product.ts'
import type { Side } from './side.ts'
import type { World } from './world.ts'

const CONTACTS = 3
const PASSWORD = 'segredo'

/**
 * Starts servers of the round's own, as Gmail's stand (what leaves lies among what was sent by itself), and connects a mailbox
 * there. Its contacts are the conversations, by the id of the first mail of each.
 */
export async function openMail(world: World, { platform }: Product, tenantId: number): Promise<Side> {
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
  world.mail.current = { imap, faults }
  return {
    contacts: [...addresses.keys()],
    isPulled: true,
    async write(contact, body, id) {
      const n = id.slice(contact.length + 1)
      const from = addresses.get(contact)!
      const about = n === '0' ? { id: contact } : { id: `<${n}.${from}>`, answers: contact }
      imap.deliver(letter(body, { from, ...about }))
    },
    received: (contact) => mailsTo(smtp, addresses.get(contact)!).map(({ body }) => body),
    owed: () => 0,
    mend: async () => {},
    async close() {
      world.mail.current = null
      await Promise.all([imap.close(), smtp.close()])
    },
  }
}

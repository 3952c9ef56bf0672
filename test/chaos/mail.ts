import { setTimeout } from 'node:timers/promises'
import { encrypt } from '#features/connections/server/index.ts'
import { letter, mailboxForm, mailsTo, SHOP } from '#test/channels/mail-end.ts'
import { query } from '#test/crash/processes.ts'
import { make } from '#test/make.ts'
import { startImap } from '#test/peers/imap/server.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { startTcpProxy, type TcpProxy } from '#test/peers/tcp-proxy.ts'
import type { Product } from '#test/product.ts'
import type { Side } from './side.ts'
import type { World } from './world.ts'

const CONTACTS = 3
const PASSWORD = 'segredo'

/**
 * Opens a company's mailbox at servers of the round, with contacts whose conversations each have the id of the first mail.
 * The servers behave as Gmail: a sent mail is stored in the sent folder by the server itself.
 */
export async function openMail(world: World, { platform }: Product, tenantId: number): Promise<Side> {
  const faults = { lostAnswers: 0, isBusy: false }
  const imap = await startImap({ user: SHOP, password: PASSWORD, capabilities: ['X-GM-EXT-1'] })
  const smtp = await startSmtp({
    login: { user: SHOP, password: PASSWORD },
    refuses: () => (faults.isBusy ? 450 : null),
    loses(raw) {
      imap.deliverTo(imap.sent, raw)
      return faults.lostAnswers > 0 && faults.lostAnswers-- > 0
    },
  })
  const lines = await Promise.all([imap, smtp].map(({ port }) => startTcpProxy(`tcp://127.0.0.1:${port}`)))
  const [reads, sends] = lines as [TcpProxy, TcpProxy]
  const { pass, ...config } = mailboxForm({ imap: reads, smtp: sends })
  const id = await make(platform).connection(tenantId, { type: 'webmail', status: 'OPENING' })
  const secrets = { pass: { encrypted: encrypt(platform, { tenantId, id }, pass), hint: '' } }
  await platform.db.write(tenantId, (db) =>
    db
      .updateTable('connections')
      // Mails from before the opening count too.
      .set({ config: JSON.stringify({ ...config, days: 1 }), secrets: JSON.stringify(secrets) })
      .where('id', '=', id)
      .execute(),
  )
  const addresses = new Map(
    Array.from({ length: CONTACTS }, (_, n) => [
      `<caos-${tenantId}-${n}@cliente.example>`,
      `caos-${tenantId}-${n}@cliente.example`,
    ]),
  )
  const contacts = [...addresses.keys()]
  let [written, stored] = [0, 0]
  let isOver = false
  // Mails have no read receipts, so stored ones are counted in the database.
  const watch = async () => {
    while (!isOver) {
      await query(world.database(), async (client) => {
        const { rows } = await client.query(
          'select count(*)::int as n from messages where tenant_id = $1 and not from_me and conversation_key = any($2)',
          [tenantId, contacts],
        )
        stored = (rows[0] as { n: number }).n
      }).catch(() => {})
      await setTimeout(300)
    }
  }
  void watch()
  world.mail.current = { imap, lines, faults }
  return {
    ...{ contacts, isBare: true, isSure: false },
    async write(contact, body, id) {
      const from = addresses.get(contact)!
      const isFirst = id === `${contact}-0`
      const about = isFirst ? { id: contact } : { id: `<${id.replace(/[<>]/g, '')}>`, answers: contact }
      imap.deliver(letter(body, { from, ...about }))
      written++
    },
    received: (contact) => mailsTo(smtp, addresses.get(contact)!).map(({ body }) => body),
    owed: () => Math.max(0, written - stored),
    mend: async () => {},
    async close() {
      isOver = true
      world.mail.current = null
      await Promise.all([imap, smtp, ...lines].map(({ close }) => close()))
    },
  }
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/queries.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/system-message.ts'
import { writeMessages } from '#features/ledger/server/writing/write.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'
import { connectedMailbox, startMail } from './mail-end.ts'

/** Behaviour of a mailbox's servers, and changes to its form. */
export type MailboxOptions = { servers?: Parameters<typeof startMail>[1] } & Parameters<typeof connectedMailbox>[3]

/** Creates a company with a mailbox, at servers that `closes` ends; returns the actions of its people. */
export async function mailCompany(
  product: Product,
  closes: (() => Promise<void>)[],
  { servers: how = {}, ...about }: MailboxOptions = {},
) {
  const servers = await startMail(product, how)
  closes.push(servers.close)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  const mailbox = await connectedMailbox(product, token, servers, about)
  const { db } = product.platform
  const rows = () =>
    db.read(tenantId, (read) =>
      read.selectFrom('messages').selectAll().where('is_note', '=', false).orderBy('seq').execute(),
    )
  const bodies = async () => (await rows()).map(({ body }) => body)
  const arrives = async (body: string) => {
    await until(async () => (await bodies()).includes(body))
    return (await rows()).findLast((one) => one.body === body)!
  }
  const take = (id: number) =>
    call(product, tickets.update, token, { params: { id }, body: { status: 'open', userId: admin.id } })
  const send = async (ticketId: number, body: string, more: object = {}) => {
    const form = { idFront: randomUUID(), body, ...more }
    const reply = await call(product, messages.send, token, { params: { ticketId }, body: form as never })
    expect([reply.status, reply.body]).toMatchObject([200, {}])
    return (reply.body as unknown as { messages: { id: string }[] }).messages[0]!.id
  }
  const becomes = (id: string, status: string) =>
    until(async () => (await rows()).some((one) => one.id === id && one.status === status))
  /** Writes a message without an author, as automations do. */
  const sayByItself = (ticketId: number, body: string) =>
    unit(product.platform, { tenantId, user: null }, async (ctx) => {
      const ticket = (await lockLedgerTicket(ctx.db, ticketId))!
      await writeMessages(ctx, [{ ticket, source: 'bot', mediaType: 'text', body }])
    })
  /** Writes an automatic message of the product, as for hours and ratings. */
  const sayAsSystem = (ticketId: number, text: string) =>
    unit(product.platform, { tenantId, user: null }, async (ctx) => {
      const ticket = (await lockLedgerTicket(ctx.db, ticketId))!
      await sendSystemMessages(ctx, [{ ticket, text, sendType: 'absence' }])
    })
  const reasonOf = (id: string) =>
    db
      .read(tenantId, (read) =>
        read.selectFrom('message_trail').select('detail').where('message_id', '=', id).orderBy('id').execute(),
      )
      .then((trail) => JSON.stringify(trail.map(({ detail }) => detail)))
  const look = () => product.platform.bus.stale(`news ${tenantId}:${mailbox.id}`)
  const end = async () => {
    await call(product, connections.end, token, { params: mailbox.params })
    await mailbox.is('DISCONNECTED')
  }
  const [reading, talking] = [
    { ...servers, mailbox, rows, bodies, arrives, look, end },
    { take, send, becomes, sayByItself, sayAsSystem, reasonOf, tenantId, token },
  ]
  return { ...reading, ...talking }
}

import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionDetail, connections } from '#features/connections/contract.ts'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import type { TestOptions } from '#test/product.ts'
import { call, createDatabase, type Product, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

/** The environment of a product that links devices at a local server, and may reach it and its host of files. */
export function whatsappEnvironment({ url, root, ca }: Pick<WhatsAppServer, 'url' | 'root' | 'ca'>) {
  const file = join(tmpdir(), `guiche-whatsapp-ca-${process.pid}.pem`)
  writeFileSync(file, ca)
  return {
    OUTBOUND_ALLOW: ['127.0.0.1', '::1'],
    WHATSAPP_WEB_URL: url,
    WHATSAPP_WEB_ROOT: root,
    WHATSAPP_WEB_CA: file,
  }
}

/** A company that links a phone: its connection is made, not yet started. */
export async function whatsappCompany(at: Product, phone: Phone) {
  const m = make(at.platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  const body = { type: 'baileys', name: phone.account.name, config: {} } as never
  const made = (await call(at, connections.create, token, { body })).body as ConnectionDetail
  const { id } = made
  const read = <T>(
    find: (db: Parameters<Parameters<Product['platform']['db']['read']>[1]>[0]) => Promise<T>,
    on = at,
  ) => on.platform.db.read(tenantId, find)
  const row = (on = at) =>
    read((db) => db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(), on)
  const ledger = (on = at) => read((db) => db.selectFrom('messages').selectAll().orderBy('seq').execute(), on)
  return {
    ...{ tenantId, admin, token, id, row, ledger },
    is: (status: string, on = at) => until(async () => (await row(on)).status === status),
    start: (on = at) => call(on, connections.start, token, { params: { id } }),
    end: (on = at) => call(on, connections.end, token, { params: { id } }),
    /** Starts it, reads its code with the phone, and waits until it is through. */
    async link() {
      await call(at, connections.start, token, { params: { id } })
      await until(async () => (await row()).qrcode !== null)
      await phone.scan((await row()).qrcode!)
      await until(async () => (await row()).status === 'CONNECTED')
    },
    /** Accepts a contact's conversation as the administrator. */
    async accept(conversationKey: string, on = at) {
      const find = () =>
        read(
          (db) =>
            db.selectFrom('tickets').select('id').where('conversation_key', '=', conversationKey).executeTakeFirst(),
          on,
        )
      await until(async () => (await find()) !== undefined)
      const ticketId = (await find())!.id
      await call(on, tickets.update, token, { params: { id: ticketId }, body: { status: 'open', userId: admin.id } })
      return ticketId
    },
    reply: (ticketId: number, text: string, more: object = {}, on = at) =>
      call(on, messages.send, token, {
        params: { ticketId },
        body: { body: text, idFront: crypto.randomUUID(), ...more } as never,
      }),
    /** The steps of a message, in order. */
    trailOf: async (messageId: string) =>
      (
        await read((db) =>
          db.selectFrom('message_trail').select('step').where('message_id', '=', messageId).orderBy('id').execute(),
        )
      ).map(({ step }) => step),
    /** Waits for a message with this text and returns it. */
    async message(text: string, on = at) {
      const find = async () => (await ledger(on)).find(({ body: said }) => said === text)
      await until(async () => (await find()) !== undefined)
      return (await find())!
    },
  }
}

type Named = { readonly number: string; readonly name: string }

/** Company with a linked number at a separate WhatsApp, and a contact with a phone. */
export type LinkedCompany = Awaited<ReturnType<typeof linkedCompany>>

/** Creates a linked company; `open` starts another product on the same database. */
export async function linkedCompany(
  { shop: ours, contact: theirs }: { shop: Named; contact: Named },
  options: Pick<TestOptions, 'checkpoint'> = {},
) {
  const server = await startWhatsAppServer()
  const database = await createDatabase()
  const open = () => startProduct({ ...options, env: whatsappEnvironment(server) }, database)
  const product = await open()
  const shop = await server.addPhone(ours)
  const contact = await server.addPhone(theirs)
  const us = await whatsappCompany(product, shop)
  await us.link()
  return { server, open, product, shop, contact, us }
}

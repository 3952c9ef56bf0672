import { expect } from 'vitest'
import { flows } from '#features/flows/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { Json } from './flow-steps.ts'
import { make } from './make.ts'
import { testChannel, textEvent } from './peers/channel.ts'
import { call, type Product } from './product.ts'

/**
 * Helpers for customers of one connection, identified by phone number: their messages, newest ticket, and received texts.
 */
export const conversations = (
  product: () => Product,
  where: () => { readonly tenantId: number; readonly connectionId: number },
) => ({
  /** Sends each text as a separate message of the contact. */
  write: async (from: string, ...bodies: string[]): Promise<void> => {
    for (const body of bodies) {
      await receive(product().platform, where(), [textEvent({ from, body })])
      await ingestIdle(product().platform)
    }
  },
  ticketOf: (from: string) =>
    product().platform.db.read(where().tenantId, (db) =>
      db
        .selectFrom('tickets')
        .selectAll()
        .where('conversation_key', '=', from)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    ),
  /** The texts in their order, without notes. */
  saidTo: async (from: string): Promise<string[]> => {
    const rows = await product().platform.db.read(where().tenantId, (db) =>
      db
        .selectFrom('messages')
        .select('body')
        .where('conversation_key', '=', from)
        .where('from_me', '=', true)
        .where('is_note', '=', false)
        .orderBy('timestamp')
        .orderBy('seq')
        .execute(),
    )
    return rows.map(({ body }) => body)
  },
})

/** Creates a company with a queue, a connection of the test channel (`row`), and an administrator's token. */
export async function flowCompany(product: Product, row: object = {}) {
  const m = make(product.platform)
  const channel = testChannel(product.platform)
  const tenantId = await m.tenant()
  const queueId = await m.queue(tenantId)
  const connectionId = await m.connection(tenantId, { type: 'test', ...row })
  const admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  return { channel, tenantId, queueId, connectionId, admin }
}

type Where = { readonly tenantId: number; readonly connectionId: number; readonly admin: string }
let phone = 5_511_950_000_000

/** Helpers of such a company: its customers, what its administrator asks, and flows that attend its connection. */
export function flowTalk(product: () => Product, where: () => Where) {
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
  const ask = (op: any, input: Json = {}, token = where().admin): Promise<any> => call(product(), op, token, input)
  const attends = (id: number | null, connectionId = where().connectionId) =>
    product().platform.db.asPlatform((db) =>
      db.updateTable('connections').set({ chat_flow_id: id }).where('id', '=', connectionId).execute(),
    )
  const published = async (flow: object, input: Json = {}): Promise<number> => {
    const { id } = (await ask(flows.create, { body: { name: 'Recepção', ...input } })).body
    await ask(flows.import, { params: { id }, body: flow })
    const { status, body } = await ask(flows.publish, { params: { id } })
    expect([status, body]).toEqual([200, { version: 1 }])
    return id
  }
  return {
    ...conversations(product, where),
    nextPhone: () => String(++phone),
    ask,
    attends,
    published,
    /** Publishes a flow that attends the connection. */
    async attending(flow: object, input: Json = {}): Promise<number> {
      const id = await published(flow, input)
      await attends(id)
      return id
    },
  }
}

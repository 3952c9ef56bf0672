import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { enqueueSending } from '#features/ledger/server/outbox/outbox.ts'
import { messages } from '#features/messages/contract.ts'
import type { Operation } from '#kit/contract.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'

/** A message as it is stored. */
export type MessageAsStored = {
  [name: string]: unknown
  id: string
  body: string
  edition: string | null
  reaction: string | null
  reaction_from_me: string | null
  is_deleted: boolean
  status: string
  provider_id: string | null
}

/** Reply of an operation. */
export type ActReply = {
  status: number
  body: { error?: string; id: string; messages: { id: string }[]; [name: string]: unknown }
}

/** Returns the event of a contact's action on a message, as a channel reports it. */
export const actEvent = (
  from: string,
  providerId: string,
  what: { type: 'edit'; body: string } | { type: 'revoke' } | { type: 'reaction'; emoji: string | null },
): ProviderEvent => ({ ...what, dedupeKey: randomUUID(), conversationKey: from, providerId, timestamp: Date.now() })

let people = 100

/** Creates a company on the channel of the tests, with an administrator who writes, and helpers for actions on messages. */
export async function actingCompany(product: Product) {
  const { platform } = product
  const m = make(platform)
  let channel = testChannel(platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const user = await m.user(tenantId, { profile: 'admin', name: 'Ana Lima' })
  const admin = { id: user.id, token: await m.token(user) }

  const read = <T>(work: Parameters<typeof platform.db.read>[1]) => platform.db.read(tenantId, work) as Promise<T>
  const hear = async (...events: ProviderEvent[]) => {
    await receive(platform, { tenantId, connectionId }, events)
    await ingestIdle(platform)
  }
  const rowOf = (id: string) =>
    read<MessageAsStored>((db) => db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
  const byProvider = (providerId: string) =>
    read<MessageAsStored | undefined>((db) =>
      db.selectFrom('messages').selectAll().where('provider_id', '=', providerId).executeTakeFirst(),
    )
  const ask = async (operation: Operation, input: object, token = admin.token): Promise<ActReply> =>
    (await call(product, operation, token, input as never)) as unknown as ActReply
  const open = (id: string) =>
    read<{ id: string; status: string; attempts: number }[]>((db) =>
      db
        .selectFrom('message_acts')
        .select(['id', 'status', 'attempts'])
        .where('message_id', '=', id)
        .where('status', 'in', ['pending', 'queued', 'failed'])
        .orderBy('seq')
        .execute(),
    )
  return {
    ...{ m, tenantId, connectionId, admin, read, hear, rowOf, byProvider, ask, open },
    /** Test channel with everything that was sent, however it behaves at present. */
    channel: () => channel,
    /** Resets the channel to accept everything. */
    calm() {
      const { sent } = channel
      channel = testChannel(platform)
      channel.sent.push(...sent)
    },
    ticketRow: (id: number) =>
      read<{ last_message: string }>((db) =>
        db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      ),
    /** Opens a conversation of the administrator with a new contact. */
    async conversation(): Promise<{ from: string; ticketId: number; theirs: string }> {
      const from = `5511977${String(++people).padStart(6, '0')}`
      await hear(textEvent({ from, body: 'Oi', id: `oi-${from}` }))
      const { id, ticket_id } = (await byProvider(`oi-${from}`)) as MessageAsStored & { ticket_id: number }
      await platform.db.write(tenantId, (db) =>
        db.updateTable('tickets').set({ status: 'open', user_id: admin.id }).where('id', '=', ticket_id).execute(),
      )
      return { from, ticketId: ticket_id, theirs: id }
    },
    async say(ticketId: number, body: string): Promise<string> {
      const reply = await ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body } })
      const { id } = reply.body.messages[0]!
      await until(async () => !['pending', 'queued'].includes((await rowOf(id)).status))
      return id
    },
    /** Waits until every requested action on a message has failed. */
    ended: (id: string) => until(async () => (await open(id)).every(({ status }) => status === 'failed')),
    async done(reply: ActReply): Promise<ActReply> {
      expect([reply.status, reply.body.error]).toEqual([200, undefined])
      return reply
    },
    /** Sends at once what waits for its next attempt. */
    retryNow: (from: string) =>
      unit(platform, { tenantId, user: null }, async (ctx) =>
        enqueueSending(ctx, { connection_id: connectionId, conversation_key: from }),
      ),
    trailHas: async (id: string, step: string): Promise<boolean> =>
      (
        await read<object[]>((db) =>
          db.selectFrom('message_trail').select('id').where('message_id', '=', id).where('step', '=', step).execute(),
        )
      ).length > 0,
  }
}

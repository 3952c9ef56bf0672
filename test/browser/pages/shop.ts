import { randomUUID } from 'node:crypto'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { receiptEvent, testChannel, textEvent } from '#test/peers/channel.ts'
import type { Product } from '#test/product.ts'
import { company } from './product.ts'

let counter = 0

/** Creates a company with a queue, two agents in it and one outside, and a channel whose other end is the test. */
export async function shop(product: Product) {
  const { platform } = product
  const { made, tenantId, admin, ask } = await company(product)
  const channel = testChannel(platform)
  const queueId = await made.queue(tenantId, { queue: 'Vendas' })
  const otherQueueId = await made.queue(tenantId, { queue: 'Financeiro' })
  const ana = await made.user(tenantId, { name: 'Ana Lima', queues: [queueId] })
  const bia = await made.user(tenantId, { name: 'Bia Rocha', queues: [queueId] })
  const caio = await made.user(tenantId, { name: 'Caio Prado', queues: [otherQueueId] })
  const connectionId = await made.connection(tenantId, { type: 'test', name: 'Balcão', queue_id: queueId })
  const from = new Map<string, string>()
  const numberOf = (name: string): string => {
    const number = from.get(name) ?? `55119${String(++counter).padStart(8, '0')}`
    from.set(name, number)
    return number
  }

  type Said = { name: string; body: string; at?: number }
  /** Customers write; their words are in the journal when this resolves. */
  const arrive = (said: readonly Said[]): Promise<unknown> =>
    receive(
      platform,
      { tenantId, connectionId },
      said.map(({ name, body, at = Date.now() }) =>
        textEvent({ from: numberOf(name), name, body, at, id: randomUUID() }),
      ),
    )
  /** Receives a customer's message; resolves once the ticket exists. */
  async function hear(name: string, body: string, at?: number): Promise<void> {
    await arrive([{ name, body, ...(at === undefined ? {} : { at }) }])
    await ingestIdle(platform)
  }
  const ticketsOf = (name: string) =>
    platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').selectAll().where('conversation_key', '=', numberOf(name)).orderBy('id').execute(),
    )
  const ticketOf = async (name: string) => {
    const ticket = (await ticketsOf(name)).at(-1)
    if (!ticket) throw new Error(`${name} has no ticket`)
    return ticket
  }
  const messagesOf = (name: string) =>
    platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('conversation_key', '=', numberOf(name))
        .orderBy('timestamp')
        .orderBy('seq')
        .execute(),
    )
  /** Sends a receipt of our newest message from the customer's device. */
  async function tick(name: string, status: 'delivered' | 'read'): Promise<void> {
    const sent = (await messagesOf(name)).findLast((message) => message.provider_id && message.from_me)
    if (!sent?.provider_id) throw new Error(`nothing was sent to ${name}`)
    await receive(platform, { tenantId, connectionId }, [receiptEvent(numberOf(name), sent.provider_id, status)])
    await ingestIdle(platform)
  }
  /** Receives messages of a customer and gives the ticket to `owner`; returns the ticket's id. */
  async function talking(name: string, owner: { id: number }, ...bodies: string[]): Promise<number> {
    for (const body of bodies.length > 0 ? bodies : [`Oi, aqui é ${name}`]) await hear(name, body)
    const { id } = await ticketOf(name)
    await ask<TicketDetail>('PUT', `/tickets/${id}`, { status: 'open', userId: owner.id })
    return id
  }
  const people = { admin, ana, bia, caio }
  return {
    made,
    tenantId,
    ask,
    channel,
    queueId,
    otherQueueId,
    people,
    arrive,
    hear,
    tick,
    talking,
    ticketOf,
    ticketsOf,
    messagesOf,
  }
}

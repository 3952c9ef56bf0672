import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type LabMessage, type LabPhone, lab } from '#features/lab/contract.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { messages } from '#features/messages/contract.ts'
import type { Participant } from '#features/messages/groups-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from './make.ts'
import { call, type Product } from './server.ts'

/** Response of a call, as far as tests of groups read it. */
export type Answers = {
  messages: MessageRow[]
  contacts: { name: string; isGroup: boolean }[]
  participants: Participant[]
  tickets: unknown[]
  id: number
}

/** A ticket of a group as it is stored. */
type Stored = {
  id: number
  status: string
  name: string
  is_group: boolean
  unread_messages: number
  last_message: string
  last_message_sender: string | null
  contact_id: number
}

/** Returns the body of a response, as far as tests of groups read it. */
export const bodyOf = async (reply: Promise<{ body: unknown }>): Promise<Answers> => (await reply).body as Answers

/** Creates a company with phones that make groups and write in them, and an agent who attends them. */
export async function groupCompany(product: () => Product, names: readonly string[]) {
  const idle = () => ingestIdle(product().platform)
  const m = make(product().platform)
  const tenantId = await m.tenant('Obra Certa')
  const user = await m.user(tenantId, { profile: 'admin', name: 'Rosa' })
  const agent = { id: user.id, token: await m.token(user) }
  const phone = async (name: string, number: string): Promise<LabPhone> =>
    (await call(product(), lab.create, agent.token, { body: { name, number } })).body
  const phones: LabPhone[] = []
  for (const [index, name] of names.entries()) phones.push(await phone(name, `(19) 99812-000${index + 1}`))
  const [ana, bia] = phones as [LabPhone, LabPhone]
  const newGroup = async (name = 'Obra da praça', phones = [ana, bia]): Promise<LabPhone> => {
    const reply = await call(product(), lab.createGroup, agent.token, {
      body: { name, phoneIds: phones.map(({ id }) => id) },
    })
    expect([reply.status, reply.body]).toMatchObject([200, {}])
    await idle()
    return reply.body
  }
  const say = async (group: LabPhone, who: LabPhone, body: string, id = randomUUID()) => {
    const reply = await call(product(), lab.send, agent.token, {
      params: { id: who.id },
      body: { id, body, groupId: group.id } as never,
    })
    await idle()
    return reply as { status: number; body: { message: LabMessage; error?: string; details?: object } }
  }
  const ticketsOf = (group: LabPhone): Promise<Stored[]> =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('tickets')
        .innerJoin('contacts', 'contacts.id', 'tickets.contact_id')
        .select([
          'tickets.id',
          'tickets.status',
          'contacts.name',
          'contacts.is_group',
          'unread_messages',
          'last_message',
        ])
        .select(['last_message_sender', 'tickets.contact_id'])
        .where('conversation_key', '=', group.number)
        .execute(),
    )
  const accepted = async (group: LabPhone): Promise<number> => {
    const { id } = (await ticketsOf(group))[0]!
    await call(product(), tickets.update, agent.token, { params: { id }, body: { status: 'open', userId: agent.id } })
    return id
  }
  const thread = async (ticketId: number): Promise<MessageRow[]> =>
    (await bodyOf(call(product(), messages.list, agent.token, { params: { ticketId } }))).messages
  /** Opens a group in which a member has written, accepted by the agent. */
  const talking = async (...phones: LabPhone[]) => {
    const group = await newGroup(`Grupo ${randomUUID().slice(0, 8)}`, phones.length > 0 ? phones : [ana, bia])
    await say(group, phones[0] ?? ana, 'Oi')
    return { group, ticketId: await accepted(group) }
  }
  return { tenantId, agent, phone, phones, idle, newGroup, say, ticketsOf, accepted, thread, talking }
}

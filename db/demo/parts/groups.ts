import type { DemoPart } from '#db/demo/part.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'

const MINUTE = 60_000
const NAME = 'Revendedores do bairro'

/** Messages of the group: author (index of the phone; null: the team), text, and indexes of the mentioned members. */
const SPOKEN: readonly {
  by: number | null
  text: (names: readonly string[]) => string
  mentions?: readonly number[]
}[] = [
  { by: 0, text: () => 'Bom dia, pessoal! A promoção ainda vale essa semana?' },
  { by: 1, text: () => 'Também queria saber' },
  { by: null, text: ([first]) => `Bom dia! @${first} vale até sábado, com entrega grátis.`, mentions: [0] },
  { by: 2, text: ([first]) => `@${first} eu já pedi a minha 😄`, mentions: [0] },
  { by: null, text: () => 'Obrigada, gente! Qualquer dúvida é só chamar.' },
]

/** Group of phones of the laboratory, with the team as a member. */
export const part: DemoPart = {
  after: ['conversations'],
  async seed({ platform, db, tenantId, ids }) {
    const phones = await db
      .selectFrom('lab_phones')
      .select(['id', 'name', 'number', 'connection_id'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .limit(20)
      .execute()
    const members = phones.filter((one) => one.connection_id === phones[0]?.connection_id).slice(0, 3)
    const [userId] = ids.users.values()
    if (members.length < 3 || userId === undefined) return
    const connectionId = members[0]!.connection_id
    const now = platform.now().getTime()
    const at = (index: number) => new Date(now - (190 - index * 7) * MINUTE)
    const conversationKey = `120363${String(tenantId).padStart(12, '0')}`
    const { id: contactId } = await db
      .insertInto('contacts')
      .values({ tenant_id: tenantId, name: NAME, is_group: true, created_at: at(0), updated_at: at(0) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('contact_identities')
      .values({ tenant_id: tenantId, channel: 'lab', identity: conversationKey, contact_id: contactId })
      .execute()
    const group = await db
      .insertInto('lab_phones')
      .values({ tenant_id: tenantId, connection_id: connectionId, name: NAME, number: conversationKey, is_group: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('lab_group_members')
      .values(
        members.map(({ id }, index) => ({
          tenant_id: tenantId,
          group_id: group.id,
          phone_id: id,
          is_admin: index === 0,
        })),
      )
      .execute()
    const known = await db
      .insertInto('group_members')
      .values(
        members.map(({ name, number }, index) => ({
          ...{ tenant_id: tenantId, contact_id: contactId, identity: number, name, number },
          ...{ is_admin: index === 0, changed_at: at(0), updated_at: at(0) },
        })),
      )
      .returning(['id', 'identity'])
      .execute()
    const names = members.map(({ name }) => name)
    const last = SPOKEN.length - 1
    const ticketId = await make(platform, db).ticket(tenantId, {
      ...{ status: 'open', user_id: userId, connection_id: connectionId, contact_id: contactId, is_group: true },
      ...{ conversation_key: conversationKey, channel: 'lab', answered: true, started_attendance_at: at(1) },
      ...{ last_message: SPOKEN[last]!.text(names), last_message_from_me: true, last_message_status: 'read' },
      ...{ last_message_at: at(last), last_message_received_at: at(last - 1) },
      ...{ created_at: at(0), updated_at: at(last) },
    })
    await db
      .insertInto('ticket_group_users')
      .values([...ids.users.values()].map((id) => ({ tenant_id: tenantId, ticket_id: ticketId, user_id: id })))
      .execute()
    for (const [index, { by, text, mentions = [] }] of SPOKEN.entries()) {
      const writer = by === null ? null : members[by]!
      const about = {
        ...{ tenant_id: tenantId, id: uuidv7(at(index).getTime()), body: text(names), timestamp: at(index) },
        mentions: mentions.length
          ? JSON.stringify({
              people: mentions.map((one) => ({ identity: members[one]!.number, name: names[one] })),
              everyone: null,
            })
          : null,
      }
      const identity = writer?.number
      const sender = writer && { name: writer.name, number: writer.number }
      await db
        .insertInto('messages')
        .values({
          ...{
            ...about,
            provider_id: about.id,
            ticket_id: ticketId,
            contact_id: contactId,
            connection_id: connectionId,
          },
          ...{ conversation_key: conversationKey, from_me: !writer, user_id: writer ? null : userId },
          ...{ status: writer ? 'received' : 'read', created_at: at(index) },
          sender: sender
            ? JSON.stringify({ ...sender, identity, id: known.find((one) => one.identity === identity)!.id })
            : null,
        })
        .execute()
      await db
        .insertInto('lab_messages')
        .values({
          ...{ ...about, provider_id: about.id, phone_id: group.id, from_phone: writer !== null },
          ...{ status: 'read', sender: sender ? JSON.stringify({ ...sender, id: writer.id }) : null },
        })
        .execute()
    }
  },
}

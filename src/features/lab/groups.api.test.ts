import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { contacts } from '#features/contacts/contract.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { groups } from '#features/messages/groups-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { GroupUpdate, ProviderEvent } from '#providers/channels/port.ts'
import { type Answers, bodyOf, groupCompany } from '#test/group-company.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LabMessage, type LabPhone, lab } from './contract.ts'

const product = withProduct()
type Company = Awaited<ReturnType<typeof groupCompany>>
let { tenantId, agent, phone, idle, newGroup, say, ticketsOf, thread, talking } = {} as Company
let ana: LabPhone
let bia: LabPhone
let caio: LabPhone

const read = <T>(...of: Parameters<ReturnType<typeof product>['platform']['db']['read']>) =>
  product().platform.db.read(...of) as Promise<T>

beforeAll(async () => {
  const company = await groupCompany(product, ['Ana Luz', 'Bia Melo', 'Caio Reis'])
  ;({ tenantId, agent, phone, idle, newGroup, say, ticketsOf, thread, talking } = company)
  ;[ana, bia, caio] = company.phones as [LabPhone, LabPhone, LabPhone]
})

const change = async (
  group: LabPhone,
  who: LabPhone,
  change: 'add' | 'remove' | 'promote' | 'demote',
  by?: LabPhone,
) => {
  const reply = await call(product(), lab.changeMember, agent.token, {
    params: { id: group.id },
    body: { phoneId: who.id, change, ...(by ? { by: by.id } : {}) },
  })
  await idle()
  return reply
}
const hear = async (...events: ProviderEvent[]) => {
  await receive(product().platform, { tenantId, connectionId: ana.connectionId }, events)
  await idle()
}
const arrived = async (group: LabPhone): Promise<LabMessage[]> =>
  (await call(product(), lab.messages, agent.token, { params: { id: group.id } })).body.messages.filter(
    ({ fromPhone }) => !fromPhone,
  )
const lines = async (ticketId: number) =>
  (await thread(ticketId)).flatMap(({ mediaType, data }) =>
    mediaType === 'group_event'
      ? [data as { change: string; people: { name: string }[]; by: { name: string } | null }]
      : [],
  )

describe('a group', () => {
  it('is one contact with one ticket, whoever of it writes, and each message names its writer', async () => {
    const before = await read<{ n: number }[]>(tenantId, (db) => db.selectFrom('contacts').select('id').execute())
    const group = await newGroup()
    expect(group).toMatchObject({
      isGroup: true,
      name: 'Obra da praça',
      number: expect.stringMatching(/^120363\d{12}$/),
    })
    expect(group.members.map(({ name, isAdmin }) => [name, isAdmin])).toEqual([
      ['Ana Luz', true],
      ['Bia Melo', false],
    ])
    expect(await ticketsOf(group)).toEqual([])
    await say(group, ana, 'Chegou a areia?')
    await say(group, bia, 'Ainda não')
    const [ticket, ...others] = await ticketsOf(group)
    expect(others).toEqual([])
    expect(ticket).toMatchObject({
      ...{ name: 'Obra da praça', is_group: true, status: 'pending', unread_messages: 2 },
      ...{ last_message: 'Ainda não', last_message_sender: 'Bia Melo' },
    })
    expect((await thread(ticket!.id)).map(({ body, sender }) => [sender?.name, sender?.number, body])).toEqual([
      ['Ana Luz', ana.number, 'Chegou a areia?'],
      ['Bia Melo', bia.number, 'Ainda não'],
    ])
    const after = await read<{ n: number }[]>(tenantId, (db) => db.selectFrom('contacts').select('id').execute())
    expect(after).toHaveLength(before.length + 1)
    const list = await call(product(), tickets.list, agent.token, {
      query: { isGroup: 'true', tab: 'pending' } as never,
    })
    expect(list.body).toMatchObject({
      tickets: expect.arrayContaining([
        expect.objectContaining({ id: ticket!.id, isGroup: true, lastMessageSender: 'Bia Melo' }),
      ]),
    })
  })

  it('takes what a member writes once, and refuses those who are not in it', async () => {
    const { group, ticketId } = await talking()
    const id = randomUUID()
    const both = await Promise.all([say(group, ana, 'Uma vez', id), say(group, ana, 'Uma vez', id)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await thread(ticketId)).filter(({ body }) => body === 'Uma vez')).toHaveLength(1)
    expect((await say(group, caio, 'Posso?')).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { groupId: 'Este telefone não está no grupo.' },
    })
    const params = { id: group.id }
    const body = { id: randomUUID(), body: 'Quem?' } as never
    expect((await call(product(), lab.send, agent.token, { params, body })).status).toBe(400)
    const foreign = { name: 'x', phoneIds: [group.id] }
    expect((await call(product(), lab.createGroup, agent.token, { body: foreign })).status).toBe(400)
    expect((await call(product(), lab.createGroup, agent.token, { body: { name: 'x', phoneIds: [9e9] } })).status).toBe(
      404,
    )
  })

  it('tells who comes, goes and runs it, as lines that change nothing of its ticket', async () => {
    const { group, ticketId } = await talking(ana, bia)
    const [before] = await ticketsOf(group)
    await change(group, caio, 'add', ana)
    await change(group, caio, 'add', ana)
    await change(group, bia, 'promote', ana)
    await change(group, bia, 'demote', ana)
    await change(group, bia, 'remove')
    const shown = (await lines(ticketId)).map(({ change, people, by }) => [change, people[0]?.name, by?.name])
    expect(shown).toEqual([
      ['add', 'Caio Reis', 'Ana Luz'],
      ['promote', 'Bia Melo', 'Ana Luz'],
      ['demote', 'Bia Melo', 'Ana Luz'],
      ['remove', 'Bia Melo', 'Bia Melo'],
    ])
    expect(await ticketsOf(group)).toEqual([before])
    expect(await participants(ticketId)).toEqual([
      ['Ana Luz', true],
      ['Caio Reis', false],
    ])
    // A member who left and returns is the same person.
    await say(group, caio, 'E a Bia?')
    await change(group, bia, 'add')
    await say(group, bia, 'Voltei')
    const senders = (await thread(ticketId)).flatMap(({ sender }) => (sender?.name === 'Bia Melo' ? [sender.id] : []))
    expect(new Set(senders).size).toBe(1)
  })

  it('is renamed everywhere when its channel says so', async () => {
    const { group, ticketId } = await talking()
    const name = `Obra ${randomUUID().slice(0, 8)}`
    const reply = await call(product(), lab.changeGroup, agent.token, {
      params: { id: group.id },
      body: { name, by: ana.id },
    })
    expect([reply.status, reply.body]).toMatchObject([200, { name }])
    await idle()
    expect((await ticketsOf(group))[0]).toMatchObject({ name })
    expect(await lines(ticketId)).toMatchObject([{ change: 'subject', subject: name, by: { name: 'Ana Luz' } }])
    const found = await bodyOf(call(product(), contacts.list, agent.token, { query: { searchParam: name } }))
    expect(found.contacts).toMatchObject([{ name, isGroup: true }])
  })

  it('loses the phones that leave the laboratory', async () => {
    const gone = await phone('Davi', '(19) 99812-0004')
    const { ticketId } = await talking(ana, gone)
    await call(product(), lab.remove, agent.token, { params: { id: gone.id } })
    await idle()
    expect(await participants(ticketId)).toEqual([['Ana Luz', true]])
  })
})

const participants = async (ticketId: number) =>
  (await bodyOf(call(product(), groups.participants, agent.token, { body: { ticketId } }))).participants.map(
    ({ name, isAdmin }) => [name, isAdmin],
  )

describe('events out of order', () => {
  const notice = (group: LabPhone, about: object): GroupUpdate =>
    ({ type: 'participants', dedupeKey: randomUUID(), conversationKey: group.number, ...about }) as GroupUpdate
  const member = { identity: '77@lid', name: 'Lia' }

  it('end as the latest says, however often and in whatever order they come', async () => {
    const { group, ticketId } = await talking()
    const at = Date.now() + 60_000
    const events = [
      notice(group, { change: 'add', members: [member], timestamp: at }),
      notice(group, { change: 'promote', members: [member], timestamp: at + 1000 }),
      notice(group, { change: 'remove', members: [member], timestamp: at + 2000 }),
    ]
    await hear(...events, ...events)
    await hear(...events.toReversed())
    expect(await participants(ticketId)).toHaveLength(2)
    expect((await lines(ticketId)).map(({ change }) => change)).toEqual(['add', 'promote', 'remove'])
    // A late notice under another key has no effect either.
    await hear(notice(group, { change: 'add', members: [member], timestamp: at + 500 }))
    expect(await participants(ticketId)).toHaveLength(2)
    await hear(notice(group, { change: 'all', members: [member], timestamp: at + 3000 }))
    expect(await participants(ticketId)).toEqual([['Lia', false]])
  })

  it('open no conversation, and a message that comes with them is told first', async () => {
    const conversationKey = '120363000000000001'
    await hear(
      {
        ...notice({ number: conversationKey } as LabPhone, { change: 'add', members: [member] }),
        timestamp: Date.now(),
      },
      { type: 'profile', dedupeKey: randomUUID(), conversationKey, timestamp: Date.now(), name: 'Só avisos' },
    )
    const of = () =>
      read<{ id: number }[]>(tenantId, (db) =>
        db.selectFrom('tickets').select('id').where('conversation_key', '=', conversationKey).execute(),
      )
    expect(await of()).toEqual([])
    const found = await bodyOf(call(product(), contacts.list, agent.token, { query: { searchParam: 'Só avisos' } }))
    expect(found.contacts).toMatchObject([{ isGroup: true }])
    await hear({
      ...{ type: 'message', dedupeKey: randomUUID(), conversationKey, isGroup: true },
      sender: { identity: '88@lid', name: '', number: null },
      message: {
        providerId: randomUUID(),
        timestamp: Date.now(),
        type: 'text',
        body: 'Oi @77',
        mentions: ['77@lid', 'ninguém'],
      },
    })
    const [ticket] = await of()
    // The author's name is unknown; the mentioned person is known.
    expect(await thread(ticket!.id)).toMatchObject([
      { body: 'Oi @Lia', sender: { name: '88' }, mentions: { people: ['Lia'] } },
    ])
  })

  it('hostile names and lists do no harm', async () => {
    const { group, ticketId } = await talking()
    const many = Array.from({ length: 1500 }, (_, n) => ({
      identity: `x${n}`,
      name: n % 2 ? "'); drop table --" : ' '.repeat(n),
    }))
    const huge = { identity: 'y'.repeat(300), name: '𝒜'.repeat(5000), number: '0' }
    await hear(notice(group, { change: 'add', members: [...many, huge, huge], timestamp: Date.now() + 5000 }))
    const { participants } = await bodyOf(call(product(), groups.participants, agent.token, { body: { ticketId } }))
    expect(participants).toHaveLength(1503)
    expect(participants.every(({ name }) => name !== '' && name.length <= 200)).toBe(true)
    const body = `${'@'.repeat(20_000)} @${many[1]!.name}`
    expect((await answer(ticketId, body)).status).toBe(200)
  })
})

const answer = (ticketId: number, body: string, idFront = randomUUID()) =>
  call(product(), messages.send, agent.token, { params: { ticketId }, body: { idFront, body, isNote: false } })
const waitFor = async (group: LabPhone, body: string): Promise<LabMessage> => {
  await until(async () => (await arrived(group)).some((one) => one.body === body))
  return (await arrived(group)).find((one) => one.body === body)!
}

describe('what cannot leave', () => {
  it('waits in its order while the group cannot be reached, and arrives once each', async () => {
    const { group, ticketId } = await talking(ana, bia)
    const connection = (disconnected: boolean) =>
      call(product(), lab.setFaults, agent.token, { params: { id: group.id }, body: { disconnected } })
    await connection(true)
    const bodies = ['um, @Bia Melo', 'dois', '@todos três']
    await answer(ticketId, bodies[0]!)
    await answer(ticketId, bodies[1]!)
    await call(product(), groups.mentionAll, agent.token, { body: { ticketId, body: bodies[2]! } })
    await say(group, bia, 'Sem rede')
    expect(await arrived(group)).toEqual([])
    await connection(false)
    await waitFor(group, bodies[2]!)
    expect((await arrived(group)).map(({ body }) => body)).toEqual(bodies)
    await until(async () => (await thread(ticketId)).some(({ body }) => body === 'Sem rede'))
    expect((await thread(ticketId)).filter(({ body }) => body === 'Sem rede')).toMatchObject([
      { sender: { name: 'Bia Melo' } },
    ])
  })
})

describe('mentions', () => {
  it('by name in what an agent writes reach the phones, and those of phones the thread', async () => {
    const { group, ticketId } = await talking(ana, bia)
    expect((await answer(ticketId, 'Pode ser, @Bia Melo?')).status).toBe(200)
    expect(await waitFor(group, 'Pode ser, @Bia Melo?')).toMatchObject({
      mentions: { people: ['Bia Melo'], everyone: null },
    })
    const { id: messageId } = (await thread(ticketId)).at(-1)!
    const body = 'Pode ser, @Bia Melo e @Ana Luz?'
    expect((await call(product(), messages.edit, agent.token, { body: { messageId, body } })).status).toBe(200)
    const both = { people: ['Bia Melo', 'Ana Luz'], everyone: null }
    expect((await waitFor(group, body)).mentions).toEqual(both)
    await until(async () => (await thread(ticketId)).at(-1)!.body === body)
    expect((await thread(ticketId)).at(-1)!.mentions).toEqual(both)
    await say(group, bia, 'Pode, @Ana Luz')
    expect((await thread(ticketId)).at(-1)).toMatchObject({
      body: 'Pode, @Ana Luz',
      sender: { name: 'Bia Melo' },
      mentions: { people: ['Ana Luz'], everyone: null },
    })
    expect((await ticketsOf(group))[0]).toMatchObject({
      last_message: 'Pode, @Ana Luz',
      last_message_sender: 'Bia Melo',
    })
    const found = await bodyOf(
      call(product(), messages.search, agent.token, { query: { searchParam: 'ana luz', ticketId } }),
    )
    expect(found.tickets).toHaveLength(1)
  })

  it('of a text that is edited on a phone are those of the new text, also where the edit comes first', async () => {
    const { group, ticketId } = await talking(ana, bia)
    const id = randomUUID()
    await say(group, bia, 'Pode', id)
    const last = async () => (await thread(ticketId)).at(-1)!
    const edit = async (body: string) => {
      const reply = await call(product(), lab.act, agent.token, {
        params: { id: bia.id, messageId: id },
        body: { act: 'edit', body, groupId: group.id },
      })
      await idle()
      return reply
    }
    expect((await edit('Podem, @Ana Luz e @Bia Melo')).body).toMatchObject({
      mentions: { people: ['Ana Luz', 'Bia Melo'], everyone: null },
    })
    expect(await last()).toMatchObject({
      body: 'Podem, @Ana Luz e @Bia Melo',
      edition: 'Pode',
      mentions: { people: ['Ana Luz', 'Bia Melo'], everyone: null },
    })
    expect((await ticketsOf(group))[0]).toMatchObject({ last_message: 'Podem, @Ana Luz e @Bia Melo' })
    await edit('Ninguém')
    expect(await last()).toMatchObject({ body: 'Ninguém', edition: 'Pode', mentions: null })

    const providerId = randomUUID()
    await hear({
      ...{ type: 'edit', dedupeKey: randomUUID(), conversationKey: group.number, providerId, timestamp: Date.now() },
      ...{ body: `Antes, @${ana.number} e @999`, mentions: [ana.number, '999'], author: { identity: bia.number } },
    })
    await say(group, bia, 'Depois', providerId)
    expect(await last()).toMatchObject({
      body: 'Antes, @Ana Luz e @999',
      mentions: { people: ['Ana Luz'], everyone: null },
    })
  })

  it('of chosen members go by identity or id, in front of the text where they are not in it, once', async () => {
    const { group, ticketId } = await talking(ana, bia)
    const all = (await bodyOf(call(product(), groups.participants, agent.token, { body: { ticketId } }))).participants
    expect(all).toMatchObject([
      { identity: ana.number, userId: expect.any(Number), name: 'Ana Luz', number: ana.number, isAdmin: true },
      { identity: bia.number, isAdmin: false },
    ])
    const idFront = randomUUID()
    const body = { ticketId, body: `veja isto, @${bia.number}`, participants: [bia.number, all[0]!.userId], idFront }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => call(product(), groups.mention, agent.token, { body })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map((one) => (one.body as unknown as Answers).messages[0]!.id)).size).toBe(1)
    const message = await waitFor(group, '@Ana Luz veja isto, @Bia Melo')
    expect(message.mentions).toEqual({ people: ['Bia Melo', 'Ana Luz'], everyone: null })
    // Former members cannot be mentioned any more; a repeated request gets the same response.
    await change(group, bia, 'remove')
    expect((await call(product(), groups.mention, agent.token, { body })).status).toBe(200)
    const again = await call(product(), groups.mention, agent.token, { body: { ...body, idFront: randomUUID() } })
    expect(again).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION', details: { participants: expect.any(String) } },
    })
    expect((await arrived(group)).filter((one) => one.id === message.id)).toHaveLength(1)
  })

  it('of all stand in the text, or nowhere', async () => {
    const { group, ticketId } = await talking()
    expect(
      (await call(product(), groups.mentionAll, agent.token, { body: { ticketId, body: 'Reunião às 9h' } })).status,
    ).toBe(200)
    expect((await call(product(), groups.ghost, agent.token, { body: { ticketId, body: 'Bom dia' } })).status).toBe(200)
    expect(await waitFor(group, '@todos Reunião às 9h')).toMatchObject({
      mentions: { people: ['todos'], everyone: 'shown' },
    })
    expect(await waitFor(group, 'Bom dia')).toMatchObject({ mentions: { people: [], everyone: 'hidden' } })
    const own = (await thread(ticketId)).filter(({ fromMe }) => fromMe)
    expect(own.map(({ mentions }) => mentions?.everyone)).toEqual(['shown', 'hidden'])
  })

  it('are refused where there is no group, no such channel, no ticket that one sees', async () => {
    const m = make(product().platform)
    const site = await m.ticket(tenantId, {
      channel: 'webchat',
      connection_id: await m.connection(tenantId, { type: 'webchat' }),
    })
    const single = await m.ticket(tenantId, {
      channel: 'lab',
      connection_id: ana.connectionId,
      status: 'open',
      user_id: agent.id,
    })
    const stranger = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
    const colleague = await m.token(await m.user(tenantId, { profile: 'user' }))
    const { ticketId } = await talking()
    const tries = [
      [groups.participants, {}],
      [groups.mention, { body: 'x', participants: ['1'] }],
      [groups.mentionAll, { body: 'x' }],
      [groups.ghost, { body: 'x' }],
    ] as const
    for (const [operation, body] of tries) {
      const refused = async (ticket: number, token = agent.token) => {
        const reply = await call(product(), operation, token, { body: { ...body, ticketId: ticket } })
        return [reply.status, reply.body.error]
      }
      expect(await refused(site)).toEqual([422, 'ERR_CHANNEL_CANNOT'])
      expect(await refused(single)).toEqual([409, 'ERR_NOT_A_GROUP'])
      expect(await refused(ticketId, stranger)).toEqual([404, 'ERR_NO_TICKET_FOUND'])
      expect(await refused(ticketId, colleague)).toEqual([404, 'ERR_NO_TICKET_FOUND'])
      expect(await refused(9_999_999)).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    }
    const { capabilities } = (await call(product(), tickets.get, agent.token, { params: { id: site } })).body
    expect(capabilities).toMatchObject({ groups: false, mentions: false })
  })

  it('and names are masked for restricted users', async () => {
    const { group, ticketId } = await talking(ana, bia)
    await change(group, caio, 'add', ana)
    await say(group, ana, 'Só nós')
    const m = make(product().platform)
    const user = await m.user(tenantId, { profile: 'admin' })
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', user.id).execute(),
    )
    const token = await m.token(user)
    const shown = JSON.stringify([
      (await call(product(), messages.list, token, { params: { ticketId } })).body,
      (await call(product(), groups.participants, token, { body: { ticketId } })).body,
      (await call(product(), tickets.get, token, { params: { id: ticketId } })).body,
    ])
    expect(shown).toContain('Ana L…')
    for (const secret of ['Ana Luz', 'Bia Melo', 'Caio Reis', ana.number, bia.number, group.name])
      expect(shown).not.toContain(secret)
  })
})

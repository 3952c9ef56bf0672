import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { setChatbotBlocked } from '#features/contacts/server/index.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { writeToContacts } from '#features/tickets/server/begin/to-contacts.ts'
import { unit } from '#server/context.ts'
import { testConfig } from '#test/channels/test/config.ts'
import { any, does, flowOf, goTo, type Json, node, sends, toQueue, when } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let fallback: { queue: number; user: number }
let admin: string
beforeAll(async () => {
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  fallback = { queue: await m().queue(tenantId), user: (await m().user(tenantId)).id }
  connectionId = await m().connection(tenantId, { type: 'test', queue_id: fallback.queue, user_id: fallback.user })
})

const { write, ticketOf, saidTo, nextPhone, ask, attending } = flowTalk(product, () => ({
  tenantId,
  connectionId,
  admin,
}))
/** Expects the connection's destination, with the reason for agents. */
async function expectFallback(from: string, reason: string): Promise<void> {
  const ticket = await ticketOf(from)
  const { queue, user } = fallback
  expect(ticket).toMatchObject({ status: 'pending', queue_id: queue, user_id: user, chat_flow_id: null })
  const { body } = await ask(tickets.logs, { params: { id: ticket.id } })
  expect(body.logs.find((one: Json) => one['type'] === 'queue')).toMatchObject({ reason })
}
/** Makes storing steps of this conversation fail. */
const spoil = async (from: string) => {
  const { id } = await ticketOf(from)
  await product().platform.db.asPlatform((db) =>
    sql`update flow_sessions set state = state || '{"effects": 2147483647}' where ticket_id = ${id}`.execute(db),
  )
}
const FAILED = 'O fluxo falhou, e o atendimento foi para uma pessoa.'

it('what can never be carried out is a person’s, and costs nobody else their answer', async () => {
  await attending(
    flowOf([node('a', [sends('Oi')], [any(goTo('b'))]), node('b', [sends('Certo')], [any(toQueue(queueId))])]),
  )
  const [from, other] = [nextPhone(), nextPhone()]
  for (const one of [from, other]) await write(one, 'oi')
  await spoil(from)
  const words = [from, other].map((one) => textEvent({ from: one, body: 'sim' }))
  await receive(product().platform, { tenantId, connectionId }, words)
  await ingestIdle(product().platform)
  await until(async () => (await ticketOf(from)).chat_flow_id === null)
  await expectFallback(from, FAILED)
  await until(async () => (await saidTo(other)).length === 2)
  expect([await saidTo(from), await saidTo(other)]).toEqual([['Oi'], ['Oi', 'Certo']])
})

it('so is what a timer finds that can never be carried out', async () => {
  await attending(flowOf([node('a', [sends('Oi'), does('DelayField', { time: 1 }), sends('Certo')])]))
  const from = nextPhone()
  await write(from, 'oi')
  await spoil(from)
  await until(async () => (await ticketOf(from)).chat_flow_id === null)
  await expectFallback(from, FAILED)
  expect(await saidTo(from)).toEqual(['Oi'])
})

it('to a queue or a person that is gone: the connection’s queue and user get it, with the reason', async () => {
  const gone = { queue: await m().queue(tenantId), user: (await m().user(tenantId)).id }
  const ways = [when(['fila'], toQueue(gone.queue)), when(['pessoa'], { action: 2, userIdDestination: gone.user })]
  await attending(flowOf([node('a', [sends('Fila ou pessoa?')], ways)]))
  const [asksQueue, asksPerson] = [nextPhone(), nextPhone()]
  for (const from of [asksQueue, asksPerson]) await write(from, 'oi')
  // Neither applies while the flow attends.
  expect(await ticketOf(asksQueue)).toMatchObject({ queue_id: null, user_id: null })
  await product().platform.db.write(tenantId, async (db) => {
    await db.updateTable('queues').set({ is_active: false }).where('id', '=', gone.queue).execute()
    await db.updateTable('users').set({ is_active: false }).where('id', '=', gone.user).execute()
  })
  await write(asksQueue, 'fila')
  await expectFallback(asksQueue, 'A fila que o fluxo indica não existe mais.')
  await write(asksPerson, 'pessoa')
  await expectFallback(asksPerson, 'O usuário que o fluxo indica não está mais aqui.')
})

it('what comes together with the word that ends the conversation is a person’s to answer', async () => {
  await attending(flowOf([node('a', [sends('Oi')], [any({ action: 3, closeTicket: 'Até logo' })])]))
  const [from, other] = [nextPhone(), nextPhone()]
  for (const bodies of [['oi'], ['sair', 'Só mais uma coisa']]) {
    const events = bodies.map((body) => textEvent({ from, body }))
    await receive(product().platform, { tenantId, connectionId }, events)
    await ingestIdle(product().platform)
  }
  expect(await saidTo(from)).toEqual(['Oi', expect.stringContaining('não receberá mais campanhas'), 'Até logo'])
  expect(await ticketOf(from)).toMatchObject({
    ...{ status: 'pending', chat_flow_id: null, closed_at: null, queue_id: fallback.queue, user_id: fallback.user },
    ...{ unread_messages: 3, waiting_since: expect.any(Date) },
  })
  await write(other, 'oi', 'sair')
  expect(await ticketOf(other)).toMatchObject({ status: 'closed', waiting_since: null })
})

it('goes on behind a note and a greeting of the product, until somebody blocks the bot for the contact', async () => {
  await attending(flowOf([node('a', [sends('Oi')], [any(toQueue(queueId))])]))
  const from = nextPhone()
  await write(from, 'oi')
  const { id: ticketId, chat_flow_id: chatFlowId } = await ticketOf(from)
  const note = { body: 'Cliente antigo', isNote: true, idFront: randomUUID() }
  expect((await ask(messages.send, { params: { ticketId }, body: note })).status).toBe(200)
  const { contact_id: contactId } = await ticketOf(from)
  const greeting = {
    connectionId,
    contactIds: [contactId],
    body: 'Feliz aniversário',
    file: null,
    sendType: 'birthday',
  }
  await unit(product().platform, { tenantId, user: null }, (ctx) => writeToContacts(ctx, greeting))
  expect((await ticketOf(from)).chat_flow_id).toBe(chatFlowId)
  await write(from, 'sim')
  expect(await ticketOf(from)).toMatchObject({ queue_id: queueId, chat_flow_id: null })

  // Not for contacts for whom the bot is blocked.
  const blocked = nextPhone()
  await write(blocked, 'oi')
  const { contact_id } = await ticketOf(blocked)
  await unit(product().platform, { tenantId, user: null }, ({ db }) => setChatbotBlocked(db, contact_id, true))
  await write(blocked, 'sim')
  expect(await ticketOf(blocked)).toMatchObject({
    queue_id: fallback.queue,
    user_id: fallback.user,
    chat_flow_id: null,
  })
  expect(await saidTo(blocked)).toEqual(['Oi'])
})

it('is given to an owner of its customer’s wallet, where wallets say who may have it', async () => {
  const own = await m().queue(tenantId)
  const [colleague, keeper] = [
    await m().person(tenantId, { queues: [own] }),
    await m().person(tenantId, { queues: [own] }),
  ]
  const distributes = { autoDistributeTickets: { type: 'S' } }
  const chatFlowId = await attending(flowOf([node('a', [sends('Oi')], [any(toQueue(own))])], distributes))
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('users')
      .set({ is_online: true, capacity: 9 })
      .where('id', 'in', [colleague.id, keeper.id])
      .execute(),
  )
  await m().setting(tenantId, 'DirectTicketsToWallets')
  const receiver = async (owners: readonly number[]) => {
    const from = nextPhone()
    const contact_id = await m().contact(tenantId, { number: from })
    for (const user_id of owners)
      await product().platform.db.write(tenantId, (db) =>
        db.insertInto('contact_wallets').values({ tenant_id: tenantId, contact_id, user_id }).execute(),
      )
    const where = { connection_id: connectionId, conversation_key: from, channel: 'test', status: 'pending' }
    const id = await m().ticket(tenantId, { contact_id, ...where })
    expect((await ask(ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId } })).status).toBe(200)
    await write(from, 'sim')
    return (await ticketOf(from)).user_id
  }
  expect(await receiver([keeper.id])).toBe(keeper.id)
  expect(await receiver([])).toBe(colleague.id)
  await m().setting(tenantId, 'DirectTicketsToWallets', 'disabled')
})

it('says as much as the channel carries, and no half of a character', async () => {
  const { maxTextLength, maxTextBytes } = testConfig.capabilities
  const said = async (limits: object, text: string) => {
    Object.assign(testConfig.capabilities, limits)
    await attending(flowOf([node('a', [sends(text)], [any(toQueue(queueId))])]))
    const from = nextPhone()
    await write(from, 'oi')
    return saidTo(from)
  }
  try {
    expect(await said({ maxTextLength: 5 }, 'Olá!😀')).toEqual(['Olá!'])
    expect(await said({ maxTextLength, maxTextBytes: 4 }, 'Oi, você')).toEqual(['Oi, '])
    expect(await said({ maxTextBytes: 6 }, 'você é')).toEqual(['você '])
    expect(await said({ maxTextBytes: 4 }, 'você é')).toEqual(['voc'])
  } finally {
    Object.assign(testConfig.capabilities, { maxTextLength, maxTextBytes })
  }
})

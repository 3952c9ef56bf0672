import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { FlowSession } from '#domain/flow/session.ts'
import { type LabMessage, type LabPhone, lab } from '#features/lab/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { enqueueDue } from '#features/ledger/server/scheduled/due.ts'
import { schedules } from '#features/schedules/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { does, type Json } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { type TestChannel, textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flows } from './contract.ts'
import { smsJob } from './server/jobs.ts'
import { happen } from './server/live.ts'

const product = withProduct()
const m = () => make(product().platform)
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let channel: TestChannel
let tenantId: number
let connectionId: number
let queueId: number
let admin: string
beforeAll(async () => {
  ;({ channel, tenantId, connectionId, queueId, admin } = await flowCompany(product()))
})

const flowOf = (...interactions: Json[]): Json => ({
  nodeList: [
    { id: 'start', type: 'start' },
    { id: 'a', name: 'a', type: 'node', interactions, conditions: [] },
  ],
  lineList: [{ from: 'start', to: 'a' }],
})
async function imported(flow: Json) {
  const { body } = await ask(flows.create, { body: { name: 'Arquivos' } })
  const params = { id: body.id as number }
  const { problems } = (await ask(flows.import, { params, body: flow })).body
  return { params, codes: problems.map((one: Json) => one['code']) as string[] }
}
async function begin(params: { id: number }) {
  expect((await ask(flows.publish, { params })).status).toBe(200)
  await attends(params.id)
  const from = `55119300${String(params.id).padStart(5, '0')}`
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: 'oi' })])
  await ingestIdle(product().platform)
  return from
}
const { ticketOf, write, ask, attends } = flowTalk(product, () => ({ tenantId, connectionId, admin }))
const sentTo = (from: string) =>
  channel.sent.filter(({ conversationKey }) => conversationKey === from).map(({ body }) => body)
const messagesTo = (from: string) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .select(['body', 'media_type', 'file_id', 'is_note'])
      .where('conversation_key', '=', from)
      .where('from_me', '=', true)
      .orderBy('seq')
      .execute(),
  )

it('sends files: those that were uploaded, and those that an import has as text', async () => {
  const { params } = await imported(flowOf())
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'sala.png')
  const upload = await fetch(`${product().address}/api/chat-flow/${params.id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}` },
    body: form,
  })
  const media = (await upload.json()) as { fileId: string; name: string; type: string; url: string }
  expect([upload.status, media.name, media.type]).toEqual([200, 'sala.png', 'image/png'])
  const embedded = does('MediaField', { media: `data:image/png;base64,${PNG}`, name: 'mesa.png', caption: 'A mesa' })
  const flow = flowOf(
    does('MediaField', { fileId: media.fileId, name: 'sala.png', caption: 'Olá, {{firstName}}' }),
    embedded,
  )
  expect((await ask(flows.import, { params, body: flow })).body.problems).toEqual([])
  const draft = (await ask(flows.get, { params })).body
  const [, second] = draft.flow.nodeList[1].interactions
  expect(second.data).toEqual({ fileId: expect.any(String), name: 'mesa.png', caption: 'A mesa' })
  expect(draft.files.map(({ name }: Json) => name).sort()).toEqual(['mesa.png', 'sala.png'])
  expect((await fetch(`${product().address}${draft.files[0].url}`)).status).toBe(200)
  const from = await begin(params)
  const sent = await messagesTo(from)
  expect(sent.map((one) => [one.media_type, one.file_id, one.body])).toEqual([
    ['image', media.fileId, 'Olá, Cliente'],
    ['image', second.data.fileId, 'A mesa'],
  ])
  await until(() => channel.sent.filter((one) => one.conversationKey === from).length === 2)
  // A copy has them too; files that belong to no flow of the company are not sent.
  const copy = (await ask(flows.duplicate, { body: { id: params.id } })).body
  expect((await ask(flows.get, { params: { id: copy.id } })).body.problems).toEqual([])
  const own = await m().insert('files' as never, tenantId, {
    ...{ id: crypto.randomUUID(), sha256: 'x', path: 'x', name: 'contrato.pdf', mime: 'application/pdf', size: 1 },
  })
  expect((await imported(flowOf(does('MediaField', { fileId: own })))).codes).toEqual(['missingFile'])
  expect((await imported(flowOf(does('MediaField', { media: 'data:image/png;base64,' })))).codes).toEqual([
    'missingFile',
  ])
})

it('says what it could not send, where the channel does not take the file', async () => {
  const { params } = await imported(
    flowOf(does('MediaField', { media: `data:image/png;base64,${PNG}`, name: 'a.png' })),
  )
  await product().platform.db.asPlatform((db) =>
    db.updateTable('files').set({ size: 1e9 }).where('name', '=', 'a.png').execute(),
  )
  expect(await messagesTo(await begin(params))).toMatchObject([
    { is_note: true, body: 'O fluxo não enviou o arquivo “a.png”: o canal não o aceita.' },
  ])
})

it('leaves a note for the team, and blocks the bot for the contact: people get this conversation, and the next ones', async () => {
  const { params, codes } = await imported(
    flowOf(
      does('NotesField', { noteText: 'Cliente {{firstName}}' }),
      does('ChatBotBlockField', { chatbotBlocked: true }),
    ),
  )
  expect(codes).toEqual([])
  const from = await begin(params)
  const notes = [{ body: 'Cliente Cliente', is_note: true, media_type: 'note' }]
  expect(await messagesTo(from)).toMatchObject(notes)
  const { id, contact_id: contactId } = await ticketOf(from)
  expect(await ticketOf(from)).toMatchObject({ status: 'pending', chat_flow_id: null })
  const contact = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select('chatbot_blocked').where('id', '=', contactId).executeTakeFirstOrThrow(),
  )
  expect(contact.chatbot_blocked).toBe(true)
  await ask(tickets.force, { params: { id }, body: { status: 'closed' } })
  await write(from, 'oi de novo')
  expect([await messagesTo(from), (await ticketOf(from)).id === id]).toMatchObject([notes, false])
})

it('puts the contact into a stage of the kanban, which its ticket follows', async () => {
  const stage = await m().insert('stages', tenantId, { name: 'Pós-venda', color: '#15803d', position: 1 })
  expect((await imported(flowOf(does('KanbanField', { kanban: stage + 1 })))).codes).toEqual(['deletedStage'])
  const { params, codes } = await imported(flowOf(does('KanbanField', { kanban: stage })))
  expect(codes).toEqual([])
  const from = await begin(params)
  const standing = () =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('tickets')
        .innerJoin('contacts', 'contacts.id', 'tickets.contact_id')
        .select(['contacts.kanban', 'tickets.kanban as ticket'])
        .where('conversation_key', '=', from)
        .executeTakeFirstOrThrow(),
    )
  await until(async () => (await standing()).kanban !== null)
  expect(await standing()).toEqual({ kanban: stage, ticket: stage })
})

it('gives the conversation its reason, also where it resolves it', async () => {
  const reason = await m().insert('reasons', tenantId, { name: 'Dúvida de prazo' })
  expect((await imported(flowOf(does('ReasonsField', { reasonId: reason + 1 })))).codes).toEqual(['deletedReason'])
  const flow = flowOf(does('ReasonsField', { reasonId: reason }))
  const [, node] = flow['nodeList'] as Json[]
  Object.assign(node!, { wait: false, conditions: [{ type: 'US', action: 3, closeTicket: 'Até logo' }] })
  const { params, codes } = await imported(flow)
  expect(codes).toEqual(['noPerson'])
  const from = await begin(params)
  const ended = (whose: string) =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('tickets')
        .select(['status', 'reason_id', 'chat_flow_id'])
        .where('conversation_key', '=', whose)
        .executeTakeFirstOrThrow(),
    )
  expect(await ended(from)).toEqual({ status: 'closed', reason_id: reason, chat_flow_id: null })
  // An inactive reason is rejected in drafts, and not set in tickets.
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('reasons').set({ is_active: false }).where('id', '=', reason).execute(),
  )
  expect((await imported(flow)).codes).toContain('deletedReason')
  const other = nextPhone()
  await write(other, 'oi')
  expect(await ended(other)).toEqual({ status: 'closed', reason_id: null, chat_flow_id: null })
})

it('sends a text message to the contact’s number once, as it reads then; says in the conversation where it could not', async () => {
  const sms = (data: Json) => does('SmsField', { smsMessage: 'Código {{codigo}}, {{firstName}}', ...data })
  const asking: Json = {
    ...flowOf(does('MessageField', { message: 'Qual é o código?' })),
    nodeList: [
      { id: 'start', type: 'start' },
      {
        ...{ id: 'a', name: 'a', type: 'node', interactions: [], variableKey: 'codigo' },
        conditions: [{ id: 'c', type: 'US', action: 0, nextStepId: 'b' }],
      },
      { id: 'b', name: 'b', type: 'node', interactions: [sms({ smsService: 'comtele' })], conditions: [] },
    ],
  }
  const smsTo = (from: string) =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages as m')
        .innerJoin('tickets as t', (on) =>
          on.onRef('t.tenant_id', '=', 'm.tenant_id').onRef('t.id', '=', 'm.ticket_id'),
        )
        .innerJoin('contacts as c', (on) =>
          on.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
        )
        .select(['m.body', 'm.connection_id', 'm.send_type', 'm.id_front', 't.status'])
        .where('c.number', '=', from)
        .where('t.connection_id', '<>', connectionId)
        .execute(),
    )
  const talk = async (params: { id: number }) => {
    const from = await begin(params)
    await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: '{{email}} 12' })])
    await ingestIdle(product().platform)
    return from
  }
  const nobody = await imported(asking)
  expect(nobody.codes).toEqual(['unavailable'])
  const first = await talk(nobody.params)
  const noted = 'O fluxo não enviou o SMS. Canal não encontrado.'
  await until(async () => (await messagesTo(first)).some(({ is_note, body }) => is_note && body === noted))

  const lineId = await m().connection(tenantId, { type: 'sms' })
  const { params, codes } = await imported(asking)
  expect(codes).toEqual([])
  const from = await talk(params)
  await until(async () => (await smsTo(from)).length === 1)
  const [said] = await smsTo(from)
  // In a separate conversation without agent; the customer's text is not treated as a template.
  expect(said).toMatchObject({ connection_id: lineId, send_type: 'bot', status: 'closed' })
  expect(said!.body).toBe('Código {{email}} 12, Cliente')
  expect((await messagesTo(from)).filter(({ is_note }) => is_note)).toEqual([])
  // A repeated job sends nothing more.
  const { id: contactId, ticketId } = await product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('tickets as t')
      .innerJoin('contacts as c', (on) =>
        on.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
      )
      .select(['c.id', 't.id as ticketId'])
      .where('c.number', '=', from)
      .where('t.connection_id', '=', connectionId)
      .executeTakeFirstOrThrow(),
  )
  const again = { tenantId, ticketId, contactId, smsId: said!.id_front!, connectionId: lineId, body: 'outra vez' }
  await smsJob.run(product().platform, again, { requireOwnership: () => undefined })
  expect(await smsTo(from)).toHaveLength(1)
  const { codes: wrong } = await imported(flowOf(sms({ smsService: connectionId })))
  expect(wrong).toEqual(['deletedChannel', 'unknownVariable'])
})

it('schedules messages, with files, which leave in their time and end nothing; says what it could not schedule', async () => {
  const flow = flowOf(
    does('ScheduleField', { scheduleType: '1_hour', scheduleMessage: 'Ainda quer, {{firstName|você}}?' }),
    does('ScheduleField', {
      ...{ scheduleType: 'next_week', delayBeforeSend: 30, scheduleMessage: 'A nota' },
      ...{ media: `data:image/png;base64,${PNG}`, name: 'nota.png', type: 'image/png' },
    }),
    does('ScheduleField', {
      scheduleType: 'custom',
      scheduleDate: '2020-01-01T09:00',
      scheduleMessage: 'Tarde demais',
    }),
    does('MessageField', { message: 'Quer mais alguma coisa?' }),
  )
  const [, node] = flow['nodeList'] as Json[]
  Object.assign(node!, { conditions: [{ type: 'R', condition: ['não'], action: 3, closeTicket: 'Até logo' }] })
  expect((await imported(flowOf(does('ScheduleField', { scheduleMessage: 'Quando?' })))).codes).toEqual(['missingTime'])
  const { params, codes } = await imported(flow)
  expect(codes).toEqual([])
  const from = await begin(params)
  const now = product().platform.now().getTime()
  const scheduled = () =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select(['id', 'id_front', 'body', 'media_type', 'send_type', 'status', 'schedule_date', 'send_at'])
        .where('conversation_key', '=', from)
        .where('schedule_date', 'is not', null)
        .orderBy('schedule_date')
        .execute(),
    )
  const [soon, later, ...none] = await scheduled()
  expect(none).toEqual([])
  expect(soon).toMatchObject({
    body: 'Ainda quer, Cliente?',
    media_type: 'text',
    send_type: 'schedule',
    status: 'pending',
  })
  expect(later).toMatchObject({ body: 'A nota', media_type: 'image', status: 'pending' })
  expect((soon!.schedule_date!.getTime() - now) / 60_000).toBeCloseTo(60, 0)
  expect((later!.schedule_date!.getTime() - now) / 60_000).toBeCloseTo(7 * 24 * 60 + 30, -1)
  expect((await messagesTo(from)).filter((one) => one.is_note)).toMatchObject([
    { body: 'O fluxo não agendou a mensagem. Escolha um horário que ainda não passou.' },
  ])
  const listed = await ask(schedules.list, { query: { whatsappId: connectionId } })
  expect(listed.body.messages.map((one: Json) => one['body'])).toEqual(['Ainda quer, Cliente?', 'A nota'])

  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const { rows } = await owner.query('select key from graphile_worker.jobs where key like $1 order by run_at', [
    `due:${tenantId}:%`,
  ])
  await owner.end()
  expect(rows).toEqual(
    [soon, later].map((one) => ({ key: `due:${tenantId}:${Math.ceil(one!.send_at!.getTime() / 1000) * 1000}` })),
  )

  // It is sent at its time; the flow still waits for the customer's answer.
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('messages')
      .set({ schedule_date: new Date(now), send_at: new Date(now) })
      .where('id', '=', soon!.id)
      .execute(),
  )
  await unit(product().platform, { tenantId, user: null }, async (ctx) => enqueueDue(ctx, [now]))
  await until(() => sentTo(from).includes('Ainda quer, Cliente?'))
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: 'não' })])
  await ingestIdle(product().platform)
  await until(() => sentTo(from).at(-1) === 'Até logo')
})

const node = (id: string, text: string, conditions: Json[]): Json => {
  return { id, name: id, type: 'node', interactions: [does('MessageField', { message: text })], conditions }
}
const talkOf = (nodes: Json[], configurations: Json = {}): Json => ({
  nodeList: [{ id: 'start', type: 'start' }, { id: 'c', type: 'configurations', configurations }, ...nodes],
  lineList: [{ from: 'start', to: nodes[0]!['id'] }],
})
const any = (rest: Json): Json => ({ type: 'US', ...rest })
const when = (condition: string[], rest: Json): Json => ({ type: 'R', condition, ...rest })
let phone = 551192000000
const nextPhone = () => String(++phone)
async function attending(flow: Json): Promise<void> {
  const { params } = await imported(flow)
  await begin(params)
}

it('a timer that rings late is neither heard nor noted', async () => {
  await attending(
    talkOf(
      [
        node('a', 'Oi', [when(['sim'], { action: 0, nextStepId: 'b' })]),
        node('b', 'Certo', [any({ action: 1, queueId })]),
      ],
      {
        notResponseMessage: { time: 60, type: 1, destiny: queueId },
      },
    ),
  )
  const from = nextPhone()
  await write(from, 'oi')
  const { id: ticketId } = await ticketOf(from)
  const stored = () =>
    product().platform.db.read(tenantId, async (db) => {
      const found = await db
        .selectFrom('flow_sessions')
        .select(['id', 'state'])
        .where('ticket_id', '=', ticketId)
        .execute()
      const events = db.selectFrom('flow_events').select('id').where('session_id', '=', found[0]!.id)
      return { ...found[0]!, events: (await events.execute()).length }
    })
  const [late] = ((await stored()).state as unknown as FlowSession).timers
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const { rows: jobs } = await owner.query('select key from graphile_worker.jobs where key like $1', [
    `flow:%:${(await stored()).id}:%`,
  ])
  await owner.end()
  expect(jobs).toEqual([{ key: `flow:${tenantId}:${late!.id}` }])
  await write(from, 'sim')
  const before = await stored()
  await unit(product().platform, { tenantId, user: null }, (ctx) =>
    happen(ctx, before.id, { type: 'timer', at: Date.now(), id: late!.id }),
  )
  expect([late!.purpose, await stored()]).toEqual(['silence', before])
  // Nor does a timer that fires after a person has taken the ticket.
  const { id: userId } = await m().user(tenantId)
  await ask(tickets.update, { params: { id: ticketId }, body: { status: 'open', userId } })
  const [silence] = (before.state as unknown as FlowSession).timers
  await unit(product().platform, { tenantId, user: null }, (ctx) =>
    happen(ctx, before.id, { type: 'timer', at: Date.now(), id: silence!.id }),
  )
  expect(await ticketOf(from)).toMatchObject({ status: 'open', user_id: userId })
})

it('lets go of the ticket as soon as a person writes to the customer on the phone itself', async () => {
  await attending(talkOf([node('a', 'Oi', [any({ action: 1, queueId })])]))
  const from = nextPhone()
  await write(from, 'oi')
  const said = { ...textEvent({ from, body: 'Deixe comigo' }), type: 'echo' } as const
  await receive(product().platform, { tenantId, connectionId }, [said])
  await ingestIdle(product().platform)
  expect(await ticketOf(from)).toMatchObject({ status: 'pending', chat_flow_id: null, chat_flow_node: null })
  await write(from, 'sim')
  expect((await ticketOf(from)).queue_id).toBeNull()
  expect((await messagesTo(from)).map(({ body }) => body)).toEqual(['Oi', 'Deixe comigo'])
})

it('goes on in another channel where it is free, with whom that leads to; else people get it, with the reason', async () => {
  const leadsTo = await m().queue(tenantId)
  const other = await m().connection(tenantId, { type: 'test', queue_id: leadsTo })
  await attending(talkOf([node('a', 'Onde?', [any({ action: 4, channelDestination: other })])]))
  const [free, taken] = [nextPhone(), nextPhone()]
  await write(free, 'oi', 'lá')
  const moved = { status: 'pending', connection_id: other, chat_flow_id: null }
  expect(await ticketOf(free)).toMatchObject({ ...moved, queue_id: leadsTo, user_id: null })
  await receive(product().platform, { tenantId, connectionId: other }, [textEvent({ from: taken, body: 'aqui' })])
  await ingestIdle(product().platform)
  const { id: there } = await ticketOf(taken)
  await write(taken, 'oi', 'lá')
  const { id, connection_id, queue_id } = await product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('tickets')
      .select(['id', 'connection_id', 'queue_id'])
      .where('conversation_key', '=', taken)
      .where('id', '<>', there)
      .executeTakeFirstOrThrow(),
  )
  expect([connection_id, queue_id]).toEqual([connectionId, null])
  const { body } = await ask(tickets.logs, { params: { id } })
  expect(body.logs.find((one: Json) => one['type'] === 'queue')).toMatchObject({
    reason: 'A conversa não pode continuar no canal que o fluxo indica.',
  })
})

it('asks with a list where there are more options than buttons; the row that is chosen goes on, as in the simulator', async () => {
  const values = ['Vendas', 'Suporte', 'Financeiro', 'Quero falar sobre o pedido atrasado']
  const conditions = [{ id: 'c', type: 'R', comparisonType: 'equals', condition: [values[3]], action: 1, queueId }]
  const flow = flowOf(does('MessageOptionsField', { message: 'Sobre o quê?', values }))
  Object.assign((flow['nodeList'] as Json[])[1]!, { conditions })
  const { params } = await imported(flow)
  const simulated = await ask(flows.simulate, { params, body: { at: 1, events: [], channel: 'lab' } })
  const { list } = simulated.body.messages[0]
  expect(list.sections[0].rows[3]).toEqual({ id: '4', title: 'Quero falar sobre o ped…', description: values[3] })
  const played = await ask(flows.simulate, {
    params,
    body: { at: 1, events: [{ at: 2, text: 'Quero falar sobre o ped…' }], channel: 'lab' },
  })
  expect(played.body).toMatchObject({ end: 'queue' })
  expect((await ask(flows.publish, { params })).status).toBe(200)
  const phone = (await ask(lab.create, { body: { name: 'Otávio', number: '(19) 99812-4407' } })).body as LabPhone
  await attends(params.id, phone.connectionId)
  await ask(lab.send, { params: { id: phone.id }, body: { id: randomUUID(), body: 'Oi' } })
  const onPhone = async () =>
    ((await ask(lab.messages, { params: { id: phone.id } })).body.messages as LabMessage[]).filter(
      (one) => one.mediaType === 'list',
    )
  await until(async () => (await onPhone()).length > 0)
  const [asked] = await onPhone()
  expect(asked).toMatchObject({ body: 'Sobre o quê?', data: { list } })
  const press = { params: { id: phone.id, messageId: asked!.id }, body: { act: 'press', buttonId: '4' } }
  await Promise.all([ask(lab.act, press), ask(lab.act, press)])
  const ticket = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['queue_id', 'id']).where('connection_id', '=', phone.connectionId).execute(),
    )
  await until(async () => (await ticket())[0]?.queue_id === queueId)
  const rows = await product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .select(['media_type', 'body'])
      .where('connection_id', '=', phone.connectionId)
      .orderBy('seq')
      .execute(),
  )
  expect(rows.map((one) => [one.media_type, one.body])).toEqual([
    ['text', 'Oi'],
    ['list', 'Sobre o quê?'],
    ['interactive_reply', 'Quero falar sobre o ped…'],
  ])
})

import { sql } from 'kysely'
import type { DemoCompany, DemoPart } from '#db/demo/part.ts'
import type { Expected } from '#domain/flow/cases.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { readFlow } from '#domain/flow/read.ts'
import { type RecordedEvent, recordedFacts } from '#domain/flow/recording.ts'
import { compileReply, type ReplyStep } from '#domain/flow/replies.ts'
import { type FlowEvent, type FlowFacts, newSession, numberOf } from '#domain/flow/session.ts'
import { step } from '#domain/flow/step.ts'
import { seedOf } from '#features/flows/server/index.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const message = (id: string, text: string) => ({ id, type: 'MessageField', data: { message: text } })
const answers = (id: string, values: string[], action: object) => ({
  ...{ id, type: 'R', comparisonType: 'contains', condition: values },
  ...action,
})
const any = (id: string, action: object) => ({ id, type: 'US', ...action })
const goTo = (nextStepId: string) => ({ action: 0, nextStepId })
const at = (left: number, top: number) => ({ type: 'node', left: `${left}px`, top: `${top}px` })

const welcomeFlow = (sales: number, support: number, exchange: number) => ({
  nodeList: [
    { id: 'start', name: 'Início', ...at(60, 60), type: 'start', interactions: [], conditions: [] },
    {
      ...{ id: 'configurations', name: 'Configurações', ...at(60, 420), type: 'configurations' },
      configurations: {
        keyword: { message: 'menu' },
        welcomeMessage: { message: 'Um instante, {{firstName}}: já vamos atender.' },
        farewellMessage: { message: 'Até logo!' },
        notOptionsSelectMessage: { message: 'Não entendi. Pode escolher uma das opções?', stepReturn: 'A' },
        maxRetryBotMessage: { number: 3, type: 1, destiny: sales },
        notResponseMessage: {
          time: 10,
          type: 1,
          destiny: support,
          message: 'Sem resposta, chamo uma pessoa da equipe.',
        },
        autoDistributeTickets: { type: 'B' },
      },
    },
    {
      ...{ id: 'welcome', name: 'Boas-vindas!', ...at(60, 160) },
      interactions: [
        message(
          'welcome-text',
          '{{greeting}}, {{firstName}}! Sou a assistente da Aroeira. Como posso ajudar?\n*1* Comprar\n*2* Troca e assistência\n*3* Prazo de entrega',
        ),
      ],
      conditions: [
        answers('welcome-1', ['1', 'comprar', 'preço'], goTo('buy')),
        answers('welcome-2', ['2', 'troca', 'risco', 'defeito'], goTo('support')),
        answers('welcome-3', ['3', 'entrega', 'prazo'], goTo('delivery')),
      ],
    },
    {
      ...{ id: 'buy', name: 'Comprar', ...at(420, 60) },
      interactions: [message('buy-text', 'Legal! Qual ambiente você quer mobiliar?')],
      conditions: [any('buy-any', { action: 1, queueId: sales })],
    },
    {
      ...{ id: 'support', name: 'Assistência', ...at(420, 300), variableKey: 'pedido', variableType: 'number' },
      interactions: [
        message(
          'support-text',
          'Sinto muito, {{firstName}}! Me diga o número do pedido. São *5 números* que estão na nota.',
        ),
        { id: 'support-delay', type: 'DelayField', data: { time: 2 } },
        { id: 'support-tag', type: 'TagField', data: { tag: exchange } },
      ],
      conditions: [
        { ...answers('support-order', ['^\\d{5}$'], { action: 1, queueId: support }), comparisonType: 'regex' },
        any('support-any', goTo('after-sales')),
      ],
    },
    {
      ...{ id: 'after-sales', name: 'Pós-venda', ...at(780, 400) },
      interactions: [message('after-sales-text', 'Não achei o pedido {{pedido}}: uma pessoa vai procurar com você.')],
      conditions: [],
    },
    {
      ...{ id: 'delivery', name: 'Prazo', ...at(420, 620) },
      interactions: [
        message('delivery-text', 'O prazo de entrega é de 7 a 15 dias úteis.'),
        message('delivery-more', 'Posso ajudar em algo mais?'),
      ],
      conditions: [
        answers('delivery-no', ['não', 'obrigado'], { action: 3, closeTicket: 'Até logo!' }),
        any('delivery-any', goTo('welcome')),
      ],
    },
  ],
  lineList: [{ from: 'start', to: 'welcome' }],
})

// A Wednesday, ten o'clock in São Paulo.
const BEGIN = Date.UTC(2026, 10, 18, 13)
const answered = (...texts: string[]) => texts.map((text, index) => ({ at: BEGIN + (index + 1) * MINUTE, text }))

const cases: readonly [name: string, events: object[], expect: Expected][] = [
  ['Compra pelo número', answered('1', 'Sala'), { path: ['welcome', 'buy'], end: 'queue' }],
  ['Compra pela palavra', answered('qual o preço da mesa?', 'Jantar'), { path: ['welcome', 'buy'], end: 'queue' }],
  ['Troca com o pedido', answered('o tampo veio com risco', '10482'), { path: ['welcome', 'support'], end: 'queue' }],
  ['Pedido com outro tamanho', answered('2', '123'), { path: ['welcome', 'support', 'after-sales'], end: 'done' }],
  ['Prazo e até logo', answered('prazo', 'Não, obrigado'), { path: ['welcome', 'delivery'], end: 'closed' }],
  [
    'Prazo e de volta ao começo',
    answered('3', 'sim', '1', 'Quarto'),
    { path: ['welcome', 'delivery', 'welcome', 'buy'], end: 'queue' },
  ],
  ['Três respostas sem sentido', answered('hein', 'oi', 'alô'), { path: ['welcome'], end: 'queue' }],
  ['Cliente que some', [...answered('2'), { at: BEGIN + 15 * MINUTE }], { path: ['welcome', 'support'], end: 'queue' }],
]

// Texts of customers who met the flow in the last days.
const talks: readonly (readonly string[])[] = [
  ['1', 'Sala de jantar'],
  ['O tampo da mesa chegou com risco', '10482'],
  ['prazo', 'Não, obrigado'],
  ['comprar', 'Quarto de casal'],
  ['2', '77'],
  ['3', 'sim', '1', 'Escritório'],
  ['hein?', '1', 'Varanda'],
  ['qual o preço do buffet?', 'Sala'],
  ['troca', '20117'],
  ['bom dia', 'alguém aí?', 'quero uma pessoa'],
  ['entrega', 'não'],
  ['1', 'Cozinha'],
]

type Met = Pick<DemoCompany, 'platform' | 'db' | 'tenantId'> & {
  flowId: number
  flow: Flow
  queueIds: readonly number[]
}
type Contact = { id: number; name: string; number: string }

/** Conversations that the flow attended, each as the engine works it out; people resolved them afterwards. */
async function seedTalks(met: Met): Promise<void> {
  const { platform, db, tenantId } = met
  const { rows: contacts } = await sql<Contact>`
    select id, name, number from contacts c where tenant_id = ${tenantId} and number is not null
      and exists (select from tickets t where t.tenant_id = c.tenant_id and t.contact_id = c.id)
      and not exists (select from tickets t where t.tenant_id = c.tenant_id and t.contact_id = c.id and t.status <> 'closed')
    order by id limit ${talks.length}`.execute(db)
  const connection = await db
    .selectFrom('connections')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('type', '=', 'lab')
    .orderBy('id')
    .executeTakeFirst()
  if (!connection) return
  const today = Math.floor(platform.now().getTime() / DAY) * DAY
  for (const [index, contact] of contacts.entries()) {
    // Ten o'clock in São Paulo, and a little later each time.
    const begin = today - (1 + (index % 6)) * DAY + 13 * HOUR + index * 11 * MINUTE
    await seedTalk(met, { contact, connectionId: connection.id, begin, texts: talks[index]! })
  }
}

async function seedTalk(
  { platform, db, tenantId, flowId, flow, queueIds }: Met,
  talk: { contact: Contact; connectionId: number; begin: number; texts: readonly string[] },
): Promise<void> {
  const { contact, connectionId, begin, texts } = talk
  const { insert, ticket, message } = make(platform, db)
  const id = uuidv7(begin)
  let session = newSession({ id, chatFlowId: flowId, version: 1, seed: seedOf(id) })
  let at = begin
  const facts: FlowFacts = {
    values: { name: contact.name, firstName: contact.name.split(' ')[0]!, greeting: 'Bom dia' },
    ...{ isOpen: true, absence: '', tagIds: [], isFirstTicket: true, people: [] },
    channel: { type: 'lab', buttons: null, list: null, isWritable: true },
  }
  const written: { at: number; body: string; idFront: string | null }[] = []
  const steps: object[] = []
  const events: RecordedEvent[] = []
  const play = (event: FlowEvent, recorded: RecordedEvent) => {
    const isStart = event.type === 'start'
    const done = step(flow, session, event, facts)
    session = done.session
    events.push({ ...recorded, facts: recordedFacts(facts, done.effects, flow.variables, isStart) })
    for (const effect of done.effects) {
      if (effect.type === 'send') written.push({ at, body: effect.body, idFront: effect.id })
      if (effect.type !== 'step') continue
      const { nodeId, why, isEntry = false, branch, cause } = effect
      const way = {
        is_entry: isEntry,
        branch_node: branch?.nodeId ?? null,
        branch: branch?.index ?? null,
        cause: cause ?? null,
      }
      const begins = isStart && steps.every((one) => !('begins' in one && one.begins))
      steps.push({
        ...{
          tenant_id: tenantId,
          session_id: id,
          number: numberOf(effect.id),
          chat_flow_id: flowId,
          version: 1,
          begins,
        },
        ...{ node_id: nodeId, why, at: new Date(at), ...way },
      })
    }
    const delay = session.waiting?.for === 'delay' ? session.timers.find((one) => one.purpose === 'delay') : undefined
    if (!delay) return
    at = delay.at
    play({ type: 'timer', at, id: delay.id }, { type: 'timer', at, number: numberOf(delay.id) })
  }
  written.push({ at, body: 'menu', idFront: null })
  play({ type: 'start', at }, { type: 'start', at, chatFlowId: flowId, version: 1 })
  for (const text of texts) {
    at += 40_000
    written.push({ at, body: text, idFront: null })
    if (session.end === null) play({ type: 'answer', at, text }, { type: 'answer', at, text })
  }
  const last = written.at(-1)!
  const closed = new Date(at + HOUR)
  const ticketId = await ticket(tenantId, {
    ...{ status: 'closed', contact_id: contact.id, connection_id: connectionId, conversation_key: contact.number },
    ...{ queue_id: queueIds[0]!, closed_at: closed, created_at: new Date(begin), updated_at: closed },
    ...{ last_message: last.body, last_message_at: new Date(last.at), last_message_from_me: last.idFront !== null },
    last_message_received_at: new Date(written.findLast(({ idFront }) => idFront === null)!.at),
  })
  for (const { at: when, body, idFront } of written) {
    const time = { timestamp: new Date(when), created_at: new Date(when) }
    const bot = idFront === null ? {} : { from_me: true, status: 'read', send_type: 'bot', id_front: idFront }
    await message(tenantId, ticketId, { body, ...time, ...bot })
  }
  await insert('flow_sessions', tenantId, {
    ...{ id, ticket_id: ticketId, chat_flow_id: flowId, version: 1, state: JSON.stringify(session) },
    ...{ created_at: new Date(begin), updated_at: new Date(at), ended_at: session.end === null ? null : new Date(at) },
  })
  await db
    .insertInto('flow_steps')
    .values(steps as never)
    .execute()
  for (const event of events) await insert('flow_events', tenantId, { session_id: id, event: JSON.stringify(event) })
}

const replySteps = (sales: number, [first, toSales, toHours, hours]: readonly number[]): readonly ReplyStep[] => [
  {
    ...{ id: first!, initialStep: true, reply: '{{greeting}}! Recebemos a sua mensagem. *1* Vendas *2* Horários' },
    actions: [
      {
        ...{ id: toSales!, words: '1, vendas', action: 1, nextStepId: null, queueId: sales, userIdDestination: null },
        replyDefinition: 'Já chamo alguém de Vendas.',
      },
      {
        ...{
          id: toHours!,
          words: '2, horários',
          action: 0,
          nextStepId: hours!,
          queueId: null,
          userIdDestination: null,
        },
        replyDefinition: '',
      },
    ],
  },
  { id: hours!, initialStep: false, reply: 'Atendemos de segunda a sexta, das 8h às 18h.', actions: [] },
]

/**
 * Published chat flow with cases and some conversations, started by its keyword and on no connection; and an auto reply,
 * which is off.
 */
export const part: DemoPart = {
  after: ['catalog', 'conversations', 'queues'],
  async seed({ platform, db, tenantId, ids }) {
    const [sales, support] = ['Vendas', 'Assistência'].map((name) => ids.queues.get(name))
    const exchange = ids.tags.get('Troca')
    if (sales === undefined || support === undefined || exchange === undefined) return
    const now = platform.now()
    const definition = JSON.stringify(welcomeFlow(sales, support, exchange))
    const m = make(platform, db)
    const flow = { name: 'Boas-vindas loja', keyword: 'menu', definition, secrets_apart: true }
    const id = await m.insert('chat_flows', tenantId, { ...flow, created_at: now, updated_at: now })
    await sql`insert into chat_flow_versions (tenant_id, chat_flow_id, version, definition, secrets_apart, user_id, created_at)
      values (${tenantId}, ${id}, 1, ${definition}::jsonb, true,
        (select min(id) from users where tenant_id = ${tenantId} and profile = 'admin'), ${now})`.execute(db)
    for (const [name, events, expect] of cases)
      await m.insert('flow_cases', tenantId, {
        ...{ chat_flow_id: id, name, created_at: now, expect: JSON.stringify(expect) },
        conversation: JSON.stringify({ at: BEGIN, events, answers: [], contactId: null, channel: null }),
      })
    const read = readFlow(welcomeFlow(sales, support, exchange))
    await seedTalks({ platform, db, tenantId, flowId: id, flow: read, queueIds: [sales] })
    const { rows: partIds } = await sql<{ id: number }>`
      select nextval('auto_reply_parts')::int as id from generate_series(1, 4)`.execute(db)
    const steps = replySteps(
      sales,
      partIds.map((row) => row.id),
    )
    const reply = { name: 'Recepção simples', steps: JSON.stringify(steps), created_at: now, updated_at: now }
    const autoReplyId = await m.insert('auto_replies', tenantId, reply)
    await m.insert('chat_flows', tenantId, {
      ...{
        name: reply.name,
        is_active: false,
        auto_reply_id: autoReplyId,
        secrets_apart: true,
        published_version: null,
      },
      ...{ definition: JSON.stringify(compileReply({ action: 0, steps })), created_at: now, updated_at: now },
    })
  },
}

import { sql } from 'kysely'
import type { DemoPart } from '#db/demo/part.ts'
import type { Expected } from '#domain/flow/cases.ts'
import { make } from '#test/make.ts'

const MINUTE = 60_000

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
const said = (...texts: string[]) => texts.map((text, index) => ({ at: BEGIN + (index + 1) * MINUTE, text }))

const cases: readonly [name: string, events: object[], expect: Expected][] = [
  ['Compra pelo número', said('1', 'Sala'), { path: ['welcome', 'buy'], end: 'queue' }],
  ['Compra pela palavra', said('qual o preço da mesa?', 'Jantar'), { path: ['welcome', 'buy'], end: 'queue' }],
  ['Troca com o pedido', said('o tampo veio com risco', '10482'), { path: ['welcome', 'support'], end: 'queue' }],
  ['Pedido com outro tamanho', said('2', '123'), { path: ['welcome', 'support', 'after-sales'], end: 'done' }],
  ['Prazo e até logo', said('prazo', 'Não, obrigado'), { path: ['welcome', 'delivery'], end: 'closed' }],
  [
    'Prazo e de volta ao começo',
    said('3', 'sim', '1', 'Quarto'),
    { path: ['welcome', 'delivery', 'welcome', 'buy'], end: 'queue' },
  ],
  ['Três respostas sem sentido', said('hein', 'oi', 'alô'), { path: ['welcome'], end: 'queue' }],
  ['Cliente que some', [...said('2'), { at: BEGIN + 15 * MINUTE }], { path: ['welcome', 'support'], end: 'queue' }],
]

/** A chat flow with its cases, published and on no connection: who writes its keyword meets it. */
export const part: DemoPart = {
  after: ['catalog', 'queues'],
  async seed({ platform, db, tenantId, ids }) {
    const [sales, support] = ['Vendas', 'Assistência'].map((name) => ids.queues.get(name))
    const exchange = ids.tags.get('Troca')
    if (sales === undefined || support === undefined || exchange === undefined) return
    const now = platform.now()
    const definition = JSON.stringify(welcomeFlow(sales, support, exchange))
    const m = make(platform, db)
    const flow = { name: 'Boas-vindas loja', keyword: 'menu', definition, secrets_apart: true }
    const id = await m.insert('chat_flows', tenantId, { ...flow, created_at: now, updated_at: now })
    await sql`insert into chat_flow_versions (tenant_id, chat_flow_id, version, definition, secrets_apart, created_at)
      values (${tenantId}, ${id}, 1, ${definition}::jsonb, true, ${now})`.execute(db)
    for (const [name, events, expect] of cases)
      await m.insert('flow_cases', tenantId, {
        ...{ chat_flow_id: id, name, created_at: now, expect: JSON.stringify(expect) },
        conversation: JSON.stringify({ at: BEGIN, events, answers: [], contactId: null, channel: null }),
      })
  },
}

import { describe, expect, test } from 'vitest'
import { any, does, FACTS, flowOf, goTo, type Json, NOON, node, sends, talk, toQueue, when } from '#test/flow-steps.ts'
import type { Candidate } from '../distribution/distribute.ts'
import { readFlow } from './read.ts'
import type { FlowEvent } from './session.ts'
import { step } from './step.ts'

const MENU = flowOf(
  [
    node(
      'menu',
      [sends('Olá, {{name}}! 1 Vendas 2 Suporte')],
      [
        when(['1', 'vendas'], goTo('sales')),
        when(['2'], toQueue(5)),
        when(['tchau'], { action: 3, closeTicket: 'Até logo, {{name}}!' }),
        when(['ana'], { action: 2, userIdDestination: 9 }),
        when(['zap'], { action: 4, channelDestination: 3 }),
      ],
    ),
    node('sales', [sends('Qual produto?')], [any(toQueue(6))]),
  ],
  {
    welcomeMessage: { message: 'Já vamos atender.' },
    farewellMessage: { message: 'Obrigado!' },
    notOptionsSelectMessage: { message: 'Não entendi.', stepReturn: 'A' },
    maxRetryBotMessage: { number: 3, type: 1, destiny: 8 },
    answerCloseTicket: ['sair'],
  },
)

test('the company’s own variables are filled in, unless the flow has captured something of that name', () => {
  const nodes = [
    node('ask', [sends('{{site}}/{{cpf}}')], [any(goTo('say'))], { variableKey: 'cpf' }),
    node('say', [sends('{{site}}/{{cpf}}/{{name}}')]),
  ]
  const own = { site: 'loja.example', cpf: 'da empresa', name: 'ninguém' }
  expect(talk(flowOf(nodes), ['123'], { own }).texts).toEqual(['loja.example/da empresa', 'loja.example/123/Maria'])
})

test('an answer is what its variable is called by, whatever is known under that name; names have accents', () => {
  const nodes = [
    node('a', [sends('E-mail? {{email|-}}')], [any(goTo('b'))], { variableKey: 'email' }),
    node('b', [sends('{{email}}, endereço?')], [any(goTo('c'))], { variableKey: 'endereço' }),
    node('c', [sends('{{endereço}} {{bairro|sem bairro}} {{nº}}')], [], { wait: false }),
  ]
  const values = { ...FACTS.values, email: 'velho@exemplo.test' }
  const { texts } = talk(flowOf(nodes), ['novo@exemplo.test', 'Rua A, 1'], { values })
  expect(texts).toEqual(['E-mail? velho@exemplo.test', 'novo@exemplo.test, endereço?', 'Rua A, 1 sem bairro {{nº}}'])
})

describe('what an answer leads to (product facts 7.1)', () => {
  test.each([
    ['1', 'goes on at the next node', ['Qual produto?'], null, null],
    ['  VENDAS ', 'is compared trimmed and without case', ['Qual produto?'], null, null],
    ['Véndãs', 'and without accents', ['Qual produto?'], null, null],
    ['2', 'goes to a queue', ['Já vamos atender.'], 'queue', { to: 'queue', queueId: 5 }],
    ['Ana', 'goes to a user', ['Já vamos atender.'], 'user', { to: 'user', userId: 9 }],
    [
      'tchau',
      'is resolved with the text',
      ['Até logo, Maria!'],
      'closed',
      { to: 'close', text: 'Até logo, {{name}}!' },
    ],
    ['zap', 'goes on in another channel', [], 'channel', { to: 'channel', connectionId: 3 }],
    ['Sair', 'resolves by its closing word', ['Obrigado!'], 'closed', { to: 'close', text: '' }],
  ])('%s %s', (answer, _, texts, end, direction) => {
    const { texts: sent, session, ends } = talk(MENU, [answer])
    expect(sent).toEqual(['Olá, Maria! 1 Vendas 2 Suporte', ...texts])
    expect(session.end).toBe(end)
    expect(ends.map((one) => one.direction)).toEqual(direction ? [direction] : [])
  })

  test('no match: feedback and the node again, then the limit', () => {
    const { texts, ends, session } = talk(MENU, ['x', 'y', 'z'])
    const menu = 'Olá, Maria! 1 Vendas 2 Suporte'
    expect(texts).toEqual([menu, 'Não entendi.', menu, 'Não entendi.', menu, 'Já vamos atender.'])
    expect(ends).toMatchObject([{ direction: { to: 'queue', queueId: 8 }, log: 'retriesLimitQueue' }])
    expect(session.end).toBe('queue')
  })

  test.each([
    [{ type: 2, destiny: 4 }, { to: 'user', userId: 4 }, 'retriesLimitUserDefine', 'user'],
    [{ type: 3 }, { to: 'close', text: '' }, 'autoClose', 'closed'],
    [{ type: 4, destiny: 3 }, { to: 'channel', connectionId: 3 }, 'channel', 'channel'],
    [{}, { to: 'queue', queueId: null }, 'retriesLimitQueue', 'queue'],
  ])('the limit leads to %j', (rest, direction, log, end) => {
    const nodes = [node('a', [], [when(['ok'], toQueue(1))])]
    const { ends, session } = talk(flowOf(nodes, { maxRetryBotMessage: { number: 1, ...rest } }), ['x'])
    expect([ends, session.end]).toMatchObject([[{ direction, log }], end])
  })

  test('what is said again is what was said, not what was done', () => {
    const deeds = [does('TagField', { tag: 3 }), does('WebhookField', { webhook: 'https://a.example' }), sends('Oi')]
    const { texts, effects } = talk(flowOf([node('a', deeds, [when(['ok'], toQueue(1))])]), ['x'])
    expect([texts, effects.filter(({ type }) => type === 'tag' || type === 'call').length]).toEqual([['Oi', 'Oi'], 2])
  })

  test('a text message is sent as it reads then, once; what is no id of ours stands for any line', () => {
    const texts = [
      does('SmsField', { smsMessage: 'Oi, {{name}}', smsService: '7' }),
      does('SmsField', { smsMessage: ' {{nada|}} ', smsService: '7' }),
      does('SmsField', { smsMessage: 'Tchau', smsService: 'comtele' }),
    ]
    const { effects } = talk(flowOf([node('a', texts, [when(['ok'], toQueue(1))])]), ['x'])
    expect(effects.filter(({ type }) => type === 'textMessage')).toMatchObject([
      { body: 'Oi, Maria', connectionId: 7 },
      { body: 'Tchau', connectionId: null },
    ])
  })

  test('a match begins counting anew', () => {
    expect(talk(MENU, ['x', 'y', '1']).session).toMatchObject({ nodeId: 'sales', retries: 0, end: null })
  })

  test('what follows within three seconds of something not understood is the same try', () => {
    const at = NOON + 60_000
    const spoken = (after: number, text: string): FlowEvent => ({ type: 'answer', at: at + after, text })
    const words = [0, 1000, 3000, 5500, 8501].map((after) => spoken(after, 'não sei'))
    const quick = talk(MENU, words)
    expect(quick.session).toMatchObject({ retries: 2, end: null })
    expect(quick.texts.filter((text) => text === 'Não entendi.')).toHaveLength(2)
    expect(talk(MENU, [spoken(0, 'oi'), spoken(1000, '1')]).session.nodeId).toBe('sales')
  })

  test('the way back to the start counts on', () => {
    const document = flowOf(
      [node('a', [sends('A')], [any(goTo('b'))]), node('b', [sends('B')], [when(['ok'], toQueue(1))])],
      {
        notOptionsSelectMessage: { message: 'Hein?', stepReturn: 'S' },
      },
    )
    const { texts, session } = talk(document, ['oi', 'x', 'oi'])
    expect(texts).toEqual(['A', 'B', 'Hein?', 'A', 'B'])
    expect(session.nodeId).toBe('b')
  })

  test.each([
    ['equals', ['sim'], 'SIM', true],
    ['equals', ['sim'], 'sim!', false],
    ['contains', ['boleto'], 'quero o Boleto hoje', true],
    ['startsWith', ['ola'], 'Olá, tudo bem?', true],
    ['endsWith', ['obrigada'], 'muito Obrigada', true],
    ['regex', ['^\\d{5}-?\\d{3}$'], '13010-000', true],
    ['regex', ['não'], 'NÃO', true],
    ['regex', ['^(a+)+$'], `${'a'.repeat(60_000)}b`, false],
    ['regex', ['(?=x)'], 'x', false],
  ])('%s %j and “%.20s”: %s', (comparisonType, condition, answer, isMatch) => {
    const condition1 = { ...when(condition, toQueue(1)), comparisonType }
    const { session } = talk(flowOf([node('a', [], [condition1])]), [answer])
    expect(session.end).toBe(isMatch ? 'queue' : null)
  })

  test('patterns are judged before everything else', () => {
    const conditions = [any(toQueue(1)), { ...when(['^x'], toQueue(2)), comparisonType: 'regex' }]
    expect(talk(flowOf([node('a', [], conditions)]), ['xyz']).ends[0]!.direction).toEqual({ to: 'queue', queueId: 2 })
  })

  test.each([{ type: 'A' }, { on: 'weather' }, { comparisonType: 'soundsLike' }])('%j is passed over', (unknown) => {
    const conditions = [{ ...when(['x'], toQueue(1)), ...unknown }, any(toQueue(2))]
    expect(talk(flowOf([node('a', [], conditions)]), ['x']).ends[0]!.direction).toEqual({ to: 'queue', queueId: 2 })
    const regardless = [{ ...any(toQueue(1)), on: 'weather', comparisonType: 'soundsLike' }]
    expect(talk(flowOf([node('a', [], regardless)]), ['x']).session.end).toBe('queue')
  })

  test('a picture is an answer where any is', () => {
    expect(talk(MENU, ['1', '']).ends[0]!.direction).toEqual({ to: 'queue', queueId: 6 })
  })
})

describe('options', () => {
  const asked = flowOf([
    node(
      'a',
      [does('MessageOptionsField', { message: 'Escolha', values: ['Vendas', 'Suporte'] })],
      [when(['Vendas'], toQueue(1)), when(['2'], toQueue(2))],
    ),
  ])
  test('are buttons where the channel has them, else numbers', () => {
    expect(talk(asked, []).effectsOf('send')).toMatchObject([{ body: 'Escolha', buttons: ['Vendas', 'Suporte'] }])
    const plain = talk(asked, [], { channel: { ...FACTS.channel, buttons: null } })
    expect(plain.effectsOf('send')).toMatchObject([{ body: 'Escolha\n1 - Vendas\n2 - Suporte', buttons: [] }])
    const fitting = (max: number, chars: number) =>
      talk(asked, [], { channel: { ...FACTS.channel, buttons: { max, chars } } }).effectsOf('send')[0]!.buttons.length
    expect([fitting(2, 7), fitting(3, 6), fitting(1, 20)]).toEqual([2, 0, 0])
  })
  test.each([
    ['1', 1],
    ['1)', 1],
    ['vendas', 1],
    ['2', 2],
    ['Suporte', 2],
  ])('“%s” chooses', (answer, queueId) => {
    expect(talk(asked, [answer]).ends[0]!.direction).toEqual({ to: 'queue', queueId })
  })
})

describe('the beginning', () => {
  const plain = (configurations: Json) => flowOf([node('a', [sends('Oi')], [any(toQueue(1))])], configurations)
  test('directs a first ticket, and before that nothing else', () => {
    const document = plain({ firstInteraction: { type: 2, destiny: 4 }, outOpenHours: { type: 1, destiny: 2 } })
    expect(talk(document, [], { isFirstTicket: true, isOpen: false }).ends[0]!.direction).toEqual({
      to: 'user',
      userId: 4,
    })
    expect(talk(document, [], { isOpen: false }).ends[0]!.direction).toEqual({ to: 'queue', queueId: 2 })
    expect(talk(document, []).texts).toEqual(['Oi'])
  })
  test('outside of the hours: the absence message, then the flow; a direction replaces both', () => {
    expect(talk(plain({}), [], { isOpen: false }).texts).toEqual(['Estamos fechados.', 'Oi'])
    expect(
      talk(plain({ outOpenHours: { type: 3, destiny: 'Voltamos amanhã.' } }), [], { isOpen: false }).texts,
    ).toEqual(['Voltamos amanhã.'])
  })
  test('a flow without nodes gives the conversation to people, with the reason', () => {
    const { ends } = talk({ nodeList: [], lineList: [] }, [])
    expect(ends).toMatchObject([
      { direction: { to: 'queue', queueId: null }, reason: expect.stringContaining('etapa') },
    ])
  })
})

describe('nodes that do not wait', () => {
  const asks = (on: string, values: string[], rest: Json = {}) =>
    flowOf([node('a', [], [{ ...when(values, toQueue(1)), on, ...rest }, any(toQueue(2))], { wait: false })])
  test.each([
    ['hours', ['open'], {}, 1],
    ['hours', ['closed'], {}, 2],
    ['channel', ['lab', 'webchat'], {}, 1],
    ['tags', ['4'], {}, 1],
    ['tags', ['5'], {}, 2],
    ['variable', ['maria'], { variable: 'firstName' }, 1],
    ['variable', ['maria'], { variable: 'lastName' }, 2],
    ['variable', ['ouro'], { variable: 'campo.plano' }, 1],
  ])('judge on %s %j', (on, values, rest, queueId) => {
    const known = { tagIds: [4], own: { 'campo.plano': 'Ouro' } }
    expect(talk(asks(on, values, rest), [], known).ends[0]!.direction).toEqual({ to: 'queue', queueId })
  })
  test('what the flow has just tagged is tagged', () => {
    const tagged = flowOf([
      node('a', [does('TagField', { tag: 7 })], [{ ...when(['7'], toQueue(1)), on: 'tags' }, any(toQueue(2))], {
        wait: false,
      }),
    ])
    expect(talk(tagged, []).ends[0]!.direction).toEqual({ to: 'queue', queueId: 1 })
  })
  test('where nothing holds, people get the conversation', () => {
    const document = flowOf([node('a', [], [{ ...when(['closed'], toQueue(1)), on: 'hours' }], { wait: false })])
    expect(talk(document, []).ends).toMatchObject([
      { direction: { queueId: null }, reason: expect.stringContaining('Nenhuma') },
    ])
  })
})

describe('interactions', () => {
  test('tags, notes, stages and reasons are done in order', () => {
    const document = flowOf([
      node('a', [
        does('TagField', { tag: 3 }),
        does('NotesField', { noteText: 'Cliente {{name}}' }),
        does('KanbanField', { kanban: '2' }),
        does('ReasonsField', { reasonId: 7 }),
        does('Futuro', { x: 1 }),
      ]),
    ])
    const { effects, session } = talk(document, [])
    expect(effects.filter(({ type }) => type !== 'step')).toMatchObject([
      { type: 'tag', tagId: 3 },
      { type: 'note', text: 'Cliente Maria' },
      { type: 'stage', kanban: 2 },
      { type: 'reason', reasonId: 7 },
      { type: 'direct', direction: { to: 'queue', queueId: null } },
    ])
    expect(session.end).toBe('done')
  })
  test('blocking the bot ends it; what is not there yet is passed over', () => {
    expect(talk(flowOf([node('a', [does('ChatBotBlockField', { chatbotBlocked: true })])]), []).session.end).toBe(
      'done',
    )
    expect(
      talk(flowOf([node('a', [does('FuturoField', {})], [any(toQueue(1))], { wait: false })]), []).ends,
    ).toHaveLength(1)
  })
  test('another flow goes on with the variables, and one that is not there ends with people', () => {
    const first = flowOf([node('a', [does('ChatFlowField', { chatFlow: 2 })])])
    const started = talk(first, [])
    expect(started.effectsOf('flow')).toMatchObject([{ chatFlowId: 2 }])
    const other = readFlow(flowOf([node('z', [sends('Outro')], [any(toQueue(1))])]))
    const next = step(other, started.session, { type: 'flow', at: NOON, flow: { chatFlowId: 2, version: 4 } }, FACTS)
    expect(next.session).toMatchObject({ chatFlowId: 2, version: 4, nodeId: 'z', end: null })
    const missing = step(other, started.session, { type: 'flow', at: NOON, flow: null }, FACTS)
    expect(missing.session.end).toBe('queue')
  })
  test('what the window of a channel does not take is passed over', () => {
    const closed = { channel: { ...FACTS.channel, isWritable: false } }
    expect(talk(MENU, [], closed)).toMatchObject({ texts: [], session: { waiting: { for: 'answer' } } })
  })
  test('a person ends it, and nothing happens after that', () => {
    const { session, texts } = talk(MENU, [{ type: 'person', at: NOON + 1 }, '1'])
    expect([session.end, texts.length]).toEqual(['person', 1])
  })
})

describe('budgets', () => {
  test('a ring of nodes and a flood of messages end with people, with the reason', () => {
    const ring = flowOf([
      node('a', [], [any(goTo('b'))], { wait: false }),
      node('b', [], [any(goTo('a'))], { wait: false }),
    ])
    expect(talk(ring, []).ends).toMatchObject([{ reason: expect.stringContaining('100 etapas') }])
    const flood = flowOf([
      node(
        'a',
        Array.from({ length: 30 }, () => sends('Oi')),
        [any(toQueue(1))],
      ),
    ])
    expect(talk(flood, [])).toMatchObject({ ends: [{ reason: expect.stringContaining('20 mensagens') }] })
    expect(talk(flood, []).texts).toHaveLength(20)
  })
  test('variables are a hundred of 4,000 characters', () => {
    const document = flowOf([node('a', [], [any(goTo('a'))], { variableKey: 'x' })])
    expect(talk(document, ['a'.repeat(9000)]).session.variables['x']).toHaveLength(4000)
    // Nothing is left of a character that the end would cut in two.
    expect(talk(document, [`${'a'.repeat(3999)}😀`]).session.variables['x']).toBe('a'.repeat(3999))
    const ring = Array.from({ length: 101 }, (_, index) =>
      node(`n${index}`, [], [any(goTo(`n${(index + 1) % 101}`))], { variableKey: `v${index}` }),
    )
    const { variables } = talk(flowOf(ring), [...Array(101).fill('antes'), 'depois']).session
    // A known variable is updated; the 101st is dropped.
    expect([Object.keys(variables).length, variables['v0'], variables['v100']]).toEqual([100, 'depois', undefined])
  })
})

describe('distribution', () => {
  const person = (id: number, rest: Partial<Candidate> = {}): Candidate => ({
    ...{ id, name: `P${id}`, email: `p${id}@x.test`, queueIds: [1], connectionIds: [], absence: null },
    ...{ open: 0, capacity: 10, turn: 0, ...rest },
  })
  const given = (mode: string, people: Candidate[]) =>
    talk(
      flowOf([node('a', [], [any(toQueue(1))])], {
        autoDistributeTickets: { type: mode },
        welcomeMessage: { message: 'Com {{user}}' },
      }),
      ['oi'],
      { people },
    )
  test.each([
    ['N', [person(1)], null],
    ['B', [person(1, { open: 3 }), person(2, { open: 4, capacity: 20 })], 2],
    ['S', [person(1, { turn: 5 }), person(2, { turn: 4 })], 2],
    ['S', [person(2), person(1)], 1],
    ['R', [person(3)], 3],
    ['B', [person(1, { absence: 'offline' }), person(2, { open: 10 }), person(3, { queueIds: [2] })], null],
  ])('%s %#', (mode, people, userId) => {
    const { ends, texts } = given(mode, people)
    expect(ends[0]!.userId).toBe(userId)
    if (userId !== null) expect(texts).toEqual([`Com P${userId}`])
  })

  test('names who was meant, whether they are there or not', () => {
    const toUser = { action: 2, userIdDestination: 4 }
    const { ends, texts } = talk(
      flowOf([node('a', [], [any(toUser)])], { welcomeMessage: { message: 'Com {{user}} ({{userEmail}})' } }),
      ['oi'],
      { people: [person(3), person(4, { absence: 'offline', queueIds: [] })] },
    )
    expect([ends[0]!.userId, texts]).toEqual([4, ['Com P4 (p4@x.test)']])
  })
})

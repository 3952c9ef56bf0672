import { expect, test } from 'vitest'
import { FLOW_FACTS } from '#test/flow-facts.ts'
import { check } from './check.ts'
import { readFlow } from './read.ts'
import { choicesIn, compileReply, firstStep, type ReplyAction, type ReplyStep } from './replies.ts'
import { simulate } from './simulate.ts'

const NOON = Date.UTC(2026, 10, 20, 15)
const action = (words: string, rest: Partial<ReplyAction>): ReplyAction => ({
  ...{ id: words.length, words, action: 0, nextStepId: null, queueId: null, userIdDestination: null },
  ...{ replyDefinition: '', ...rest },
})
const step = (id: number, reply: string, actions: ReplyAction[] = [], initialStep = false): ReplyStep => {
  return { id, reply, initialStep, actions }
}
const SHOP = [
  step(2, 'Qual é o pedido?', [
    action('voltar', { nextStepId: 1 }),
    action('nota', { action: 2, userIdDestination: 7 }),
  ]),
  step(
    1,
    'Oi, {{firstName}}: 1 vendas, 2 pedido ou 3 prazo',
    [
      action('1, Vendas;comprar', { action: 1, queueId: 4, replyDefinition: 'Já chamo Vendas.' }),
      action('2', { nextStepId: 2 }),
      action('3 ', { nextStepId: 3, replyDefinition: 'Vamos lá.' }),
    ],
    true,
  ),
  step(3, 'De 7 a 15 dias.'),
]
const ASKED = 'Oi, Maria: 1 vendas, 2 pedido ou 3 prazo'

function talk(words: readonly string[]) {
  const { messages, session, effects } = simulate(
    {
      ...{ chatFlowId: 1, version: 0, seed: 1, factsAt: () => FLOW_FACTS },
      flows: new Map([[1, readFlow(compileReply({ action: 0, steps: SHOP }))]]),
    },
    { at: NOON, events: words.map((text, index) => ({ at: NOON + (index + 1) * 60_000, text })), answers: [] },
  )
  const end = effects.find((effect) => effect.type === 'direct')
  return {
    said: messages.map(({ body }) => body),
    end: session.end,
    to: end && end.type === 'direct' ? end.direction : null,
  }
}

test.each([
  ['the initial step is said, and waits', [], [ASKED], null, null],
  [
    'a word leads to a queue, with its return',
    ['1'],
    [ASKED, 'Já chamo Vendas.'],
    'queue',
    { to: 'queue', queueId: 4 },
  ],
  ['any of the words, whatever case', [' VÉNDAS '], [ASKED, 'Já chamo Vendas.'], 'queue', { to: 'queue', queueId: 4 }],
  ['only as the whole answer', ['quero comprar'], [ASKED, ASKED], null, null],
  ['to another step', ['2'], [ASKED, 'Qual é o pedido?'], null, null],
  ['and back', ['2', 'voltar'], [ASKED, 'Qual é o pedido?', ASKED], null, null],
  ['to a user', ['2', 'nota'], [ASKED, 'Qual é o pedido?'], 'user', { to: 'user', userId: 7 }],
  [
    'a step that understands nothing is the end',
    ['3'],
    [ASKED, 'Vamos lá.', 'De 7 a 15 dias.'],
    'done',
    { to: 'queue', queueId: null },
  ],
  [
    'after three words that nobody understands people get it',
    ['a', 'b', 'c'],
    [ASKED, ASKED, ASKED],
    'queue',
    { to: 'queue', queueId: null },
  ],
])('%s', (_, words, said, end, to) => {
  expect(talk(words)).toEqual({ said, end, to })
})

test('the flow has no errors, says when it begins, and one without steps has', () => {
  const known = {
    ...{ chatFlowId: 1, queueIds: new Set([4]), userIds: new Set([7]), tagIds: new Set<number>() },
    ...{
      stageIds: new Set<number>(),
      pipelineStageIds: new Set<number>(),
      calendarIds: new Set<number>(),
      reasonIds: new Set<number>(),
      fileIds: new Set<string>(),
    },
    ...{
      connectionIds: new Set<number>(),
      smsIds: new Set<number>(),
      assistants: new Map(),
      variables: new Set<string>(),
    },
    ...{ flows: new Map(), secretOrigins: new Map() },
  }
  const errorsOf = (steps: readonly ReplyStep[]) =>
    check(readFlow(compileReply({ action: 1, steps })), known).filter(({ level }) => level === 'error')
  expect(errorsOf(SHOP)).toEqual([])
  expect(errorsOf([]).map(({ code }) => code)).toEqual(['noStart'])
  expect(errorsOf(SHOP.slice(1)).map(({ code }) => code)).toEqual(['missingTarget'])
  const startsOn = ([0, 1] as const).map(
    (moment) => readFlow(compileReply({ action: moment, steps: SHOP })).configurations.startsOn,
  )
  expect(startsOn).toEqual(['entry', 'closing'])
})

test('the first step is the initial one, else the first; words stand between commas, semicolons and lines', () => {
  expect(firstStep(SHOP)?.id).toBe(1)
  expect(firstStep(SHOP.toSpliced(1, 1))?.id).toBe(2)
  expect(choicesIn(' 1, dois;três\nquatro, ,')).toEqual(['1', 'dois', 'três', 'quatro'])
})

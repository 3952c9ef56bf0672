import { describe, expect, test } from 'vitest'
import { check } from './check.ts'
import type { Existing } from './problems.ts'
import { readFlow } from './read.ts'

type Json = Record<string, unknown>
const flowOf = (nodes: Json[], configurations: Json = {}, first: string | null = 'a') =>
  readFlow({
    nodeList: [{ id: 'configurations', type: 'configurations', configurations }, ...nodes],
    lineList: first === null ? [] : [{ from: 'start', to: first }],
  })
const node = (id: string, rest: Json = {}): Json => ({
  id,
  name: `Etapa ${id}`,
  type: 'node',
  interactions: [],
  conditions: [],
  ...rest,
})
const any = (rest: Json): Json => ({ type: 'US', ...rest })
const to = (nextStepId: string) => ({ action: 0, nextStepId })
const does = (type: string, data: Json = {}): Json => ({ type, data })
const SECRET = '00000000-0000-4000-8000-000000000001'
const existing: Existing = {
  variables: new Set(['site']),
  chatFlowId: 1,
  queueIds: new Set([1]),
  userIds: new Set([1]),
  tagIds: new Set([1]),
  connectionIds: new Set([1, 2]),
  smsIds: new Set([2]),
  assistants: new Map([[1, 'claude']]),
  stageIds: new Set([1]),
  pipelineStageIds: new Set([1]),
  calendarIds: new Set([1]),
  reasonIds: new Set([1]),
  fileIds: new Set(['f']),
  secretOrigins: new Map([[SECRET, 'https://loja.example']]),
  flows: new Map([
    [2, flowOf([node('z', { interactions: [does('ChatFlowField', { chatFlow: 1 })] })], {}, 'z')],
    [3, flowOf([node('z')], {}, 'z')],
  ]),
}
const problems = (nodes: Json[], configurations: Json = {}, first: string | null = 'a') =>
  check(flowOf(nodes, configurations, first), existing)
const codes = (...of: Parameters<typeof problems>) => problems(...of).map(({ code, nodeId }) => `${code} ${nodeId}`)
/** Returns a node with these conditions in order, each with a different variable. */
const asking = (on: string, ...asked: string[][]): Json =>
  node('a', {
    conditions: asked.map((values, index) => ({
      ...answer('equals', ...values),
      on,
      variable: ['name', 'email'][index],
    })),
  })
const regex = (source: string) => ({ type: 'R', comparisonType: 'regex', condition: [source], action: 1, queueId: 1 })
const answer = (comparisonType: string, ...condition: string[]) => ({
  type: 'R',
  comparisonType,
  condition,
  action: 1,
  queueId: 1,
})

describe('errors', () => {
  test.each<[string, Json[], Json, string[]]>([
    [
      'a target that is not there',
      [node('a', { conditions: [any(to('x'))] })],
      {},
      ['missingTarget a', 'noPerson a'].slice(0, 1),
    ],
    [
      'a node that comes back to itself without waiting',
      [node('a', { wait: false, conditions: [any(to('a'))] })],
      {},
      ['endlessCycle a', 'noPerson a'],
    ],
    [
      'a ring through another flow',
      [node('a', { interactions: [does('ChatFlowField', { chatFlow: 2 })] })],
      {},
      ['endlessCycle a'],
    ],
    ['look-behind', [node('a', { conditions: [regex('(?<=a)b')] })], {}, ['badPattern a']],
    ['a back-reference', [node('a', { conditions: [regex('(a)\\1')] })], {}, ['badPattern a']],
    ['what is broken', [node('a', { conditions: [regex('(')] })], {}, ['badPattern a']],
    [
      'something after what must be last',
      [
        node('a', {
          interactions: [does('ChatBotBlockField', { chatbotBlocked: true }), does('MessageField', { message: 'x' })],
        }),
      ],
      {},
      ['afterLast a'],
    ],
    ['a queue that is gone', [node('a', { conditions: [any({ action: 1, queueId: 9 })] })], {}, ['deletedQueue a']],
    [
      'a user that is gone',
      [node('a', { conditions: [any({ action: 2, userIdDestination: 9 })] })],
      {},
      ['deletedUser a'],
    ],
    [
      'a channel that is gone',
      [node('a', { conditions: [any({ action: 4, channelDestination: 9 })] })],
      {},
      ['deletedChannel a'],
    ],
    [
      'a text message by a channel that carries none',
      [node('a', { interactions: [does('SmsField', { smsMessage: 'Oi', smsService: 1 })] })],
      {},
      ['deletedChannel a'],
    ],
    ['a tag that is gone', [node('a', { interactions: [does('TagField', { tag: 9 })] })], {}, ['deletedTag a']],
    [
      'a tag that is gone, where it is asked for',
      [node('a', { conditions: [any({ action: 1, queueId: 1 }), { ...answer('', '1', '9'), on: 'tags' }] })],
      {},
      ['deletedTag a'],
    ],
    [
      'a message that is scheduled for no time',
      [node('a', { interactions: [does('ScheduleField', { scheduleMessage: 'Oi', scheduleDate: 'amanhã' })] })],
      {},
      ['missingTime a'],
    ],
    [
      'a file that is not here, of a message that is scheduled',
      [node('a', { interactions: [does('ScheduleField', { scheduleType: '1_hour', media: 'data:x' })] })],
      {},
      ['missingFile a'],
    ],
    [
      'a flow that is gone',
      [node('a', { interactions: [does('ChatFlowField', { chatFlow: 9 })] })],
      {},
      ['deletedFlow a'],
    ],
    [
      'something after another flow, which is the last',
      [node('a', { interactions: [does('ChatFlowField', { chatFlow: 3 }), does('MessageField')] })],
      {},
      ['afterLast a'],
    ],
    [
      'a user in the configurations',
      [node('a')],
      { notResponseMessage: { type: 2, destiny: 9 }, firstInteraction: { type: 4, destiny: 9 } },
      ['deletedUser null', 'deletedChannel null'],
    ],
    [
      'a queue in the configurations',
      [node('a')],
      { maxRetryBotMessage: { type: 1, destiny: 9 } },
      ['deletedQueue null'],
    ],
    [
      'nothing, where the bot is let in again',
      [
        node('a', {
          interactions: [does('ChatBotBlockField', { chatbotBlocked: false }), does('MessageField', { message: 'x' })],
        }),
      ],
      {},
      [],
    ],
    [
      'nothing, where all is well',
      [node('a', { conditions: [any({ action: 1, queueId: 1 })] })],
      { outOpenHours: { type: 2, destiny: 1 } },
      [],
    ],
  ])('%s', (_, nodes, configurations, expected) => {
    expect(
      codes(nodes, configurations).filter((code) => !code.startsWith('noPerson') || expected.includes(code)),
    ).toEqual(expected)
  })

  test('no start, or one that leads nowhere', () => {
    expect(codes([node('a')], {}, null)).toEqual(['noStart null', 'unreachable a'])
    expect(codes([node('a')], {}, 'x')).toEqual(['missingTarget null', 'unreachable a'])
  })

  test('a ring that waits somewhere is none', () => {
    const ring = [node('a', { wait: false, conditions: [any(to('b'))] }), node('b', { conditions: [any(to('a'))] })]
    expect(problems(ring).filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a flow may begin anew behind an answer, also before it was published; what no condition leads to is no ring', () => {
    const again = { interactions: [does('ChatFlowField', { chatFlow: 1 })] }
    const asks = [node('a', { conditions: [any(to('b'))] }), node('b', again)]
    expect(problems(asks)).toEqual([])
    const unknown = { ...any(to('a')), type: 'A' }
    expect(codes([node('a', { wait: false, conditions: [unknown, any({ action: 1, queueId: 1 })] })])).toEqual([
      'unknownKind a',
    ])
  })

  test('a ring of a thousand nodes is found once', () => {
    const ring = Array.from({ length: 1000 }, (_, index) =>
      node(index === 0 ? 'a' : `n${index}`, {
        wait: false,
        conditions: [any(to(index === 999 ? 'a' : `n${index + 1}`))],
      }),
    )
    expect(codes(ring).filter((code) => code.startsWith('endlessCycle'))).toEqual(['endlessCycle a'])
  })
})

describe('warnings', () => {
  test.each<[string, Json[], Json, string[]]>([
    ['what nothing leads to', [node('a'), node('b')], {}, ['unreachable b']],
    [
      'no way to a person',
      [node('a', { conditions: [any({ action: 3 })] })],
      { maxRetryBotMessage: { type: 3 } },
      ['noPerson a'],
    ],
    ['the retries lead to one', [node('a', { conditions: [any({ action: 3 })] })], {}, []],
    [
      'a variable that nobody fills',
      [
        node('a', {
          interactions: [
            does('MessageField', { message: '{{nmae}} {{name}} {{x}} {{w.t}} {{y|z}} {{site}}' }),
            does('WebhookField', { webhook: 'https://a', saveAs: 'w' }),
          ],
          variableKey: 'x',
        }),
      ],
      {},
      ['unknownVariable a'],
    ],
    [
      'the same in the configurations',
      [node('a')],
      { welcomeMessage: { message: '{{zip}}' } },
      ['unknownVariable null'],
    ],
    [
      'what comes after any answer',
      [node('a', { conditions: [any({ action: 1, queueId: 1 }), answer('equals', 'x')] })],
      {},
      ['shadowedCondition a'],
    ],
    [
      'what an earlier one takes',
      [node('a', { conditions: [answer('contains', 'bol'), answer('equals', 'Bóleto')] })],
      {},
      ['shadowedCondition a'],
    ],
    [
      'but not where one value is left',
      [node('a', { conditions: [answer('equals', 'a'), answer('equals', 'a', 'b')] })],
      {},
      [],
    ],
    [
      'what earlier ones take together',
      [node('a', { conditions: [answer('equals', 'a'), answer('startsWith', 'b'), answer('equals', 'a', 'bom')] })],
      {},
      ['shadowedCondition a'],
    ],
    ['hours that were asked for', [asking('hours', ['open'], ['closed'], ['open'])], {}, ['shadowedCondition a']],
    ['a channel', [asking('channel', ['lab', 'webchat'], ['textMessage'], ['webchat'])], {}, ['shadowedCondition a']],
    ['but not a channel beside it', [asking('channel', ['lab'], ['lab', 'textMessage'])], {}, []],
    ['tags', [asking('tags', ['1'], ['1'])], {}, ['shadowedCondition a']],
    ['another variable is another question', [asking('variable', ['x'], ['x'])], {}, []],
    [
      'what nothing leads to, behind what lets go of the conversation',
      [node('a', { interactions: [does('ChatFlowField', { chatFlow: 3 })], conditions: [any(to('b'))] }), node('b')],
      {},
      ['unreachable b'],
    ],
    [
      'a condition of a kind that is not known',
      [node('a', { conditions: [answer('soundsLike', 'x')] })],
      {},
      ['unknownKind a'],
    ],
    [
      'another such kind, which takes nothing from what follows',
      [node('a', { conditions: [{ ...answer('contains', 'x'), on: 'weather' }, answer('equals', 'x')] })],
      {},
      ['unknownKind a'],
    ],
    ['answers that are missing', [node('a', { conditions: [answer('equals')] })], {}, ['emptyCondition a']],
    [
      'nothing for otherwise',
      [node('a', { wait: false, conditions: [{ ...answer('equals', 'open'), on: 'hours' }] })],
      {},
      ['noOtherwise a'],
    ],
    [
      'a text message by what carries none',
      [node('a', { interactions: [does('SmsField', { smsMessage: 'Oi', smsService: 2 })] })],
      {},
      [],
    ],
    ['what is not known', [node('a', { interactions: [does('NovoField')] })], {}, ['unknownKind a']],
  ])('%s', (_, nodes, configurations, expected) => {
    expect(codes(nodes, configurations)).toEqual(expected)
    expect(problems(nodes, configurations).every(({ level }) => level === 'warning')).toBe(true)
  })

  test('sentences name the node', () => {
    expect(problems([node('a'), node('b')])[0]!.text).toBe('A etapa “Etapa b” não é alcançada por nenhum caminho.')
  })
})

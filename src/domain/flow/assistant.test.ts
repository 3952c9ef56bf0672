import { describe, expect, test } from 'vitest'
import { any, does, FACTS, flowOf, goTo, type Json, NOON, node, sends, talk, toQueue, when } from '#test/flow-steps.ts'
import { check } from './check.ts'
import type { Existing } from './problems.ts'
import { readFlow } from './read.ts'

import { simulate } from './simulate.ts'

const existing: Existing = {
  ...{ chatFlowId: 1, flows: new Map(), secretOrigins: new Map(), variables: new Set<string>() },
  ...{ queueIds: new Set([1, 9]), userIds: new Set<number>(), tagIds: new Set<number>(), stageIds: new Set<number>() },
  ...{ reasonIds: new Set<number>(), fileIds: new Set<string>(), connectionIds: new Set<number>() },
  pipelineStageIds: new Set<number>(),
  calendarIds: new Set<number>(),
  ...{ smsIds: new Set<number>(), assistants: new Map([[1, 'claude']]) },
}

const exits = (names: string[], rest: Json): Json => ({
  id: 'e',
  type: 'R',
  on: 'assistant',
  condition: names,
  ...rest,
})
const asks = (data: Json = {}): Json => does('AssistantField', { assistantAccount: 1, prompt: 'Seja breve', ...data })
const flow = (data: Json, conditions: Json[] = [], rest: Json = {}) =>
  flowOf([node('a', [asks(data)], conditions, rest), node('b', [sends('Resultado: {{tipo|nada}}')], [any(toQueue(9))])])
const told = (id: string, exit: string, answer = '', read = 0, at = NOON + 1000) =>
  ({
    type: 'called',
    at,
    id,
    status: exit === 'failed' ? 0 : 200,
    body: JSON.stringify({ exit, answer, read }),
  }) as const

describe('an assistant in a step', () => {
  test('talks with the customer until it is told to stop, by its word or by what it says', () => {
    const data = { offWord: 'Atendente', saveAs: 'tipo' }
    const conditions = [exits(['off'], toQueue(5)), exits(['answered'], goTo('b')), exits(['failed'], toQueue(6))]
    const begun = talk(flow(data, conditions), [told('s:2', 'answered', 'Oi!')])
    expect(begun.effectsOf('assistant')).toMatchObject([{ prompt: 'Seja breve', isFirst: true, isSilent: false }])
    expect(begun.session).toMatchObject({ waiting: { for: 'answer', talks: true }, variables: { tipo: 'Oi!' } })
    const off = talk(flow(data, conditions), [told('s:2', 'answered', 'Oi!'), 'atendente'])
    expect(off.ends).toMatchObject([{ direction: { queueId: 5 } }])
    const ended = talk(flow(data, conditions), [
      told('s:2', 'answered', 'Oi!'),
      'Quero bolo',
      told('s:4', 'ended', 'Bolo'),
    ])
    expect(ended.effectsOf('assistant')).toMatchObject([{ isFirst: true }, { isFirst: false }])
    expect(ended.texts).toEqual(['Resultado: Bolo'])
    const failed = talk(flow(data, conditions), [told('s:2', 'failed')])
    expect(failed.ends).toMatchObject([{ direction: { queueId: 6 } }])
  })

  test('is not asked again what it has read with the last question', () => {
    const { effectsOf, session } = talk(flow({}), [
      { type: 'answer', at: NOON + 10, text: 'um' },
      { type: 'answer', at: NOON + 20, text: 'dois' },
      told('s:2', 'answered', 'Oi!', 1),
    ])
    expect(effectsOf('assistant')).toHaveLength(2)
    expect(session.inbox).toEqual([])
    expect(session.waiting).toMatchObject({ for: 'call' })
  })

  test('answers once, and the step goes on: by what it kept, or with the next word', () => {
    const kept: Json = {
      id: 'v',
      type: 'R',
      on: 'variable',
      variable: 'tipo',
      comparisonType: 'contains',
      condition: ['venda'],
    }
    const silent = { assistantMode: 'silent', saveAs: 'tipo' }
    const judged = talk(flow(silent, [{ ...kept, ...toQueue(7) }, any(toQueue(8))], { wait: false }), [
      told('s:2', 'answered', 'É uma venda.'),
    ])
    expect(judged.ends).toMatchObject([{ direction: { queueId: 7 } }])
    expect(judged.effectsOf('assistant')).toMatchObject([{ isSilent: true }])
    const waited = talk(flow({ assistantMode: 'once' }, [when(['sim'], toQueue(7))]), [
      told('s:2', 'answered', 'Certo?'),
      'sim',
    ])
    expect(waited.ends).toMatchObject([{ direction: { queueId: 7 } }])
  })

  test.each([
    ['off', {}, { to: 'queue', queueId: null }, ''],
    ['off', { routeAction: 2, userIdDestination: 4 }, { to: 'user', userId: 4 }, ''],
    ['ended', {}, { to: 'queue', queueId: null }, ''],
    ['failed', {}, { to: 'queue', queueId: null }, 'O assistente do fluxo não respondeu.'],
  ])('leaves to people where no condition asks how it ended (%s)', (exit, data, direction, reason) => {
    expect(talk(flow(data, [any(goTo('b'))]), [told('s:2', exit)]).ends).toMatchObject([{ direction, reason }])
  })

  test('nobody is called in the simulator: what it answers is typed', () => {
    const read = readFlow(flow({ assistantMode: 'once', saveAs: 'tipo' }, [any(goTo('b'))], { wait: false }))
    const stage = { chatFlowId: 1, version: 0, flows: new Map([[1, read]]), seed: 1, factsAt: () => FACTS }
    const begun = { at: NOON, events: [], answers: [] }
    expect(simulate(stage, begun).call).toMatchObject({ nodeId: 'a', isAssistant: true })
    const played = simulate(stage, { ...begun, answers: [{ status: 200, body: 'Venda' }] })
    expect(played.messages.map(({ body }) => body)).toEqual(['Resultado: Venda'])
  })

  test.each([
    [{}, []],
    [{ assistantAccount: 2 }, ['deletedAssistant']],
    [{ assistantAccount: null }, ['deletedAssistant']],
  ])('is checked: %j', (data, codes) => {
    expect(check(readFlow(flow(data, [any(toQueue(1))])), existing).map(({ code }) => code)).toEqual(
      expect.arrayContaining(codes),
    )
  })

  test('a step that comes back to itself by the end of its assistant never waits, and is refused', () => {
    const codes = check(readFlow(flow({ assistantMode: 'once' }, [exits(['answered'], goTo('a'))])), existing)
    expect(codes).toContainEqual(expect.objectContaining({ code: 'endlessCycle' }))
  })
})

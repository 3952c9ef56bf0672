import { describe, expect, test } from 'vitest'
import { any, does, flowOf, goTo, NOON, node, sends, talk, toQueue, when } from '#test/flow-steps.ts'
import { callAt, filledIn } from './calls.ts'
import type { FlowDocument } from './document.ts'
import { readFlow } from './read.ts'
import type { FlowEffect, FlowEvent } from './session.ts'

const MINUTE = 60_000
const timers = (talked: ReturnType<typeof talk>) => talked.effectsOf('timer')

describe('silence', () => {
  const document = flowOf([node('a', [sends('Oi')], [when(['ok'], toQueue(1))])], {
    notResponseMessage: {
      time: 10,
      type: 3,
      destiny: '',
      message: 'Encerrando.',
      messageWarningEnabled: true,
      messageWarning: 'Ainda está aí?',
    },
    farewellMessage: { message: 'Tchau.' },
  })
  test('warns at half of the time, and acts at its end', () => {
    const talked = talk(document, [])
    expect(timers(talked).map(({ at, purpose }) => [purpose, at - NOON])).toEqual([
      ['warning', 5 * MINUTE],
      ['silence', 10 * MINUTE],
    ])
    for (const { id, at } of timers(talked)) talked.send({ type: 'timer', id, at })
    const again = talk(
      document,
      timers(talked).map(({ id, at }) => ({ type: 'timer', id, at }) as const),
    )
    expect(again.texts).toEqual(['Oi', 'Ainda está aí?', 'Encerrando.', 'Tchau.'])
    expect(again.session.end).toBe('closed')
  })
  test('warns only where it is told to', () => {
    const silent = { time: 10, type: 1, destiny: 1, messageWarning: 'Ainda está aí?' }
    const quiet = flowOf([node('a', [], [any(toQueue(1))])], { notResponseMessage: silent })
    expect(timers(talk(quiet, [])).map(({ purpose }) => purpose)).toEqual(['silence'])
  })
  test('a late timer does nothing, one that rings twice neither', () => {
    const [warning, silence] = timers(talk(document, []))
    const rings = (id: string): FlowEvent => ({ type: 'timer', at: NOON + 20 * MINUTE, id })
    expect(talk(document, ['x', rings(warning!.id), rings(silence!.id)]).session).toMatchObject({
      end: null,
      retries: 1,
    })
    expect(talk(document, [rings(warning!.id), rings(warning!.id)]).texts).toEqual(['Oi', 'Ainda está aí?'])
  })
  test('it speaks also where a word has brought about all the messages that it may', () => {
    const words = Array.from({ length: 20 }, () => sends('Oi'))
    const silent = { notResponseMessage: { time: 1, type: 1, destiny: 1, message: 'Até logo' } }
    const talked = talk(flowOf([node('a', words, [any(toQueue(1))])], silent), [])
    talked.send({ type: 'timer', at: NOON + MINUTE, id: timers(talked)[0]!.id })
    expect(talked.effectsOf('send').at(-1)).toMatchObject({ body: 'Até logo' })
    expect(talked.effectsOf('direct')).toMatchObject([{ direction: { queueId: 1 }, reason: '' }])
  })
  test('nobody is silent who has answered during a delay', () => {
    const slow = { notResponseMessage: { time: 1, type: 1, destiny: 1 } }
    const delayed = flowOf(
      [node('a', [does('DelayField', { time: 9 })], [any(goTo('b'))]), node('b', [sends('Certo')])],
      slow,
    )
    const talked = talk(delayed, ['sim'])
    talked.send({ type: 'timer', at: NOON + 60_000, id: timers(talked)[0]!.id })
    expect([timers(talked).length, talked.effectsOf('send').length]).toEqual([1, 1])
  })
  test('the shortest silence is a second', () => {
    const short = flowOf([node('a', [], [any(toQueue(1))])], { notResponseMessage: { time: 0, type: 1, destiny: 1 } })
    expect(timers(talk(short, [])).map(({ at }) => at - NOON)).toEqual([1000])
  })
})

/** The call that an effect asks for, as it is made. */
const made = (document: FlowDocument, { call, values }: Extract<FlowEffect, { type: 'call' }>) =>
  filledIn(callAt(readFlow(document), call)!, values, (id) => `secret ${id}`)

describe('delays and outside calls', () => {
  const call = {
    webhookUrl: 'https://loja.example/pedido?n={{pedido}}',
    httpMethod: 'post',
    bodyType: 'json',
    saveAs: 'loja',
  }
  const document = flowOf([
    node('a', [sends('Número?')], [any(goTo('b'))], { variableKey: 'pedido', variableType: 'number' }),
    node(
      'b',
      [
        does('WebhookAllField', { ...call, bodyContent: '{"n":"{{pedido}}"}' }),
        does('DelayField', { time: 3 }),
        sends('Total {{loja.total}} {{loja.nada|?}}'),
      ],
      [when(['ok'], toQueue(1)), any(toQueue(2))],
    ),
  ])
  test('an answer that has to be a number is one', () => {
    expect(talk(document, ['abc']).session).toMatchObject({ nodeId: 'a', retries: 1 })
    expect(talk(document, ['1.234,50']).session.variables).toEqual({ pedido: '1234.50' })
  })
  test('wait in order: the answer of the call, the delay, then what the customer wrote meanwhile', () => {
    const first = talk(document, ['12'])
    const [effect] = first.effectsOf('call')
    expect(made(document, effect!)).toMatchObject({
      url: 'https://loja.example/pedido?n=12',
      method: 'POST',
      body: '{"n":"12"}',
    })
    const at = NOON + 120_000
    const called: FlowEvent = {
      type: 'called',
      at,
      id: effect!.id,
      status: 200,
      body: '{"total":"9,90","itens":[{"id":1}]}',
    }
    const second = talk(document, ['12', { type: 'answer', at, text: 'ok' }, called, called])
    expect(second.session).toMatchObject({
      end: null,
      variables: { 'loja.status': '200', 'loja.total': '9,90', 'loja.itens.0.id': '1' },
    })
    const [timer] = second.effectsOf('timer')
    const third = talk(document, [
      '12',
      { type: 'answer', at, text: 'ok' },
      called,
      { type: 'timer', at: timer!.at, id: timer!.id },
    ])
    expect(third.texts).toEqual(['Número?', 'Total 9,90 ?'])
    expect(third.ends[0]!.direction).toEqual({ to: 'queue', queueId: 1 })
  })
  test('who writes on and on meanwhile is a person’s', () => {
    const slow = flowOf([node('a', [does('DelayField', { time: 3600 })], [any(toQueue(1))])])
    expect(talk(slow, Array(100).fill('oi')).session).toMatchObject({ end: null, inbox: { length: 100 } })
    const { session, ends } = talk(slow, Array(101).fill('oi'))
    expect([session.inbox, ends]).toMatchObject([
      [],
      [{ direction: { queueId: null }, reason: expect.stringContaining('100') }],
    ])
  })
  test('an answer is the one of the call that is waited for', () => {
    const asks = (saveAs: string) => does('WebhookField', { webhook: 'https://a.example', saveAs })
    const twice = flowOf([node('a', [asks('um'), asks('dois')], [any(toQueue(1))])])
    const talked = talk(twice, [])
    const answered = (id: string): FlowEvent => ({ type: 'called', at: NOON, id, status: 200, body: '{}' })
    const first = talked.effectsOf('call')[0]!.id
    expect(talk(twice, [answered(first), answered(first)]).session).toMatchObject({
      variables: { 'um.status': '200' },
      waiting: { for: 'call', saveAs: 'dois' },
    })
  })
  test('one that fails has the status 0, and the flow goes on', () => {
    const [effect] = talk(document, ['12']).effectsOf('call')
    const failed = talk(document, ['12', { type: 'called', at: NOON + 90_000, id: effect!.id, status: 0, body: '' }])
    expect(failed.session).toMatchObject({ variables: { 'loja.status': '0' }, waiting: { for: 'delay' } })
  })
  test('what an outside system answers is kept as far as a database can keep it', () => {
    const [effect] = talk(document, ['12']).effectsOf('call')
    const body = String.raw`{"total":"a\u0000b\ud83d","\u0000k\ud83d":"1"}`
    const { variables } = talk(document, [
      '12',
      { type: 'called', at: NOON, id: effect!.id, status: 200, body },
    ]).session
    expect(variables).toEqual({ pedido: '12', 'loja.status': '200', 'loja.total': 'ab\ufffd', 'loja.k\ufffd': '1' })
  })
  test.each([
    [{}, 'GET', 10_000, 0, 5000],
    [{ httpMethod: 'put', timeout: '2500', retryAttempts: 2, retryDelay: 1500 }, 'PUT', 2500, 2, 1500],
    [{ timeout: 1, retryAttempts: -1, retryDelay: 0 }, 'GET', 1000, 0, 1000],
    [{ timeout: 1e9, retryAttempts: 99, retryDelay: 1e9 }, 'GET', 60_000, 5, 30_000],
  ])('%j is called within its limits (product facts 7.1)', (rest, method, timeoutMs, repeats, repeatAfterMs) => {
    const asks = flowOf([node('a', [does('WebhookAllField', { webhookUrl: 'https://a.example', ...rest })])])
    const one = made(asks, talk(asks, []).effectsOf('call')[0]!)
    expect(one).toMatchObject({ method, timeoutMs, repeats, repeatAfterMs })
  })
  test('nobody waits for a call whose answer has no name', () => {
    const silent = flowOf([
      node('a', [does('WebhookField', { webhook: 'https://a.example' }), sends('Oi')], [any(toQueue(1))]),
    ])
    expect(talk(silent, [])).toMatchObject({ texts: ['Oi'], session: { waiting: { for: 'answer' } } })
  })
  test('what a customer wrote stays a value wherever it is put', () => {
    const hostile = flowOf([
      node('a', [], [any(goTo('b'))], { variableKey: 'x' }),
      node('b', [
        does('WebhookAllField', {
          webhookUrl: 'https://a.example/{{x}}',
          headers: [{ key: 'X-A', value: '{{x}}' }],
          bodyType: 'json',
          bodyContent: '{"x":"{{x}}"}',
        }),
        sends('{{x}}'),
      ]),
    ])
    const text = '../y?z="\r\nA: b {{user}} \ud800'
    const talked = talk(hostile, [text])
    const { url, headers, body } = made(hostile, talked.effectsOf('call')[0]!)
    expect(new URL(url).pathname.split('/')).toHaveLength(2)
    expect(headers[0]!.value).not.toMatch(/[\r\n]/)
    expect(JSON.parse(body)).toEqual({ x: text.toWellFormed() })
    expect(talked.texts).toEqual([text.toWellFormed()])
  })
})

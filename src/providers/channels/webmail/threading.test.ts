import { expect, test } from 'vitest'
import { bareSubject } from '#domain/messages/mail.ts'
import { conversationOf } from './threading.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T13:00:00Z')
const known = new Map([
  ['<ours@loja.example>', 'first'],
  ['<root@x.example>', 'second'],
])
const earlier = [
  { conversationKey: 'old', subject: 'Pedido', timestamp: NOW - 8 * DAY },
  { conversationKey: 'week', subject: 'Orçamento', timestamp: NOW - 7 * DAY },
  { conversationKey: 'older', subject: 'Nota', timestamp: NOW - 2 * DAY },
  { conversationKey: 'newer', subject: 'RE: nota', timestamp: NOW - DAY },
  { conversationKey: 'untitled', subject: '', timestamp: NOW - DAY },
]

test.each([
  ['the direct one decides', ['<ours@loja.example>', '<root@x.example>'], 'Oi', 'first'],
  ['one that is unknown matches nothing', ['<nobody@x.example>'], 'Oi', '<new>'],
  ['behind an unknown one the chain', ['<nobody@x.example>', '<root@x.example>'], 'Oi', 'second'],
  ['no ids, no answer: a conversation of its own', [], 'Nota', '<new>'],
  ['an answer by its subject alone', [], 'Re: Nota', 'newer'],
  ['in other letters', [], 'RES:  NOTA', 'newer'],
  ['what is passed on is no answer', [], 'Enc: Nota', '<new>'],
  ['seven days', [], 'Re: Orçamento', 'week'],
  ['eight days', [], 'Re: Pedido', '<new>'],
  ['an answer to nothing', [], 'Re: ', '<new>'],
  ['an answer of an unknown id goes by its subject', ['<nobody@x.example>'], 'Re: Nota', 'newer'],
  ['another subject', [], 'Re: Notas', '<new>'],
])('%s', (_, parents, subject, conversation) => {
  expect(conversationOf({ id: '<new>', parents, subject, timestamp: NOW }, known, earlier)).toBe(conversation)
})

test('what comes later is not answered', () => {
  const mail = { id: '<new>', parents: [], subject: 'Re: Nota', timestamp: NOW - 3 * DAY }
  expect(conversationOf(mail, known, earlier)).toBe('<new>')
})

test.each([
  ['Re: Res: ENC: Pedido', 'Pedido'],
  ['RE[2]: Pedido', 'Pedido'],
  ['Aw: Sv: Pedido', 'Pedido'],
  ['Resultado: 3', 'Resultado: 3'],
  ['Re:', ''],
  ['  Re :  Pedido \t 12 ', 'Pedido 12'],
])('%j is about %j', (subject, bare) => {
  expect(bareSubject(subject)).toBe(bare)
})

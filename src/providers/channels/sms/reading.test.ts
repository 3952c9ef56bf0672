import { expect, test } from 'vitest'
import { HTTP_FORM } from '#test/channels/sms-end.ts'
import type { WebhookRequest } from '../port.ts'
import { comtele } from './comtele.ts'
import { http } from './http.ts'
import { infobip } from './infobip.ts'
import { eventOf, isForOther, type MakeSmsProvider, type SmsNews, withCountry } from './provider.ts'
import { smsdev } from './smsdev.ts'
import { twilio, twilioSignature } from './twilio.ts'
import { zenvia } from './zenvia.ts'

const URL = 'https://guiche.example/api/hooks/x'
const never = () => Promise.reject(new Error('nothing is called'))

const called = (body: string, headers: Record<string, string>, query = {}): WebhookRequest => ({
  ...{ method: 'POST', url: URL, headers, query, body: new TextEncoder().encode(body) },
})
const json = (body: unknown) => called(JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8' })
const form = (fields: Record<string, string>, query: Record<string, string> = {}) =>
  called(
    new URLSearchParams(fields).toString(),
    {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature('k', URL + (query['m'] ? `?m=${query['m']}` : ''), fields),
    },
    query,
  )
const TWILIO = { MessageSid: 'SM1', To: '+5519998124407', From: '+5519999990000', AccountSid: 'AC1' }

test.each<[string, MakeSmsProvider, WebhookRequest, object[]]>([
  [
    'Twilio delivered, with our id',
    twilio,
    form({ ...TWILIO, MessageStatus: 'delivered' }, { m: 'ours' }),
    [{ is: 'delivered', id: 'SM1', messageId: 'ours', to: '+5519998124407' }],
  ],
  [
    'Twilio undelivered to a landline',
    twilio,
    form({ ...TWILIO, MessageStatus: 'undelivered', ErrorCode: '30006' }),
    [{ is: 'failed', id: 'SM1', error: expect.stringContaining('linha fixa'), providerText: 'Twilio 30006' }],
  ],
  [
    'Twilio failed with a code that nobody knows',
    twilio,
    form({ ...TWILIO, MessageStatus: 'failed', ErrorCode: '99999' }),
    [{ is: 'failed', error: 'A operadora não entregou a mensagem.', providerText: 'Twilio 99999' }],
  ],
  ['Twilio queued', twilio, form({ ...TWILIO, MessageStatus: 'queued' }), []],
  [
    'Zenvia not delivered, with why',
    zenvia,
    json({
      ...{ id: 'e1', type: 'MESSAGE_STATUS', channel: 'sms', messageId: 'z1', contentIndex: 0 },
      messageStatus: {
        ...{ timestamp: '2026-07-01T13:00:00Z', code: 'NOT_DELIVERED', description: 'Not delivered.' },
        causes: [{ channelErrorCode: '9', reason: 'UNREACHABLE', details: 'Absent subscriber' }],
      },
    }),
    [{ is: 'failed', id: 'z1', providerText: 'Not delivered. Absent subscriber' }],
  ],
  [
    'Zenvia’s echo of ours',
    zenvia,
    json({ type: 'MESSAGE', direction: 'OUT', message: { id: 'z2', contents: [] } }),
    [],
  ],
  [
    'Infobip delivered and expired in one body',
    infobip,
    json({
      results: [
        { messageId: 'i1', to: '5519998124407', status: { groupName: 'DELIVERED' }, error: { groupName: 'OK' } },
        { messageId: 'i2', to: '5519998124407', status: { groupName: 'EXPIRED', description: 'Message expired' } },
        { messageId: 'i3', to: '5519998124407', status: { groupName: 'PENDING' } },
      ],
    }),
    [
      { is: 'delivered', id: 'i1', messageId: 'i1' },
      { is: 'failed', id: 'i2', providerText: 'Message expired' },
    ],
  ],
  [
    'Comtele, in either spelling',
    comtele,
    json([
      { RequestUniqueId: 'c1', Receiver: '19998124407', Status: 'Não Entregue' },
      { requestUniqueId: 'c2', receiver: '19998124407', status: 'Delivered' },
      { Receiver: '19998124407', ReceivedContent: 'Oi', ReceivedDate: '2026-07-01' },
    ]),
    [
      { is: 'failed', id: 'c1' },
      { is: 'delivered', id: 'c2' },
      { is: 'said', from: '5519998124407', text: 'Oi' },
    ],
  ],
  [
    'SMSDev, of somebody on its black list',
    smsdev,
    json({ id: '9', situacao: 'OK', descricao: 'BLACK LIST' }),
    [{ is: 'failed', id: '9', error: expect.stringContaining('não receber') }],
  ],
  ['what nobody filled in', http, json({ outra: 'coisa' }), []],
  ['another’s failure by its words', http, json({ id: 'h1', situacao: 'expirada' }), [{ is: 'failed', id: 'h1' }]],
  ['nothing at all', comtele, called('', {}), []],
])('%s is read', (_, make, request, news) => {
  const { read } = make({ key: 'k', ...HTTP_FORM }, never)
  expect(read(request, URL)).toMatchObject(news)
})

test.each([
  ['(19) 99812-4407', '5519998124407'],
  ['019 3333-4444', '551933334444'],
  ['+12025550101', '12025550101'],
  ['12025550101', '12025550101'],
  ['+51987654321', '51987654321'],
  ['5519998124407', '5519998124407'],
])('%s is the line %s', (written, digits) => expect(withCountry(written)).toBe(digits))

const COMTELE_SAYS = { Receiver: '51987654321', ReceivedContent: 'Oi' }
test.each<[string, MakeSmsProvider, WebhookRequest, string]>([
  ['Infobip', infobip, json({ results: [{ messageId: '1', from: '51987654321', text: 'Oi' }] }), '51987654321'],
  [
    'Zenvia',
    zenvia,
    json({ type: 'MESSAGE', message: { id: '1', from: '51987654321', contents: [{ text: 'Oi' }] } }),
    '51987654321',
  ],
  ['Twilio', twilio, form({ MessageSid: 'SM1', From: '+51987654321', Body: 'Oi' }), '51987654321'],
  ['Comtele', comtele, json(COMTELE_SAYS), '5551987654321'],
  ['SMSDev', smsdev, json({ id_sms_read: '1', telefone: '51987654321', mensagem: 'Oi' }), '5551987654321'],
  ['another', http, json({ de: '51987654321', mensagem: 'Oi' }), '5551987654321'],
])('%s writes numbers with their country, or within Brazil without it', (_, make, request, conversationKey) => {
  const [said] = make({ key: 'k', ...HTTP_FORM }, never).read(request, URL)!
  expect(eventOf(said!, new Date())).toMatchObject({ conversationKey, sender: { number: conversationKey } })
})

test('what is said without an id counts as said once within seconds, and again afterwards', () => {
  const { read } = http({ ...HTTP_FORM, replyIdAt: '' }, never)
  const [said] = read(json({ de: '19998124407', mensagem: 'Sim' }), URL)!
  const keyAt = (ms: number) => eventOf(said!, new Date(ms)).dedupeKey
  expect(keyAt(10_000)).toBe(keyAt(19_000))
  expect(keyAt(10_000)).not.toBe(keyAt(60_000))
})

test('each of several lines hears what was said to it', () => {
  const said = (to?: string): SmsNews => ({
    is: 'said',
    id: '1',
    from: '5519998124407',
    text: 'Oi',
    ...(to ? { to } : {}),
  })
  expect(isForOther(said('5511911112222'), '+55 (11) 91111-3333')).toBe(true)
  for (const [to, line] of [
    ['5511911112222', '+55 11 91111-2222'],
    ['5511911112222', ''],
    ['5511911112222', 'MG123'],
    ['28149', '5511911113333'],
    [undefined, '5511911113333'],
    ['51987654321', '+51 987 654 321'],
    ['5551987654321', '51 98765-4321'],
  ] as const)
    expect(isForOther(said(to), line)).toBe(false)
})

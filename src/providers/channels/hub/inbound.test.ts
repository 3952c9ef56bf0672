import { expect, test } from 'vitest'
import { readCall } from './inbound.ts'

const now = new Date('2026-03-04T12:00:00Z')
const WHATSAPP = 'hub_whatsapp_business_account'
const read = (told: object, type = WHATSAPP) =>
  readCall(Buffer.from(JSON.stringify({ subscriptionId: 'C', ...told })), { channelId: 'C', type, now })
const eventsOf = (told: object, type?: string) => {
  const result = read(told, type)
  return result.isGenuine ? result.events.map(({ event }) => event) : null
}
const said = (about: object, contents: object[] = [{ type: 'text', text: 'Oi' }]) => ({
  ...{ type: 'MESSAGE', id: 'E', direction: 'IN' },
  message: { id: 'M', from: '+55 19 99812-4407', to: 'C', isGroup: 'false', contents, ...about },
})

test('what is of another account is not for us; what is no JSON is nobody’s', () => {
  expect(read({ ...said({}), subscriptionId: 'D' })).toEqual({ isGenuine: false })
  expect(() => readCall(Buffer.from('<html>'), { channelId: 'C', type: WHATSAPP, now })).toThrow(SyntaxError)
})

test('who writes is known by the number where the channel has one, by their id elsewhere; local times are not believed', () => {
  expect(eventsOf(said({ visitor: { name: '', firstName: 'Ana', lastName: 'Luz' } }))).toMatchObject([
    {
      ...{ type: 'message', dedupeKey: 'M', conversationKey: '5519998124407' },
      sender: { identity: '5519998124407', name: 'Ana Luz', number: '5519998124407' },
      message: { providerId: 'M', timestamp: now.getTime(), type: 'text', body: 'Oi' },
    },
  ])
  expect(eventsOf(said({ from: 'ig-77' }), 'hub_instagram')).toMatchObject([
    { conversationKey: 'ig-77', sender: { name: 'ig-77', number: null } },
  ])
})

test('several parts are several messages; what cannot be shown stands in words; groups are left alone', () => {
  const contents = [
    { type: 'text', text: 'Veja' },
    { type: 'file', fileUrl: 'https://x.example/a%20b.pdf', fileMimeType: 'application/pdf' },
    { type: 'location', latitude: '-23.5', longitude: -46.6, name: 'Sé' },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Rui' }, phones: [{ phone: '+55 11 98888-7777' }] }] },
    { type: 'email', subject: 'Pedido', html: '<style>p{}</style><p>Bom&nbsp;dia</p><script>alert(1)</script>' },
    { type: 'coisa' },
  ]
  expect(eventsOf(said({}, contents))?.map((event) => 'message' in event && event.message)).toMatchObject([
    { providerId: 'M', type: 'text', body: 'Veja' },
    { providerId: 'M:1', type: 'document', remote: { name: 'a b.pdf', pointer: { kind: 'document' } } },
    { providerId: 'M:2', type: 'location', data: { latitude: -23.5, longitude: -46.6 } },
    { providerId: 'M:3', type: 'contact', data: { fullName: 'Rui', phoneNumber: '+55 11 98888-7777' } },
    { providerId: 'M:4', type: 'text', body: 'Pedido\n\nBom dia' },
    { providerId: 'M:5', type: 'text', body: 'Mensagem de um tipo que o hub não mostra aqui.' },
  ])
  expect(read(said({ isGroup: 'true' }))).toMatchObject({ events: [], unread: ['group'] })
  expect(read({ type: 'TYPING' })).toMatchObject({ events: [], unread: ['TYPING'] })
})

test('a wrong type is dropped and counted, words of a new kind are shown, and what may be of a group is nobody’s', () => {
  const odd = said({
    id: null,
    isGroup: null,
    visitor: 'Ana',
    contents: [{ text: null, offer: { title: 'Bolo' } }, 'Oi!'],
  })
  expect(read({ ...odd, id: null })).toMatchObject({
    events: [
      {
        event: {
          dedupeKey: expect.stringMatching(/^unnamed:/),
          message: { body: expect.stringMatching(/hub não mostra aqui\.\nBolo$/) },
        },
      },
      { event: { message: { body: expect.stringMatching(/não mostra aqui\.\nOi!$/) } } },
    ],
    unread: ['call.message.visitor'],
  })
  expect(read(said({ isGroup: { id: 7 } }))).toMatchObject({ events: [], unread: ['group', 'call.message.isGroup'] })
  const status = { type: 'MESSAGE_STATUS', messageId: 'M', messageStatus: 'SENT' }
  expect(
    readCall(Buffer.from(JSON.stringify([status, said({})])), { channelId: 'C', type: WHATSAPP, now }),
  ).toMatchObject({ events: [{ event: { message: { body: 'Oi' } } }], unread: ['call.messageStatus'] })
})

test('what left by the account, from whichever tool, is an echo to whom it went', () => {
  const out = (contents?: object[]) => eventsOf(said({ direction: 'OUT', from: 'C', to: '5519998124407' }, contents))
  expect(out()).toMatchObject([
    { type: 'echo', mayBeOurs: true, conversationKey: '5519998124407', message: { providerId: 'M' } },
  ])
  // Same form as stored here, to be recognized: a template by its name, a mail without our common subject.
  expect(
    out([{ type: 'template', template: { name: 'volta', language: { code: 'pt_BR' }, components: [] } }]),
  ).toMatchObject([{ message: { type: 'template', data: { template: { name: 'volta', language: 'pt_BR' } } } }])
  const mail = [{ type: 'email', subject: 'Atendimento', text: 'Segue' }]
  expect(out(mail)).toMatchObject([{ message: { body: 'Segue' } }])
  expect(eventsOf(said({}, mail))).toMatchObject([{ message: { body: 'Atendimento\n\nSegue' } }])
})

const status = (code: string, about: object = {}) => ({
  ...{ type: 'MESSAGE_STATUS', messageId: 'M', contentIndex: 0 },
  messageStatus: { code, description: 'x', providerMessageId: 'W', ...about },
})

test.each([
  ['SENT', 'sent'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
])('%s is %s, by both names', (code, becomes) => {
  expect(eventsOf(status(code))).toMatchObject([
    { type: 'receipt', providerId: 'M', alias: 'W', status: becomes },
    { type: 'receipt', providerId: 'W', isAlias: true, status: becomes },
  ])
  expect(eventsOf({ ...status(code), messageId: undefined })).toMatchObject([{ providerId: 'W', isAlias: true }])
})

test('a failure says why in words of ours, and in the provider’s for administrators', () => {
  const [failed] = eventsOf(status('ERROR', { error: { code: 131047, message: 'Re-engagement message' } }))!
  expect(failed).toMatchObject({
    ...{ status: 'failed', providerText: 'Re-engagement message' },
    error: expect.stringContaining('24 horas'),
  })
  expect(eventsOf(status('REJECTED', { error: { message: 'no funds' } }))).toMatchObject([
    { status: 'failed', error: 'O NotificaMe Hub não conseguiu entregar a mensagem.', providerText: 'no funds' },
    {},
  ])
  expect(eventsOf(status('ERROR', { error: { code: 190, message: 'expired' } }))).toMatchObject([
    { stops: 'token' },
    {},
  ])
  expect(eventsOf(status('QUEUED'))).toEqual([])
})

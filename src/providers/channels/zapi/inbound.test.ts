import { expect, test } from 'vitest'
import { readCall } from './inbound.ts'

const now = new Date('2026-03-04T12:00:00Z')
const about = {
  ...{ instanceId: 'I', type: 'ReceivedCallback', messageId: 'A20D', phone: '5519998124407', fromMe: false },
  ...{ momment: 1_772_000_000_000, status: 'RECEIVED', chatName: 'Lia', senderName: 'Lia', broadcast: false },
  ...{ isGroup: false, waitingMessage: false, isEdit: false, participantPhone: null, photo: null },
}
const told = (content: object) => {
  const read = readCall(Buffer.from(JSON.stringify({ ...about, ...content })), 'I', now)
  return read.isGenuine ? read.events.map(({ event }) => event).filter(({ type }) => type !== 'picture') : null
}
const bought = { currency: 'BRL', products: [{ name: 'Bolo', quantity: 2, productId: '1' }] }
const event = { name: 'Inauguração', description: 'Com bolo', canceled: false, scheduleTime: 1_772_020_800 }

test.each<[string, object, object]>([
  [
    'a cart, in thousandths',
    { order: { ...bought, total: 60000, products: [{ name: 'Bolo', quantity: 2, price: 30000 }] } },
    { type: 'order', body: '2 × Bolo · R$ 30,00\nTotal: R$ 60,00' },
  ],
  [
    'an order to pay, with what is added to its products',
    { reviewAndPay: { ...bought, total: 65, products: [{ name: 'Bolo', quantity: 2, value: 30 }] } },
    { type: 'order', body: 'Pedido\n2 × Bolo · R$ 30,00\nTotal: R$ 65,00' },
  ],
  ['a cart without prices', { order: { products: [{ name: 'Bolo' }] } }, { type: 'order', body: '1 × Bolo' }],
  [
    'a payment',
    { sendPayment: { paymentInfo: { value: 1.5, currencyCode: 'BRL', status: 'COMPLETE' } } },
    { type: 'text', body: 'Pagamento: R$ 1,50' },
  ],
  [
    'a request of payment',
    { requestPayment: { value: 1, currencyCode: 'BRL', noteMessage: { text: 'Do bolo' } } },
    { body: 'Pedido de pagamento: R$ 1,00\nDo bolo' },
  ],
  [
    'a Pix key',
    { pixKeyMessage: { currency: 'BRL', key: '11222333000181', keyType: 'CNPJ', merchantName: 'Padaria Sol' } },
    { body: 'Chave Pix\nPadaria Sol\n11222333000181' },
  ],
  [
    'a poll',
    { poll: { question: 'Qual dia?', pollMaxOptions: 1, options: [{ name: 'Sábado' }, { name: 'Domingo' }] } },
    { type: 'poll', body: 'Qual dia?', data: { poll: { options: ['Sábado', 'Domingo'], many: false } } },
  ],
  [
    'a vote, as an answer to its poll',
    { pollVote: { pollMessageId: '3EB0', options: [{ name: 'Sábado' }] } },
    { type: 'text', body: 'Votou: Sábado', quotedProviderId: '3EB0' },
  ],
  [
    'an event with its time',
    { event: { ...event, location: { name: 'Padaria Sol' } } },
    { body: 'Evento: Inauguração\nQuando: 25/02/2026, 09:00 (horário de Brasília)\nPadaria Sol\nCom bolo' },
  ],
  [
    'an answer to an event',
    { eventResponse: { response: 'GOING', referencedMessage: { messageId: 'D2D6' } } },
    { body: 'Resposta ao evento: Vou', quotedProviderId: 'D2D6' },
  ],
  [
    'a card with all that it says',
    {
      contact: {
        displayName: 'Rui',
        vCard:
          'BEGIN:VCARD\nFN:Rui\nTEL:+55 19 3322-1100\nTEL;waid=5519998124408:+55 19 99812-4408\nEMAIL:rui@x.example\nEND:VCARD',
        phones: ['5519998124408'],
      },
    },
    {
      type: 'contact',
      data: {
        ...{ fullName: 'Rui', phoneNumber: '+55 19 99812-4408', wuid: '5519998124408' },
        more: ['+55 19 3322-1100', 'rui@x.example'],
      },
    },
  ],
])('%s', (_, content, wanted) => {
  const message = told(content)?.[0]
  // Amounts of money contain a non-breaking space.
  expect(JSON.parse(JSON.stringify(message).replaceAll('\u00a0', ' '))).toMatchObject({ message: wanted })
})

test('a call that rings is shown, once; that it was missed says no more', () => {
  const call = { callId: 'F44E', notificationParameters: [] }
  expect(told({ ...call, notification: 'CALL_VIDEO' })).toMatchObject([
    { dedupeKey: 'F44E call', conversationKey: '5519998124407', message: { type: 'call', body: 'Chamada de vídeo' } },
  ])
  expect(told({ ...call, notification: 'CALL_MISSED_VOICE' })).toEqual([])
})

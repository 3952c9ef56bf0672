import type { proto } from 'baileys'
import { expect, test } from 'vitest'
import { readableOf } from './whatsapp-readable.ts'
import { readContent } from './whatsapp-shapes.ts'

const template = (about: object): proto.IMessage => ({ templateMessage: { hydratedTemplate: about } })
const flow = (params: object) => ({ name: 'quick_reply', buttonParamsJson: JSON.stringify(params) })

test.each<[string, proto.IMessage, object]>([
  ['text', { conversation: 'Oi' }, { type: 'text', body: 'Oi' }],
  ['text with more to it', { extendedTextMessage: { text: 'Oi' } }, { type: 'text', body: 'Oi' }],
  [
    'a poll',
    { pollCreationMessageV3: { name: 'Qual dia?', options: [{ optionName: 'Sábado' }, { optionName: 'Domingo' }] } },
    { type: 'poll', body: 'Qual dia?', data: { poll: { options: ['Sábado', 'Domingo'], many: true } } },
  ],
  [
    'an event with its time and place',
    { eventMessage: { name: 'Prova', startTime: 1_772_020_800, location: { name: 'Ateliê', address: 'Rua 1' } } },
    { type: 'text', body: 'Evento: Prova\nQuando: 25/02/2026, 09:00 (horário de Brasília)\nAteliê\nRua 1' },
  ],
  [
    'a card with all that it says, the number with WhatsApp first',
    {
      contactMessage: {
        displayName: 'Rui',
        vcard:
          'BEGIN:VCARD\nFN:Rui Alves\nTEL:+55 19 3322-1100\nitem1.TEL;waid=5519998124408:+55 19 99812-4408\nitem2.EMAIL:rui@x.example\nORG:Sol;\nEND:VCARD',
      },
    },
    {
      ...{ type: 'contact', body: 'Rui' },
      data: {
        ...{ fullName: 'Rui', phoneNumber: '+55 19 99812-4408', wuid: '5519998124408' },
        more: ['+55 19 3322-1100', 'rui@x.example', 'Sol'],
      },
    },
  ],
  ['a vote', { pollUpdateMessage: {} }, { type: 'text', body: 'Votou na enquete. Veja no celular.' }],
  [
    'buttons',
    {
      buttonsMessage: {
        ...{ contentText: 'Confirma?', footerText: 'Loja' },
        buttons: [{ buttonId: 's', buttonText: { displayText: 'Sim' } }],
      },
    },
    { type: 'buttons', body: 'Confirma?', data: { buttons: [{ id: 's', text: 'Sim' }], footer: 'Loja' } },
  ],
  [
    'a template',
    template({
      ...{ hydratedTitleText: 'Pedido', hydratedContentText: 'Saiu para entrega' },
      hydratedButtons: [{ urlButton: { displayText: 'Rastrear', url: 'https://loja.example' } }],
    }),
    {
      ...{ type: 'buttons', body: 'Pedido\nSaiu para entrega' },
      data: { buttons: [{ id: 'https://loja.example', text: 'Rastrear' }] },
    },
  ],
  ['a template without buttons', template({ hydratedContentText: 'Saiu' }), { type: 'text', body: 'Saiu' }],
  [
    'a list',
    {
      listMessage: {
        ...{ title: 'Menu', description: 'Escolha', buttonText: 'Ver' },
        sections: [{ title: 'Bolos', rows: [{ title: 'Cenoura', description: 'R$ 20' }, { title: 'Fubá' }] }],
      },
    },
    { type: 'text', body: 'Menu\nEscolha\nVer\nBolos\n• Cenoura: R$ 20\n• Fubá' },
  ],
  [
    'a flow',
    {
      interactiveMessage: {
        body: { text: 'Agende' },
        nativeFlowMessage: {
          buttons: [flow({ id: 'a', display_text: 'Agendar' }), flow({ id: 2, title: 10 }), { buttonParamsJson: '{' }],
        },
      },
    },
    {
      type: 'buttons',
      body: 'Agende',
      data: {
        buttons: [
          { id: 'a', text: 'Agendar' },
          { id: '2', text: '10' },
        ],
      },
    },
  ],
  [
    'the press of a button',
    { buttonsResponseMessage: { selectedButtonId: 's', selectedDisplayText: 'Sim' } },
    { type: 'interactive_reply', body: 'Sim', data: { buttonId: 's' } },
  ],
  [
    'the press of one of a template',
    { templateButtonReplyMessage: { selectedId: '1', selectedDisplayText: 'Rastrear' } },
    { type: 'interactive_reply', body: 'Rastrear', data: { buttonId: '1' } },
  ],
  [
    'a choice of a list',
    { listResponseMessage: { title: 'Fubá', singleSelectReply: { selectedRowId: 'f' } } },
    { type: 'interactive_reply', body: 'Fubá', data: { buttonId: 'f' } },
  ],
  [
    'the answer of a flow',
    {
      interactiveResponseMessage: {
        body: { text: 'Agendar' },
        nativeFlowResponseMessage: { paramsJson: '{"id":"a"}' },
      },
    },
    { type: 'interactive_reply', body: 'Agendar', data: { buttonId: 'a' } },
  ],
  [
    'a card',
    { contactMessage: { displayName: 'Zé', vcard: 'FN:Zé\nTEL;waid=5511988887777:+55 11 98888-7777' } },
    { type: 'contact', data: { fullName: 'Zé', phoneNumber: '+55 11 98888-7777', wuid: '5511988887777' } },
  ],
  [
    'cards',
    {
      contactsArrayMessage: {
        contacts: [
          { displayName: 'Zé', vcard: 'TEL:1' },
          { displayName: 'Bia', vcard: 'item1.TEL:2' },
        ],
      },
    },
    { type: 'text', body: 'Zé: 1\nBia: 2' },
  ],
  [
    'a place',
    { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Sé' } },
    { type: 'location', body: 'Sé', data: { latitude: -23.5, longitude: -46.6, name: 'Sé' } },
  ],
  [
    'a place that moves',
    { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: 'Chegando' } },
    { type: 'location', body: 'Localização em tempo real\nChegando', data: { latitude: 1, longitude: 2 } },
  ],
  [
    'an invitation',
    { groupInviteMessage: { groupName: 'Clientes', inviteCode: 'AbC', caption: 'Entra?' } },
    { type: 'text', body: 'Convite para o grupo Clientes\nhttps://chat.whatsapp.com/AbC\nEntra?' },
  ],
  [
    'an event',
    { eventMessage: { name: 'Feira', description: 'Às 9h' } },
    { type: 'text', body: 'Evento: Feira\nÀs 9h' },
  ],
  [
    'an order',
    { orderMessage: { orderTitle: 'Cesta', itemCount: 2, totalAmount1000: 45_000, totalCurrencyCode: 'BRL' } },
    { type: 'text', body: expect.stringMatching(/^Pedido: Cesta\n2 itens\nR\$\s45,00$/) },
  ],
  [
    'a product',
    { productMessage: { product: { title: 'Mesa', priceAmount1000: 1_000_000, currencyCode: 'BRL' } } },
    { type: 'text', body: expect.stringMatching(/^Produto: Mesa\nR\$\s1\.000,00$/) },
  ],
])('%s is read', (_, content, shown) => {
  expect(readableOf(readContent(content).content)).toMatchObject(shown)
})

test('what has a file, or is of a kind that nobody knows, is not read as words', () => {
  expect(readableOf({ imageMessage: { caption: 'Oi' } })).toBeNull()
  expect(readableOf({ scheduledCallCreationMessage: {} })).toBeNull()
})

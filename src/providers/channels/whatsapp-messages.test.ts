import { expect, test } from 'vitest'
import { UNSEEN, VIEW_ONCE } from './whatsapp-content.ts'
import { eventsOfMessage, type WebMessage } from './whatsapp-messages.ts'
import type { Context } from './whatsapp-shapes.ts'

const chat = '5521977770001@s.whatsapp.net'
const read = (content: unknown, about: Partial<WebMessage> = {}) =>
  eventsOfMessage({ id: 'A1', chat, fromMe: false, name: 'Rui', timestamp: 5000, content, ...about }, () => 'aqui')
const said = (content: unknown, about?: Partial<WebMessage>) => {
  const [event] = read(content, about).events
  return event?.type === 'message' ? event.message : event
}
const within = (name: string, message: object, beside = {}) => ({ [name]: { message }, ...beside })
const photo = { imageMessage: { mimetype: 'image/jpeg', fileLength: '4000', caption: 'Portão' } }
const association = { messageContextInfo: { messageAssociation: { parentMessageKey: { id: 'ALBUM' } } } }

test.each<[string, unknown, object]>([
  [
    'a picture of an album',
    within('associatedChildMessage', photo, association),
    { type: 'image', body: 'Portão', album: 'ALBUM' },
  ],
  [
    'a sticker that moves',
    within('lottieStickerMessage', { stickerMessage: { mimetype: 'application/was' } }),
    { type: 'sticker' },
  ],
  ['an envelope that nobody knows', within('futureThingMessage', { conversation: 'Oi' }), { type: 'text', body: 'Oi' }],
  ['one in another', within('ephemeralMessage', within('botInvokeMessage', { conversation: 'Oi' })), { body: 'Oi' }],
  [
    'buttons in the envelope of what is looked at once',
    within('viewOnceMessage', {
      interactiveMessage: { body: { text: 'Confirma?' }, nativeFlowMessage: { buttons: [] } },
    }),
    { type: 'text', body: 'Confirma?' },
  ],
  ['a picture to be looked at once', within('viewOnceMessageV2', photo), { type: 'text', body: VIEW_ONCE }],
  ['an envelope with nothing in it', { viewOnceMessage: {} }, { type: 'text', body: VIEW_ONCE }],
  ['the answer to a question', { questionResponseMessage: { text: 'Às 9h' } }, { type: 'text', body: 'Às 9h' }],
  [
    'a kind that nobody knows, with words',
    { hologramMessage: { title: 'Olá', deep: { caption: 'Veja' }, fileSha256: 'x' } },
    { type: 'text', body: `Olá\nVeja\n${UNSEEN}` },
  ],
  ['a kind that nobody knows, without', { hologramMessage: { depth: 3 } }, { type: 'text', body: UNSEEN }],
  [
    'text in a wrong form',
    { extendedTextMessage: { text: ['Quero', 'dois'] } },
    { type: 'text', body: `Quero\ndois\n${UNSEEN}` },
  ],
  ['text in place of its part', { extendedTextMessage: 'Quero dois' }, { type: 'text', body: `Quero dois\n${UNSEEN}` }],
  ['a number in place of text', { conversation: 42 }, { type: 'text', body: '42' }],
  [
    'a place without degrees',
    { locationMessage: { name: 'Praça da Sé' } },
    { type: 'text', body: `Praça da Sé\n${UNSEEN}` },
  ],
  [
    'a price in no currency',
    { productMessage: { product: { title: 'Camisa', priceAmount1000: 1000, currencyCode: 'reais' } } },
    { body: 'Produto: Camisa' },
  ],
])('%s', (_, content, message) => {
  expect(said(content)).toMatchObject(message)
})

test.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'Oi'],
  ['a list', [1]],
  ['the frame of an album', { albumMessage: { expectedImageCount: 2 } }],
  ['a reaction to nothing', { reactionMessage: { key: { id: ['x'] }, text: '👍' } }],
  ['an act of an unknown kind', { protocolMessage: { key: { id: 'A' }, type: 99 } }],
])('of %s nothing is made', (_, content) => {
  expect(read(content).events).toEqual([])
})

test('what is of a wrong type is named, and takes nothing beside it away', () => {
  const { events, unread } = read({
    extendedTextMessage: { text: 'Oi', contextInfo: { stanzaId: { a: 1 }, mentionedJid: [5] } },
  })
  expect(events).toMatchObject([{ message: { body: 'Oi' } }])
  expect(unread).toEqual([
    'message extendedTextMessage.contextInfo.stanzaId',
    'message extendedTextMessage.contextInfo.mentionedJid',
  ])
})

test.each([
  null,
  undefined,
  '',
  'Rui',
  '@s.whatsapp.net',
  'undefined@s.whatsapp.net',
  '5521@s.whatsapp.net@lid',
  '1@hub',
])('without a usable conversation (%s) there is no message, but it is counted', (where) => {
  expect(read({ conversation: 'Oi' }, { chat: where })).toEqual({
    events: [],
    unread: ['message without a conversation'],
  })
})

test('a message without an id has the same whenever it comes', () => {
  const [first, again, other] = ['Oi', 'Oi', 'Olá'].map((body) => said({ conversation: body }, { id: undefined }))
  expect(first).toEqual(again)
  expect(first).not.toMatchObject({ providerId: (other as { providerId: string }).providerId })
})

test('of a group whose member is not told nobody else is said to have written', () => {
  const { events } = read({ conversation: 'Oi' }, { chat: '120363000000000009@g.us', author: undefined })
  expect(events).toMatchObject([
    { conversationKey: '120363000000000009@g.us', sender: { identity: '120363000000000009@g.us', number: null } },
  ])
})

const externalAdReply = {
  ...{
    title: 'Box de vidro',
    body: 'Orçamento grátis',
    sourceType: 'ad',
    sourceId: '9901',
    sourceUrl: 'https://fb.me/z',
  },
  thumbnailUrl: 'https://scontent.example/9.jpg',
}
const ad = {
  ...{ sourceId: '9901', url: 'https://fb.me/z', isPost: false, headline: 'Box de vidro', text: 'Orçamento grátis' },
  picture: 'https://scontent.example/9.jpg',
}

test.each<[string, Context, object | undefined]>([
  ['an ad', { externalAdReply }, ad],
  ['a post', { externalAdReply: { ...externalAdReply, sourceType: 'post' } }, { ...ad, isPost: true }],
  [
    'an ad that is told in a sealed form',
    { entryPointConversionSource: 'ctwa_ad' },
    { sourceId: '', url: '', picture: null },
  ],
  [
    'a preview of a link',
    { externalAdReply: { title: 'Notícia', sourceUrl: 'https://a.example', showAdAttribution: false } },
    undefined,
  ],
])('who came by %s', (_, contextInfo, becomes) => {
  const content = { extendedTextMessage: { text: 'Quero saber mais', contextInfo } }
  const expected = becomes ? expect.objectContaining(becomes) : undefined
  expect(said(content)).toMatchObject({ body: 'Quero saber mais' })
  expect((said(content) as { ad?: object }).ad).toEqual(expected)
  // For gateways that send it beside the message.
  expect((said({ conversation: 'Oi' }, { context: contextInfo }) as { ad?: object }).ad).toEqual(expected)
  expect(said(content, { fromMe: true })).not.toHaveProperty('message.ad')
})

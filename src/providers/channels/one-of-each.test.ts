import { proto } from 'baileys'
import { expect, test } from 'vitest'
import { eventsIn } from './meta/inbound.ts'
import { readUpdate } from './telegram/inbound.ts'
import { eventsOfMessage } from './whatsapp-messages.ts'

/** Text of one message of each kind in the protocols: it is shown, unless the kind is known to have no content. */
const WORDS = 'Quero o azul'
const chat = '5521977770001@s.whatsapp.net'

/** Kinds of WhatsApp Web without content: keys, acts on other messages, and messages between devices. */
const SILENT = new Set(
  (
    'albumMessage associatedChildMessage bcallMessage botInvokeMessage call callLogMesssage chat deviceSentMessage encCommentMessage encEventResponseMessage ' +
    'encReactionMessage fastRatchetKeySenderKeyDistributionMessage keepInChatMessage messageContextInfo messageHistoryBundle messageHistoryNotice ' +
    'pinInChatMessage pollResultSnapshotMessage pollResultSnapshotMessageV3 pollUpdateMessage protocolMessage reactionMessage secretEncryptedMessage senderKeyDistributionMessage ' +
    'stickerSyncRmrMessage'
  ).split(' '),
)
/** Contents of kinds with text in separate parts, or within an envelope. */
const OWN: Readonly<Record<string, object>> = {
  templateButtonReplyMessage: { selectedDisplayText: WORDS },
  buttonsResponseMessage: { selectedDisplayText: WORDS },
  productMessage: { product: { title: WORDS } },
  orderMessage: { orderTitle: WORDS },
  eventCoverImage: { message: { conversation: WORDS } },
  statusAddYours: { message: { conversation: WORDS } },
}
/** View once kinds, whose content is replaced by a note. */
const ONCE = /^viewOnceMessage/
const kinds = Object.keys(proto.Message.prototype).filter((key) => !/^_|^constructor$|^toJSON$/.test(key))

test('WhatsApp’s protocol is as large as it was', () => expect(kinds.length).toBeGreaterThan(80))

test.each(kinds.filter((kind) => !SILENT.has(kind)))('WhatsApp Web: %s', (kind) => {
  const parts = { text: WORDS, caption: WORDS, title: WORDS, name: WORDS, description: WORDS, body: { text: WORDS } }
  const shownOf = (content: unknown) =>
    eventsOfMessage({ id: 'A1', chat, fromMe: false, name: 'Rui', timestamp: 5000, content }, () => 'aqui')
      .events.map((event) => (event.type === 'message' ? JSON.stringify(event.message) : ''))
      .join('\n')
  const content = kind === 'conversation' ? WORDS : (OWN[kind] ?? parts)
  expect(shownOf({ [kind]: content })).toContain(ONCE.test(kind) ? 'visualização única' : WORDS)
  expect(() => shownOf({ [kind]: null })).not.toThrow()
})

/** Cloud API message of each kind, from its documentation. */
const META: Readonly<Record<string, object>> = {
  text: { body: WORDS },
  image: { id: '1', mime_type: 'image/jpeg', caption: WORDS },
  video: { id: '1', mime_type: 'video/mp4', caption: WORDS },
  document: { id: '1', mime_type: 'application/pdf', filename: 'a.pdf', caption: WORDS },
  location: { latitude: -23.5, longitude: -46.6, name: WORDS },
  contacts: [{ name: { formatted_name: WORDS }, phones: [{ phone: '+5519998124407' }] }],
  button: { text: WORDS, payload: 'x' },
  interactive: { type: 'list_reply', list_reply: { id: '2', title: WORDS } },
  order: { catalog_id: '1', text: WORDS, product_items: [{ product_retailer_id: 'a', quantity: 1 }] },
  poll: { question: WORDS },
  group_invite: { title: WORDS },
  payment: { note: WORDS },
  unsupported: { title: WORDS },
  hologram: { title: WORDS, deep: { caption: WORDS } },
}
const told = (type: string, content: unknown) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '551130000000', phone_number_id: '9' },
              contacts: [{ wa_id: '5521977770001', profile: { name: 'Rui' } }],
              messages: [
                { from: '5521977770001', id: `wamid.${type}`, timestamp: '1761040800', type, [type]: content },
              ],
            },
          },
        ],
      },
    ],
  })

test.each(Object.entries(META))('Cloud API: %s', (type, content) => {
  expect(JSON.stringify(eventsIn(told(type, content)))).toContain(WORDS)
  expect(JSON.stringify(eventsIn(told(type, null)))).toMatch(/"type":"message"|"message"/)
})

const file = { file_id: 'f', file_unique_id: 'u', file_size: 9 }
const story = { id: 1, chat: { id: -9, type: 'channel', title: WORDS, username: 'quero_o_azul' } }
/** Telegram message of each kind, from the Bot API; service messages have no content. */
const TELEGRAM: Readonly<Record<string, object>> = {
  text: { text: WORDS },
  photo: { photo: [file], caption: WORDS },
  video: { video: file, caption: WORDS },
  animation: { animation: file, caption: WORDS },
  audio: { audio: { ...file, title: 'Samba' }, caption: WORDS },
  voice: { voice: file, caption: WORDS },
  document: { document: { ...file, file_name: 'a.pdf' }, caption: WORDS },
  paid_media: { paid_media: { star_count: 5, paid_media: [{ type: 'preview' }] }, caption: WORDS },
  sticker: { sticker: { is_animated: true, emoji: WORDS } },
  contact: { contact: { phone_number: '5519998124407', first_name: WORDS } },
  location: { venue: { location: { latitude: -23.5, longitude: -46.6 }, title: WORDS, address: 'Rua 1' } },
  poll: { poll: { question: WORDS, options: [{ text: 'Sim' }] } },
  checklist: { checklist: { title: WORDS, tasks: [{ id: 1, text: 'Bolo' }] } },
  game: { game: { title: WORDS, description: 'Jogue', photo: [] } },
  invoice: { invoice: { title: WORDS, currency: 'BRL', total_amount: 3000 } },
  giveaway: { giveaway: { chats: [], winner_count: 1, prize_description: WORDS } },
  gift: { gift: { gift: { id: '1' }, text: WORDS } },
  web_app_data: { web_app_data: { button_text: 'Pedir', data: WORDS } },
  hologram: { hologram: { title: WORDS } },
}
test.each(Object.entries(TELEGRAM))('Telegram: %s', (kind, content) => {
  const message = { message_id: 5, from: { id: 77 }, chat: { id: 77, type: 'private' }, date: 1_761_040_800 }
  const shown = (more: object) =>
    JSON.stringify(readUpdate({ update_id: 9, message: { ...message, ...more } }, '7', new Date()))
  expect(shown(content)).toContain(WORDS)
  expect(() => shown({ [kind]: null })).not.toThrow()
  expect(shown({ story })).toContain('https://t.me/quero_o_azul/s/1')
})

const url = 'https://cdn.example/a'
/** One message of Messenger or Instagram per kind: its parts, or the fields beside them. */
const DIRECT: Readonly<Record<string, object>> = {
  text: { text: WORDS },
  ...Object.fromEntries(
    ['image', 'video', 'audio', 'file', 'story_mention'].map((type) => [
      type,
      { text: WORDS, attachments: [{ type, payload: { url } }] },
    ]),
  ),
  ...Object.fromEntries(
    ['share', 'ig_post', 'ig_reel', 'reel', 'post', 'fallback', 'ig_story', 'hologram'].map((type) => [
      type,
      { attachments: [{ type, payload: { title: WORDS, url } }] },
    ]),
  ),
  template: { attachments: [{ type: 'template', payload: { elements: [{ title: WORDS }] } }] },
  location: { attachments: [{ type: 'location', title: WORDS, payload: { coordinates: { lat: 1, long: 2 } } }] },
  quick_reply: { text: WORDS, quick_reply: { payload: 'x' } },
  product: { text: WORDS, referral: { product: { id: '1' } } },
  reply: { text: WORDS, reply_to: { story: { id: '1', url } } },
}
test.each(Object.entries(DIRECT))('Messenger and Instagram: %s', (_, content) => {
  for (const object of ['page', 'instagram']) {
    const shown = (message: object | null) => {
      const told = { sender: { id: '2' }, recipient: { id: '1' }, timestamp: 7, message }
      return JSON.stringify(eventsIn(JSON.stringify({ object, entry: [{ id: '1', messaging: [told] }] })))
    }
    expect(shown({ mid: 'm', ...content })).toContain(WORDS)
    expect(shown({ mid: 'm', text: WORDS, attachments: [{ type: null, payload: null }] })).toContain(WORDS)
    expect(() => shown(null)).not.toThrow()
  }
})

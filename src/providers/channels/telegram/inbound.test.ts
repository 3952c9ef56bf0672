import { expect, test } from 'vitest'
import { readUpdate } from './inbound.ts'

const NOW = new Date(1_761_040_900_000)
const person = { id: 77, is_bot: false, first_name: 'Ana', last_name: 'Reis' }
const chat = { id: 77, type: 'private', first_name: 'Ana' }
const group = { id: -100_500, type: 'supergroup', title: 'Vizinhos' }
const read = (update: object) => readUpdate({ update_id: 9, ...update }, '700', NOW)
const said = (content: object, where: object = chat) =>
  read({ message: { message_id: 5, from: person, chat: where, date: 1_761_040_800, ...content } }).events
const file = (more: object = {}) => ({ file_id: 'f', file_unique_id: 'u', file_size: 100, ...more })

test.each<[string, object, object]>([
  [
    'a photo in its largest size',
    { photo: [file({ file_id: 's', width: 90, height: 90 }), file({ width: 800, height: 600 })] },
    { type: 'image', body: '', remote: { name: 'imagem.jpg', width: 800, pointer: { fileId: 'f' } } },
  ],
  [
    'an animation, once',
    { animation: file({ duration: 2 }), document: file() },
    { type: 'video', remote: { name: 'animacao.mp4', durationMs: 2000 } },
  ],
  [
    'a film',
    {
      video: file({ file_name: 'casa.mp4' }),
      caption: 'Olhe',
      caption_entities: [{ type: 'bold', offset: 0, length: 4 }],
    },
    { type: 'video', body: '*Olhe*', remote: { name: 'casa.mp4' } },
  ],
  [
    'a round film',
    { video_note: file({ length: 240, duration: 3 }) },
    { type: 'video', remote: { width: 240, height: 240 } },
  ],
  ['a recording', { voice: file({ duration: 4 }) }, { type: 'audio', remote: { name: 'audio.ogg', durationMs: 4000 } }],
  ['a song', { audio: file({ title: 'Samba' }) }, { type: 'audio', remote: { name: 'Samba.mp3' } }],
  ['a document', { document: file({ file_name: 'nota.pdf' }) }, { type: 'document', remote: { name: 'nota.pdf' } }],
  ['a sticker', { sticker: file({ emoji: '👍' }) }, { type: 'sticker', remote: { pointer: { fileId: 'f' } } }],
  [
    'a sticker that moves, as its picture',
    { sticker: file({ is_animated: true, emoji: '👍', thumbnail: file({ file_id: 't' }) }) },
    { type: 'sticker', remote: { pointer: { fileId: 't' } } },
  ],
  [
    'a card with all that it says',
    {
      contact: {
        ...{ phone_number: '5519998124407', first_name: 'Lia', last_name: 'Prado' },
        vcard: 'BEGIN:VCARD\nFN:Lia Prado\nTEL:+55 19 99812-4407\nTEL:+55 19 3322-1100\nEMAIL:lia@x.example\nEND:VCARD',
      },
    },
    {
      ...{ type: 'contact', body: 'Lia Prado' },
      data: { fullName: 'Lia Prado', phoneNumber: '5519998124407', more: ['+55 19 3322-1100', 'lia@x.example'] },
    },
  ],
  [
    'a story, as a link to it',
    { story: { id: 12, chat: { id: -9, type: 'channel', title: 'Loja', username: 'loja' } } },
    { type: 'text', body: 'Story: https://t.me/loja/s/12' },
  ],
  [
    'a list of tasks, with what is done of it',
    {
      checklist: {
        title: 'Festa',
        tasks: [
          { id: 1, text: 'Bolo' },
          { id: 2, text: 'Velas', completion_date: 9 },
        ],
      },
    },
    { type: 'text', body: 'Festa\n• Bolo\n✓ Velas' },
  ],
  [
    'the words of a gift',
    { gift: { gift: { id: '1', star_count: 5, sticker: { emoji: '🎁' } }, text: 'Parabéns pela loja' } },
    { type: 'text', body: expect.stringMatching(/\nParabéns pela loja$/) },
  ],
  ['a form', { web_app_data: { button_text: 'Pedir', data: '2 bolos' } }, { type: 'text', body: 'Pedir: 2 bolos' }],
  [
    'a payment in stars',
    { successful_payment: { currency: 'XTR', total_amount: 50, invoice_payload: 'x' } },
    { type: 'text', body: expect.stringMatching(/^Pagamento: .*50/) },
  ],
  ['a sticker without any', { sticker: file({ is_video: true, emoji: '🎉' }) }, { type: 'text', body: '🎉' }],
  [
    'a place',
    { location: { latitude: -23.5, longitude: -46.6 } },
    { type: 'location', data: { latitude: -23.5, longitude: -46.6 } },
  ],
  [
    'a place with a name',
    {
      venue: { location: { latitude: 1, longitude: 2 }, title: 'Sé', address: 'Centro' },
      location: { latitude: 1, longitude: 2 },
    },
    { type: 'location', body: 'Sé', data: { name: 'Sé', address: 'Centro' } },
  ],
  [
    'a card',
    { contact: { phone_number: '+55 11 98888-7777', first_name: 'Padaria', last_name: 'Estrela' } },
    { type: 'contact', body: 'Padaria Estrela', data: { phoneNumber: '+55 11 98888-7777' } },
  ],
  [
    'a poll',
    { poll: { question: 'Quando?', options: [{ text: 'Hoje' }, { text: 'Amanhã' }], allows_multiple_answers: true } },
    { type: 'poll', body: 'Quando?', data: { poll: { options: ['Hoje', 'Amanhã'], many: true } } },
  ],
  ['dice', { dice: { emoji: '🎲', value: 4 } }, { type: 'text', body: '🎲 4' }],
  ['what nobody knows yet', { hologram: {} }, { type: 'text', body: expect.stringContaining('Veja no Telegram') }],
  [
    'what is too large for bots, in words',
    { video: file({ file_name: 'festa.mp4', file_size: 35_000_000 }), caption: 'A festa' },
    {
      type: 'text',
      body: expect.stringMatching(
        /^A festa\nArquivo “festa.mp4” \(35 MB\): o Telegram não entrega a bots arquivos de mais de 20 MB/,
      ),
    },
  ],
])('reads %s', (_, content, becomes) => {
  expect(said(content)).toMatchObject([
    {
      type: 'message',
      dedupeKey: expect.stringMatching(/^700\/77\/5( u)?$/),
      conversationKey: '77',
      sender: { identity: '77', name: 'Ana Reis' },
      message: { providerId: '700/77/5', timestamp: 1_761_040_800_000, ...becomes },
    },
  ])
})

test('an answer, what was passed on, an album', () => {
  const about = {
    text: 'Sim',
    reply_to_message: { message_id: 3 },
    forward_origin: { type: 'user' },
    media_group_id: '99',
  }
  expect(said(about)).toMatchObject([{ message: { quotedProviderId: '700/77/3', isForwarded: true, album: '99' } }])
  expect(
    said({ text: 'Oi', reply_to_message: { message_id: 1, forum_topic_created: {} } }, group)[0],
  ).not.toHaveProperty('message.quotedProviderId')
})

test('only who gives away their own number is known by it', () => {
  const contact = { phone_number: '5511988887777', first_name: 'Ana', user_id: 77 }
  expect(said({ contact })[1]).toMatchObject({
    type: 'addresses',
    sender: { identity: '77', alias: '77', number: '5511988887777' },
  })
  expect(said({ contact: { ...contact, user_id: 78 } })).toHaveLength(1)
  expect(said({ contact, forward_origin: { type: 'user' } })).toHaveLength(1)
  expect(said({ contact }, group)).toHaveLength(1)
})

test('groups: who writes, who comes and goes, what it is called, where it goes on', () => {
  expect(said({ text: 'Bom dia' }, group)).toMatchObject([
    { conversationKey: '-100500', isGroup: true, groupName: 'Vizinhos', sender: { identity: '77' } },
  ])
  expect(said({ text: 'Aviso', sender_chat: group }, group)).toMatchObject([
    { sender: { identity: '-100500', name: 'Vizinhos' } },
  ])
  const bot = { id: 700, is_bot: true, first_name: 'Bot' }
  expect(said({ new_chat_members: [{ ...person, id: 78, first_name: 'Bia' }, bot] }, group)).toMatchObject([
    { type: 'participants', change: 'add', by: '77', members: [{ identity: '78', name: 'Bia Reis' }] },
  ])
  expect(said({ left_chat_member: { ...person, id: 78 } }, group)).toMatchObject([
    { type: 'participants', change: 'remove' },
  ])
  expect(said({ new_chat_title: 'Bairro' }, group)).toMatchObject([{ type: 'profile', name: 'Bairro' }])
  expect(said({ new_chat_photo: [file()] }, group)).toMatchObject([{ type: 'picture', conversationKey: '-100500' }])
  const [one] = said({ migrate_to_chat_id: -100_500 }, { id: -4, type: 'group' })
  const [other] = said({ migrate_from_chat_id: -4 }, group)
  expect(one).toEqual(other)
  expect(one).toMatchObject({ type: 'moved', conversationKey: '-4', to: '-100500' })
  expect(said({ text: 'Notícia' }, { id: -7, type: 'channel', title: 'Canal' })).toEqual([])
})

test('a replaced file comes as an answer to the message, the same one with other words does not', () => {
  const photo = (unique: string) => [file({ file_unique_id: unique, width: 9, height: 9 })]
  const edited = (content: object) =>
    read({ edited_message: { message_id: 5, from: person, chat, date: 1_761_040_800, ...content } }).events
  const [first] = said({ photo: photo('a'), caption: 'Era' })
  const [edit, same] = edited({ photo: photo('a'), caption: 'É' })
  expect(edit).toMatchObject({ type: 'edit', providerId: '700/77/5', body: 'É' })
  expect(same!.dedupeKey).toBe(first!.dedupeKey)
  const other = edited({ photo: photo('b') })
  expect(other).toMatchObject([
    { type: 'message', message: { type: 'image', providerId: '700/77/5/b', quotedProviderId: '700/77/5' } },
  ])
  expect(other[0]!.dedupeKey).not.toBe(first!.dedupeKey)
})

test('a wrong type is dropped and counted, null is nothing; words of a new kind are shown; without a place there is nothing', () => {
  const odd = { text: 'Oi', caption: null, entities: [{ type: 'bold', offset: -4, length: 2 }], photo: 'x', date: null }
  expect(read({ message: { message_id: '5', chat: { id: '77', type: 'private' }, ...odd } })).toMatchObject({
    events: [{ conversationKey: '77', message: { body: 'Oi', timestamp: NOW.getTime() } }],
    unread: ['message.photo'],
  })
  const hologram = { title: 'Mudança', parts: [{ id: 1, text: 'Caixas' }] }
  expect(said({ hologram }, group)).toMatchObject([
    { message: { type: 'text', body: expect.stringMatching(/Veja no Telegram\.\nMudança\nCaixas$/) } },
  ])
  expect(read({ message: { text: 'Oi', chat: { type: 'private' } } })).toMatchObject({
    events: [],
    unread: ['message'],
  })
  expect(readUpdate('x', '700', NOW)).toEqual({ events: [], press: null, unread: ['update'] })
})

test('edits, reactions, presses, and who blocks the bot', () => {
  const of = { message_id: 5, chat, date: 1_761_040_800 }
  expect(
    read({ edited_message: { ...of, from: person, edit_date: 1_761_040_860, text: 'Certo' } }).events,
  ).toMatchObject([
    {
      ...{ type: 'edit', providerId: '700/77/5', body: 'Certo', timestamp: 1_761_040_860_000 },
      author: { identity: String(person.id) },
    },
  ])
  expect(read({ edited_message: { ...of, location: { latitude: 1, longitude: 2 } } }).events).toEqual([])
  const react = (...emojis: string[]) =>
    read({
      message_reaction: {
        ...of,
        user: person,
        old_reaction: [],
        new_reaction: emojis.map((emoji) => ({ type: 'emoji', emoji })),
      },
    }).events
  expect(react('❤')).toMatchObject([{ type: 'reaction', emoji: '❤️', author: { identity: String(person.id) } }])
  expect(react()).toMatchObject([{ emoji: null }])
  expect(
    read({ message_reaction: { ...of, new_reaction: [{ type: 'custom_emoji', custom_emoji_id: '1' }] } }).events,
  ).toEqual([])
  const reply_markup = { inline_keyboard: [[{ text: 'Sim', callback_data: 'a' }]] }
  const press = read({ callback_query: { id: 'q', from: person, data: 'a', message: { ...of, reply_markup } } })
  expect(press).toMatchObject({
    press: 'q',
    events: [
      {
        dedupeKey: '700/press/q',
        message: {
          type: 'interactive_reply',
          body: 'Sim',
          data: { buttonId: 'a' },
          quotedProviderId: '700/77/5',
          timestamp: NOW.getTime(),
        },
      },
    ],
  })
  expect(read({ callback_query: { id: 'q', from: person, inline_message_id: 'i' } })).toEqual({
    events: [],
    press: 'q',
    unread: [],
  })
  const member = (status: string) =>
    read({ my_chat_member: { chat, date: 1_761_040_800, new_chat_member: { status } } }).events
  expect(member('kicked')).toMatchObject([{ type: 'blocking', conversationKey: '77', blocksUs: true }])
  expect(member('member')).toMatchObject([{ blocksUs: false }])
  expect(read({ channel_post: { chat } })).toEqual({ events: [], press: null, unread: ['channel_post'] })
})

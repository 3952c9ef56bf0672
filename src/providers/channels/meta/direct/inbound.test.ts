import { expect, test } from 'vitest'
import { eventsIn } from '../inbound.ts'

const said = (message: object, object: 'page' | 'instagram' = 'page', more: object = {}) => {
  const messaging = [{ sender: { id: '2' }, recipient: { id: '1' }, timestamp: 7, message: { mid: 'm', ...message } }]
  const { events, unread } = eventsIn(JSON.stringify({ object, entry: [{ id: '1', messaging, ...more }] }))
  return { messages: events.map(({ event }) => ('message' in event ? event.message : null)), unread }
}
const link = 'https://cdn.example/a'
const image = (body: string, url = link) => ({ type: 'image', body, remote: { pointer: { link: url } } })

test.each<[string, object, object[]]>([
  [
    'a link that is shared, with its words',
    {
      text: 'Olha https://casa.example/x',
      attachments: [
        {
          ...{ type: 'fallback', title: 'Casa', payload: null },
          url: 'https://l.instagram.com/?u=https%3A%2F%2Fcasa.example%2Fx&e=1',
        },
      ],
    },
    [{ type: 'text', body: 'Olha https://casa.example/x\nCasa' }],
  ],
  ['lists that are null', { text: 'Bom dia', attachments: null, reply_to: null }, [{ type: 'text', body: 'Bom dia' }]],
  [
    'a story that is passed on',
    {
      text: 'Igual a este',
      attachments: [{ type: 'ig_story', payload: { story_media_id: 9, story_media_url: link } }],
    },
    [image('Igual a este\nCompartilhou um story')],
  ],
  [
    'a post that comes twice',
    {
      attachments: [
        { type: 'share', payload: { url: link } },
        { type: 'ig_post', payload: { title: 'Verão', url: link } },
      ],
    },
    [{ type: 'text', body: `${link}\nVerão` }],
  ],
  [
    'a sticker that comes as a picture too',
    {
      attachments: [
        { type: 'image', payload: { url: link, sticker_id: 1 } },
        { type: 'sticker', payload: { url: link, sticker_id: 1 } },
      ],
    },
    [{ type: 'sticker', remote: { pointer: { link } } }],
  ],
  [
    'a kind that is called as what every object has',
    { attachments: [{ type: 'constructor', payload: { url: link } }] },
    [{ type: 'text', body: link }],
  ],
  [
    'two pictures of one link',
    { attachments: [0, 1].map(() => ({ type: 'image', payload: { url: link } })) },
    [image(''), image('')],
  ],
  [
    'a place',
    { attachments: [{ type: 'location', title: 'Praça', payload: { coordinates: { lat: '-23.5', long: -46.6 } } }] },
    [{ type: 'location', body: 'Praça', data: { latitude: -23.5, longitude: -46.6, name: 'Praça' } }],
  ],
  [
    'a question about a product of the shop',
    { text: 'Tem azul?', referral: { product: { id: '4455' } } },
    [{ type: 'text', body: 'Tem azul?\nProduto: 4455' }],
  ],
  ['a heart', { attachments: [{ type: 'like_heart' }] }, [{ type: 'text', body: '❤' }]],
  [
    'a kind that nobody knows yet',
    { attachments: [{ type: 'booking', payload: { slots: [{ title: 'Quinta', where: 'Rua das Flores 3' }] } }] },
    [{ type: 'text', body: 'Mensagem de um tipo que o Messenger não mostra aqui.\nQuinta\nRua das Flores 3' }],
  ],
])('reads %s', (_, message, becomes) => {
  const { messages, unread } = said(message)
  expect(messages).toHaveLength(becomes.length)
  expect(messages).toMatchObject(becomes)
  expect(unread).toEqual([])
})

test('a value of a wrong type is counted, and keeps neither its message nor those beside it from coming in', () => {
  const broken = {
    messaging: [5, { sender: {}, message: { text: 'de ninguém' } }],
    changes: [{ field: 'x', value: 'y' }],
  }
  expect(
    said({
      text: ['a'],
      attachments: [
        { type: 'image', payload: 'x' },
        { type: 'file', payload: { url: link } },
      ],
    }),
  ).toMatchObject({
    messages: [{ type: 'document', body: expect.stringContaining('não mostra aqui') }],
    unread: ['page.messaging.message.text', 'page.messaging.message.attachments.payload'],
  })
  expect(said({}, 'instagram', broken)).toEqual({
    messages: [],
    unread: ['instagram.messaging', 'instagram.messaging', 'instagram.x', 'instagram.entry.changes.value'],
  })
})

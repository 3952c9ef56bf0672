import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventsIn } from './inbound.ts'

const about = { from: '5511988887777', id: 'wamid.1', timestamp: '1760000000' }
const known = { profile: { name: 'Ana' }, wa_id: '5511988887777', user_id: 'BR.15' }

const bodyOf = (value: object, field = 'messages', object = 'whatsapp_business_account') =>
  JSON.stringify({
    object,
    entry: [
      { id: 'W', changes: [{ field, value: { metadata: { phone_number_id: 'P' }, contacts: [known], ...value } }] },
    ],
  })
const said = (message: object) => eventsIn(bodyOf({ messages: [{ ...about, ...message }] }))
const file = { id: 'M', mime_type: 'image/jpeg', sha256: 'x' }
const pointer = { mediaId: 'M', phoneId: 'P' }
const remote = (name: string) => ({ name, size: null, pointer })

test.each([
  ['text', { text: { body: 'ação ☂' } }, { type: 'text', body: 'ação ☂' }],
  ['image', { image: { ...file, caption: 'Veja' } }, { type: 'image', body: 'Veja', remote: remote('imagem.jpeg') }],
  ['video', { video: { id: 'M', mime_type: 'video/mp4' } }, { type: 'video', body: '', remote: remote('video.mp4') }],
  [
    'audio',
    { audio: { id: 'M', mime_type: 'audio/ogg; codecs=opus', voice: true } },
    { type: 'audio', body: '', remote: remote('audio.ogg') },
  ],
  [
    'document',
    { document: { id: 'M', filename: 'conta.pdf', caption: 'A conta' } },
    { type: 'document', body: 'A conta', remote: remote('conta.pdf') },
  ],
  ['sticker', { sticker: { id: 'M', mime_type: 'image/webp' } }, { type: 'sticker', remote: remote('figurinha.webp') }],
  ['sticker', { sticker: { id: 'M' } }, { remote: remote('figurinha.bin') }],
  [
    'location',
    { location: { latitude: -23.5, longitude: -46.6, name: 'Sé', url: 'https://x' } },
    { type: 'location', body: 'Sé', data: { latitude: -23.5, longitude: -46.6, name: 'Sé' } },
  ],
  [
    'contacts',
    { contacts: [{ name: { formatted_name: 'Rui' }, phones: [{ phone: '+55 11 9', wa_id: '55119' }] }] },
    { type: 'contact', body: 'Rui', data: { fullName: 'Rui', phoneNumber: '+55 11 9', wuid: '55119' } },
  ],
  [
    'button',
    { button: { text: 'Sim', payload: 'yes' } },
    { type: 'interactive_reply', body: 'Sim', data: { buttonId: 'yes' } },
  ],
  [
    'interactive',
    { interactive: { type: 'button_reply', button_reply: { id: 'b1', title: 'Quero' } } },
    { type: 'interactive_reply', body: 'Quero', data: { buttonId: 'b1' } },
  ],
  [
    'interactive',
    { interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Pizza', description: 'Grande' } } },
    { type: 'interactive_reply', body: 'Pizza', data: { buttonId: 'r1' } },
  ],
  [
    'interactive',
    {
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { response_json: '{"flow_token":"s","dia":"terça","itens":["a","b"]}' },
      },
    },
    { type: 'interactive_reply', body: 'dia: terça\nitens: a, b' },
  ],
  [
    'interactive',
    { interactive: { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '{' } } },
    { body: 'Sent' },
  ],
  [
    'order',
    { order: { text: 'Hoje', product_items: [{ product_retailer_id: 'BOLO', quantity: 2 }] } },
    { type: 'order', body: 'Hoje\n2 × BOLO' },
  ],
  [
    'order',
    {
      order: {
        product_items: [
          { product_retailer_id: 'PÃO', quantity: '3', item_price: 1.5, currency: 'BRL' },
          { product_retailer_id: 'MEL', quantity: 1, item_price: '20', currency: 'BRL' },
        ],
      },
    },
    { type: 'order', body: '3 × PÃO · R$\u00a01,50\n1 × MEL · R$\u00a020,00\nTotal: R$\u00a024,50' },
  ],
  [
    'text',
    { text: { body: 'Tem maior?' }, context: { referred_product: { catalog_id: '4', product_retailer_id: 'MESA-2' } } },
    { type: 'text', body: 'Tem maior?\nProduto: MESA-2' },
  ],
  [
    'interactive',
    { interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } } },
    { type: 'interactive_reply', body: 'Aceitou receber ligações' },
  ],
  [
    'contacts',
    {
      contacts: [
        {
          name: { formatted_name: null, first_name: 'Ivo', last_name: 'Sá' },
          phones: [{ phone: '11 3000-0000' }, { phone: '+55 11 97000-0000', wa_id: '5511970000000' }],
          emails: [{ email: 'ivo@sa.example' }],
          org: { company: 'Sá & Filhos', title: 'Sócio' },
        },
      ],
    },
    {
      type: 'contact',
      data: {
        ...{ fullName: 'Ivo Sá', phoneNumber: '+55 11 97000-0000', wuid: '5511970000000' },
        more: ['11 3000-0000', 'ivo@sa.example', 'Sá & Filhos · Sócio'],
      },
    },
  ],
  [
    'contacts',
    { contacts: [{ name: { formatted_name: 'Advogada' }, emails: [{ email: 'a@b.example' }], phones: null }] },
    { type: 'contact', data: { fullName: 'Advogada', phoneNumber: '', more: ['a@b.example'] } },
  ],
  ['unsupported', { errors: [{ code: 131051 }] }, { body: 'Mensagem de um tipo que o WhatsApp não mostra aqui.' }],
])('reads %s', (type, message, expected) => {
  const { events, unread } = said({ type, ...message })
  expect(unread).toEqual([])
  expect(events).toMatchObject([
    {
      account: 'P',
      event: {
        ...{ type: 'message', dedupeKey: 'wamid.1', conversationKey: '5511988887777' },
        sender: { identity: '5511988887777', name: 'Ana', number: '5511988887777' },
        message: { providerId: 'wamid.1', timestamp: 1_760_000_000_000, ...expected },
      },
    },
  ])
})

test('each of several cards is a message of its own', () => {
  const names = ['Rui', 'Lu'].map((formatted_name) => ({ name: { formatted_name } }))
  const { events } = said({ type: 'contacts', contacts: names })
  expect(events.map(({ event }) => event.dedupeKey)).toEqual(['wamid.1', 'wamid.1:1'])
})

test('a quotation and what was passed on are known as such', () => {
  const { events } = said({
    type: 'text',
    text: { body: 'oi' },
    context: { id: 'wamid.0', frequently_forwarded: true },
  })
  expect(events[0]!.event).toMatchObject({ message: { quotedProviderId: 'wamid.0', isForwarded: true } })
})

test.each([
  ['👍', '👍'],
  [undefined, null],
])('a reaction %s', (emoji, expected) => {
  const { events } = said({ type: 'reaction', reaction: { message_id: 'wamid.0', emoji } })
  expect(events[0]!.event).toMatchObject({ type: 'reaction', providerId: 'wamid.0', emoji: expected })
})

test('who hides their number is known by the id that Meta has for them, and by both where there are both', () => {
  const text = { type: 'text', text: { body: 'oi' } }
  expect(said({ ...text, from: undefined, from_user_id: 'BR.15' }).events[0]!.event).toMatchObject({
    conversationKey: 'BR.15',
    sender: { identity: 'BR.15', number: null, name: 'Ana' },
  })
  expect(said({ ...text, from_user_id: 'BR.15' }).events[0]!.event).toMatchObject({
    conversationKey: '5511988887777',
    sender: { alias: 'BR.15' },
  })
  expect(said({ ...text, from: undefined, from_user_id: 'BR.99' }).events[0]!.event).toMatchObject({
    sender: { name: 'Contato com número oculto' },
  })
})

test('who opens the conversation has said nothing', () => {
  expect(said({ type: 'request_welcome' })).toEqual({ events: [], unread: [], templates: [], numbers: [] })
})

test('a changed number and id lead to the same person, who said nothing', () => {
  const system = { type: 'user_changed_number', body: 'Ana mudou', wa_id: '5511977776666', user_id: 'BR.16' }
  const { events } = said({ type: 'system', system: { ...system, previous_user_id: 'BR.15' } })
  const sender = { alias: '5511977776666', number: '5511977776666' }
  expect(events.map(({ event }) => event)).toEqual(
    ['BR.16', '5511988887777', 'BR.15'].map((identity, n) => ({
      ...{ type: 'addresses', dedupeKey: `wamid.1:${n}`, conversationKey: identity },
      sender: { identity, ...sender },
    })),
  )
  const hidden = { type: 'system', from: undefined, system: { user_id: 'BR.16', previous_user_id: 'BR.15' } }
  expect(said(hidden).events[0]!.event).toMatchObject({ sender: { identity: 'BR.15', alias: 'BR.16', number: null } })
})

test('whoever comes from an ad brings it along', () => {
  const referral = {
    ...{ source_url: 'https://fb.me/1', source_type: 'ad', source_id: '77', headline: 'Pizza', body: 'Hoje' },
    ...{ media_type: 'image', image_url: 'https://scontent.test/1.png', ctwa_clid: 'x' },
  }
  const { events } = said({ type: 'text', text: { body: 'oi' }, referral })
  expect(events[0]!.event).toMatchObject({
    message: {
      ad: {
        ...{ sourceId: '77', url: 'https://fb.me/1', isPost: false, headline: 'Pizza', text: 'Hoje' },
        picture: 'https://scontent.test/1.png',
      },
    },
  })
})

test('what the company wrote elsewhere belongs to whom it was for', () => {
  const echo = {
    from: '551130',
    to: '5511988887777',
    id: 'wamid.2',
    timestamp: '1760000000',
    type: 'text',
    text: { body: 'x' },
  }
  expect(eventsIn(bodyOf({ message_echoes: [echo] }, 'smb_message_echoes')).events).toMatchObject([
    { event: { type: 'echo', conversationKey: '5511988887777', sender: { name: 'Ana' } } },
  ])
})

const ID = '0b1c2d3e-4f50-4617-8a9b-0c1d2e3f4a5b'
test.each([
  ['this app', 7, ID, { type: 'receipt', messageId: ID }],
  ['another app, with an id of its own', 8, ID, { type: 'echo', message: { body: 'Oi' } }],
  ['this app, with what is no id', 7, 'a'.repeat(36), { type: 'echo', mayBeOurs: true }],
])('what left a page by %s', (_, app_id, metadata, event) => {
  const message = { mid: 'm_1', is_echo: true, text: 'Oi', app_id, metadata }
  const messaging = [{ sender: { id: '1' }, recipient: { id: '2' }, timestamp: 1, message }]
  const body = JSON.stringify({ object: 'page', entry: [{ id: '1', messaging }] })
  expect(eventsIn(body, '7').events).toMatchObject([{ account: '1', event }])
})

test.each(['sent', 'delivered', 'read', 'played'])('a status %s, once for each time', (status) => {
  const one = { id: 'wamid.3', status, timestamp: '1760000001', recipient_id: '5511988887777' }
  expect(eventsIn(bodyOf({ statuses: [one] })).events).toEqual([
    {
      account: 'P',
      event: {
        ...{ type: 'receipt', dedupeKey: `wamid.3:${status}:1760000001`, conversationKey: '5511988887777' },
        ...{ providerId: 'wamid.3', status, timestamp: 1_760_000_001_000 },
      },
    },
  ])
})

test('a failed one says why in our words', () => {
  const one = {
    id: 'wamid.3',
    status: 'failed',
    timestamp: '1760000001',
    errors: [{ code: 131047, title: 'Re-engagement' }],
  }
  expect(eventsIn(bodyOf({ statuses: [one] })).events[0]!.event).toMatchObject({
    error: 'Passaram 24 horas da última mensagem do contato. Envie um modelo aprovado.',
  })
})

test.each([
  [
    'what the system says of nobody',
    bodyOf({ messages: [{ id: 'x', timestamp: '1', type: 'system', system: {} }] }),
    'message.system',
  ],
  ['an unknown status', bodyOf({ statuses: [{ id: 'x', status: 'warning', timestamp: '1' }] }), 'statuses.warning'],
  ['an unknown field', bodyOf({}, 'security'), 'whatsapp_business_account.security'],
  ['another object', bodyOf({}, 'messages', 'page'), 'page.messages'],
  [
    'what is of a group that cannot be told',
    bodyOf({ messages: [{ ...about, type: 'text', text: { body: 'oi' }, group_id: { id: 'G' } }] }),
    ['message.text of a group', 'message.group_id'],
  ],
  ['nobody', bodyOf({ contacts: [], messages: [{ ...about, from: undefined, type: 'text' }] }), 'message.text'],
])('counts %s, and makes nothing of it', (_, body, name) => {
  expect(eventsIn(body)).toEqual({ events: [], unread: [name].flat(), templates: [], numbers: [] })
})

const hello = { sender: { id: '2' }, recipient: { id: '1' }, timestamp: 1 }
const onPage = (message: object) =>
  JSON.stringify({
    object: 'page',
    entry: [{ id: '1', messaging: [{ ...hello, message: { mid: 'm_1', ...message } }] }],
  })
test.each([
  [
    'an unknown answer',
    bodyOf({ messages: [{ ...about, type: 'interactive', interactive: {} }] }),
    'message.interactive',
  ],
  ['an unknown kind', bodyOf({ messages: [{ ...about, type: 'hologram', hologram: {} }] }), 'message.hologram'],
  ['what has nothing in it that is shown', onPage({ attachments: [{ type: 'template' }] }), 'page.message'],
])('%s is counted, and shown as something that cannot be shown', (_, body, name) => {
  const { events, unread } = eventsIn(body)
  expect(unread).toEqual([name])
  const shown = expect.stringMatching(/^Mensagem de um tipo que o (WhatsApp|Messenger) não mostra aqui\.$/)
  expect(events).toMatchObject([{ event: { type: 'message', message: { type: 'text', body: shown } } }])
})

test('an unknown kind of what the company wrote elsewhere is counted alone', () => {
  const echo = { ...about, to: '5511988887777', type: 'hologram' }
  expect(eventsIn(bodyOf({ message_echoes: [echo] }, 'smb_message_echoes'))).toMatchObject({
    ...{ events: [], unread: ['echo.hologram'] },
  })
})

test.each<[string, object, string, readonly string[]]>([
  ['a text that is none', { type: 'text', text: 'Cadê meu pedido?' }, 'Cadê meu pedido?', ['message.text']],
  ['a picture that cannot be fetched', { type: 'image', image: { caption: 'A nota', id: null } }, 'A nota', []],
  [
    'a new kind',
    { type: 'bill', bill: { lines: [{ title: 'Luz' }], pay: 'https://pay.example/1' } },
    'Luz\nhttps://pay.example/1',
    [],
  ],
  ['an edit without what it edits', { type: 'edit', edit: { message: { text: { body: 'Doze' } } } }, 'Doze', []],
])('of %s all its words are shown, and it is counted', (_, message, words, wrong) => {
  const { events, unread } = said(message)
  const body = `Mensagem de um tipo que o WhatsApp não mostra aqui.\n${words}`
  expect(events).toMatchObject([{ event: { type: 'message', message: { type: 'text', body } } }])
  expect(unread).toEqual([`message.${(message as { type: string }).type}`, ...wrong])
})

test('null counts as missing, a wrong type too; without an id or a time it comes in all the same', () => {
  const odd = { from: '5511988887777', text: { body: 'oi', preview_url: null }, context: null, referral: null }
  const { events, unread } = eventsIn(bodyOf({ messages: [{ ...odd, type: null, timestamp: ['1'] }] }), '', 5000)
  const again = eventsIn(bodyOf({ messages: [{ ...odd, type: null, timestamp: ['1'] }] }), '', 9000)
  expect(events).toMatchObject([
    { event: { dedupeKey: expect.stringMatching(/^unnamed:/), message: { timestamp: 5000, body: 'oi' } } },
  ])
  expect(again.events[0]!.event.dedupeKey).toBe(events[0]!.event.dedupeKey)
  expect(unread).toEqual(['message.timestamp'])
})

test('what is said in a group stands there', () => {
  const { events } = said({ type: 'text', text: { body: 'Bom dia' }, group_id: 'Y2FwaV9ncm91cDo5' })
  expect(events).toMatchObject([
    {
      event: { conversationKey: 'Y2FwaV9ncm91cDo5', isGroup: true, sender: { identity: '5511988887777', name: 'Ana' } },
    },
  ])
})

test('what was edited or taken back is', () => {
  const picture = { type: 'image', image: { caption: 'A certa' } }
  const of = { original_message_id: 'wamid.0' }
  const { events, unread } = eventsIn(
    bodyOf({
      messages: [
        { ...about, type: 'edit', edit: { ...of, message: picture } },
        { ...about, id: 'wamid.2', type: 'revoke', revoke: of },
      ],
    }),
  )
  const act = { conversationKey: '5511988887777', providerId: 'wamid.0', timestamp: 1_760_000_000_000 }
  expect(events.map(({ event }) => event)).toEqual([
    { type: 'edit', dedupeKey: 'wamid.1', ...act, body: 'A certa' },
    { type: 'revoke', dedupeKey: 'wamid.2', ...act },
  ])
  expect(unread).toEqual([])
})

test('a form says lists, groups of fields and files in words, and its files come too', () => {
  const photo = { id: 8001, mime_type: 'image/png', sha256: 'x', file_name: 'muro.png' }
  const form = { flow_token: 's', obra: { rua: 'B', numero: 7 }, urgente: false, fotos: [photo], dias: ['seg', 'ter'] }
  const nfm_reply = { name: 'flow', response_json: JSON.stringify(form) }
  const { events } = said({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } })
  expect(events.map(({ event }) => 'message' in event && event.message)).toMatchObject([
    { type: 'interactive_reply', body: 'obra: rua: B, numero: 7\nurgente: não\nfotos: muro.png\ndias: seg, ter' },
    { type: 'image', remote: { name: 'muro.png', pointer: { mediaId: '8001', phoneId: 'P' } } },
  ])
})

test('whatever stands beside it, a message comes in', () => {
  const good = { ...about, type: 'text', text: { body: 'oi' } }
  fc.assert(
    fc.property(
      fc.array(fc.record({ type: fc.constantFrom('text', 'order', 'image', 'x'), text: fc.jsonValue() })),
      (all) => {
        const { events } = eventsIn(bodyOf({ messages: [...all.map((one) => ({ ...about, ...one })), good] }))
        expect(events).toHaveLength(all.length + 1)
        expect(events.at(-1)!.event).toMatchObject({ message: { body: 'oi' } })
      },
    ),
  )
})

/** Returns the events of one change in a number's webhook of 2026. */
const changed = (field: string, value: object) => eventsIn(bodyOf(value, field)).events.map(({ event }) => event)

test('a card that a contact gives on request is theirs, also where the message does not name its sender', () => {
  const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ana Prado\nTEL;TYPE=CELL:5511988887777\nEND:VCARD'
  const card = { id: 'wamid.9', type: 'contacts', origin: 'contact_request/other', timestamp: '1760000000' }
  const told = (phones: object) =>
    changed('messages', {
      contacts: [{ profile: { name: 'Ana' }, user_id: 'BR.15' }],
      messages: [{ ...card, contacts: [{ vcard, ...phones }] }],
    })
  for (const phones of [{ phones: [{ phone: '5511988887777' }] }, {}])
    expect(told(phones)).toMatchObject([
      {
        ...{ type: 'message', conversationKey: 'BR.15', sender: { identity: 'BR.15', name: 'Ana', number: null } },
        message: { type: 'contact', data: { fullName: 'Ana Prado', phoneNumber: '5511988887777' } },
      },
    ])
})

test('a call that a contact begins rings in their conversation; what becomes of it says nothing', () => {
  const call = { id: 'wacid.1', from: '5511988887777', to: '1', timestamp: '1760000000', direction: 'USER_INITIATED' }
  const session = { sdp: 'v=0\r\nm=audio 3480 UDP/TLS/RTP/SAVPF 111', sdp_type: 'offer' }
  expect(changed('calls', { calls: [{ ...call, event: 'connect', session }] })).toMatchObject([
    { type: 'message', conversationKey: '5511988887777', message: { type: 'call', body: 'Chamada de voz' } },
  ])
  expect(changed('calls', { calls: [{ ...call, event: 'terminate', status: 'COMPLETED', duration: 12 }] })).toEqual([])
  expect(
    changed('calls', { calls: [{ ...call, event: 'connect', direction: 'BUSINESS_INITIATED', session }] }),
  ).toEqual([])
})

test('who gets another id stays who they are', () => {
  const user_id = { previous: 'BR.15', current: 'BR.16' }
  expect(changed('user_id_update', { user_id_update: [{ user_id, timestamp: '1760000000' }] })).toMatchObject([
    { type: 'addresses', conversationKey: 'BR.15', sender: { alias: 'BR.16', number: null } },
  ])
  expect(changed('user_id_update', { user_id_update: [{ wa_id: '5511988887777', user_id }] })).toMatchObject([
    { conversationKey: 'BR.15', sender: { alias: '5511988887777', number: '5511988887777' } },
    { conversationKey: 'BR.16', sender: { alias: '5511988887777' } },
  ])
})

test('of a group one hears who comes and goes, and what one member read is not read by all', () => {
  const group = { group_id: 'G', timestamp: '1760000000' }
  const added = [{ wa_id: '5511988887777', username: '@ana' }]
  expect(
    changed('group_participants_update', {
      groups: [
        { ...group, type: 'group_participants_add', added_participants: added },
        { ...group, type: 'group_participants_remove', removed_participants: [{ user_id: 'BR.15' }] },
      ],
    }),
  ).toMatchObject([
    { type: 'participants', conversationKey: 'G', change: 'add', members: [{ identity: '5511988887777' }] },
    { type: 'participants', change: 'remove', members: [{ identity: 'BR.15', number: null }] },
  ])
  const read = { id: 'wamid.1', timestamp: '1760000000', recipient_id: 'G', recipient_type: 'group' }
  expect(changed('messages', { statuses: [{ ...read, status: 'read' }] })).toEqual([])
  expect(changed('messages', { statuses: [{ ...read, status: 'failed' }] })).toMatchObject([{ status: 'failed' }])
})

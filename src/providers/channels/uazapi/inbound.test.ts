import { expect, test } from 'vitest'
import { readCall } from './inbound.ts'

const now = new Date('2026-03-04T12:00:00Z')
/** Fields that UAZAPI sends with every message, empty if unused. */
const EMPTY = {
  ...{ buttonOrListid: '', convertOptions: '', edited: '', mediaType: '', quoted: '', reaction: '', status: '' },
  ...{ track_id: '', track_source: '', vote: '', text: '' },
}
const about = {
  ...{ id: '5519999990000:AC98', messageid: 'AC98', chatid: '5519998124407@s.whatsapp.net', fromMe: false },
  ...{ chatlid: '138401042923712@lid', sender: '138401042923712@lid', sender_lid: '138401042923712@lid' },
  ...{ sender_pn: '5519998124407@s.whatsapp.net', senderName: 'Lia', groupName: 'Unknown', isGroup: false },
  ...{ owner: '5519999990000', messageTimestamp: 1770146178000, source: 'android', wasSentByApi: false },
}
const chat = { wa_chatid: '5519998124407@s.whatsapp.net', wa_chatlid: '138401042923712@lid', wa_isGroup: false }
const told = (message: object) => {
  const body = { EventType: 'messages', instanceName: 'loja', chat, message: { ...EMPTY, ...about, ...message } }
  const read = readCall(
    Buffer.from(JSON.stringify({ ...body, owner: '5519999990000', token: 'x' })),
    { name: 'loja' },
    now,
  )
  return read.isGenuine ? { events: read.events.map(({ event }) => event), unread: read.unread } : null
}

test('what it leaves empty takes nothing from what it says', () => {
  const content = { text: 'Oi', previewType: 0, contextInfo: { expiration: 0 } }
  expect(told({ messageType: 'ExtendedTextMessage', type: 'text', text: 'Oi', content })).toEqual({
    events: [
      {
        ...{ type: 'message', dedupeKey: 'AC98', conversationKey: '5519998124407' },
        sender: { identity: '5519998124407', name: 'Lia', number: '5519998124407', alias: '138401042923712@lid' },
        message: { providerId: 'AC98', timestamp: 1770146178000, type: 'text', body: 'Oi' },
      },
    ],
    unread: undefined,
  })
})

test.each([
  [
    'a poll, whose parts are the whole message',
    {
      ...{ messageType: 'PollCreationMessageV3', type: 'poll', text: 'Sol ou lua?', convertOptions: 'Sol|Lua' },
      content: {
        messageContextInfo: { deviceListMetadataVersion: 2 },
        pollCreationMessageV3: { name: 'Sol ou lua?', options: [{ optionName: 'Sol' }, { optionName: 'Lua' }] },
      },
    },
    { type: 'poll', body: 'Sol ou lua?', data: { poll: { options: ['Sol', 'Lua'] } } },
  ],
  [
    'a vote',
    {
      ...{ messageType: 'PollUpdateMessage', type: 'poll', vote: 'Sol|Lua', quoted: 'AC80' },
      content: {
        pollCreationMessageKey: { remoteJID: 'x@lid', ID: 'AC80' },
        vote: { encPayload: 'Gs4', encIV: '4EN' },
      },
    },
    { type: 'text', body: 'Votou: Sol, Lua', quotedProviderId: 'AC80' },
  ],
  [
    'a chosen row, by its title',
    {
      ...{ messageType: 'ListResponseMessage', buttonOrListid: 'fones', vote: 'Fones', text: 'fones', quoted: '3EB0' },
      content: { title: 'Fones', listType: 1, singleSelectReply: { selectedRowID: 'fones' } },
    },
    { type: 'interactive_reply', body: 'Fones', data: { buttonId: 'fones' }, quotedProviderId: '3EB0' },
  ],
])('%s', (_, message, wanted) => expect(told(message)?.events).toMatchObject([{ message: wanted }]))

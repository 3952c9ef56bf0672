import { expect, test } from 'vitest'
import { readCall } from './inbound.ts'

const now = new Date('2026-03-04T12:00:00Z')
const told = (event: string, data: unknown, instance = 'loja1') =>
  readCall(Buffer.from(JSON.stringify({ event, instance, data, date_time: 'então' })), 'loja1', now)
const eventsOf = (event: string, data: unknown) => {
  const result = told(event, data)
  return result.isGenuine ? result.events.map((one) => one.event) : null
}
const jid = '5511988887777@s.whatsapp.net'
const update = { messageId: 'm', keyId: '3EB0', remoteJid: jid, fromMe: true }

test('what is of another instance is not for us', () => {
  expect(told('messages.upsert', {}, 'loja2')).toEqual({ isGenuine: false })
  expect(() => readCall(Buffer.from('<html>'), 'loja1', now)).toThrow(SyntaxError)
})

test.each(['connection.update', 'CONNECTION_UPDATE', 'qrcode.updated', 'logout.instance', 'remove.instance'])(
  '%s is asked about, not believed',
  (event) => {
    expect(told(event, { state: 'open' })).toEqual({ isGenuine: true, events: [], isStateNews: true })
  },
)

test('DELETED is no deletion: only messages.delete is', () => {
  expect(eventsOf('messages.update', { ...update, status: 'DELETED' })).toEqual([])
  expect(eventsOf('messages.update', { ...update, fromMe: false, status: 'DELETED' })).toEqual([])
  for (const data of [{ id: '3EB0', remoteJid: jid, fromMe: false }, { key: { id: '3EB0', remoteJid: jid } }])
    expect(eventsOf('messages.delete', data)).toMatchObject([{ type: 'revoke', providerId: '3EB0' }])
})

test.each([
  ['SERVER_ACK', 'sent'],
  ['DELIVERY_ACK', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'played'],
  ['ERROR', 'failed'],
])('%s is %s, of ours alone', (status, becomes) => {
  expect(eventsOf('messages.update', { ...update, status })).toMatchObject([{ type: 'receipt', status: becomes }])
  expect(eventsOf('messages.update', { ...update, fromMe: false, status })).toEqual([])
})

test('what was sent by the interface or on the phone may be ours', () => {
  const data = { key: { id: 'A1', remoteJid: jid, fromMe: true }, message: { conversation: 'Oi' }, messageTimestamp: 1 }
  for (const event of ['send.message', 'messages.upsert'])
    expect(eventsOf(event, data)).toMatchObject([
      { type: 'echo', mayBeOurs: true, conversationKey: '5511988887777', message: { providerId: 'A1', body: 'Oi' } },
    ])
})

test('who hides the number is known by it where it is told beside', () => {
  const key = { id: 'A1', remoteJid: '1000@lid', remoteJidAlt: jid, fromMe: false }
  const data = { key, pushName: 'Ana', message: { conversation: 'Oi' }, messageTimestamp: '1' }
  expect(eventsOf('messages.upsert', data)).toMatchObject([
    { conversationKey: '5511988887777', sender: { identity: '5511988887777', alias: '1000@lid', name: 'Ana' } },
  ])
})

test.each(['groups.update', 'GROUP_UPDATE', 'group.update'])('%s names a group anew', (event) => {
  expect(eventsOf(event, [{ id: '12@g.us', subject: 'Novo' }])).toMatchObject([{ type: 'profile', name: 'Novo' }])
})

test.each([
  ['a conversation by a version that named the number senderPn', { senderPn: '5521977770001@s.whatsapp.net' }, {}],
  ['one that told the number in digits', { senderPn: '5521977770001', senderLid: '990001112223333@lid' }, {}],
  ['one that took the LID out of the name', { senderLid: '990001112223333@lid' }, { remoteJid: '5521977770001@c.us' }],
])('who hides the number is known by it: %s', (_, about, key) => {
  const name = { id: 'A1', remoteJid: '990001112223333@lid', fromMe: false, ...about, ...key }
  const data = { key: name, pushName: 'Rui', message: { conversation: 'Oi' }, messageTimestamp: 1 }
  const sender = { identity: '5521977770001', alias: '990001112223333@lid', number: '5521977770001', name: 'Rui' }
  expect(eventsOf('messages.upsert', data)).toMatchObject([{ conversationKey: '5521977770001', sender }])
})

test('in a group as well, and never is the own number taken for a contact’s', () => {
  const group = { id: 'A1', remoteJid: '120363000000000009@g.us', fromMe: false, participant: '990001112223333@lid' }
  const told = (key: object) =>
    eventsOf('messages.upsert', { key, message: { conversation: 'Oi' }, messageTimestamp: 1 })
  expect(told({ ...group, participantPn: '5521977770001@s.whatsapp.net' })).toMatchObject([
    { sender: { identity: '990001112223333@lid', number: '5521977770001' } },
  ])
  const ours = { id: 'A2', remoteJid: '990001112223333@lid', fromMe: true, senderPn: '5511900000000@s.whatsapp.net' }
  expect(told(ours)).toMatchObject([{ conversationKey: '990001112223333@lid' }])
})

test('status posts and channels are no conversation, what nobody knows is said to be unread', () => {
  const data = { key: { id: 'A1', remoteJid: 'status@broadcast', fromMe: false }, message: { conversation: 'Oi' } }
  expect(eventsOf('messages.upsert', { ...data, messageTimestamp: 1 })).toEqual([])
  expect(told('labels.edit', {})).toEqual({ isGenuine: true, events: [], unread: ['labels.edit'] })
})

test('of two reactions within a second the later one counts, by the clock of who reacted', () => {
  const told = (text: string, senderTimestampMs: number) =>
    eventsOf('messages.upsert', {
      key: { id: text, remoteJid: jid, fromMe: false },
      message: { reactionMessage: { key: { id: 'A1' }, text, senderTimestampMs } },
      messageTimestamp: 100,
    })
  expect(told('a', 100_200)).toMatchObject([{ type: 'reaction', providerId: 'A1', timestamp: 100_200 }])
  expect(told('b', 100_900)).toMatchObject([{ timestamp: 100_900 }])
  // A wrong clock shifts times by at most that second.
  expect(told('c', 999_999_999)).toMatchObject([{ timestamp: 100_999 }])
})

test('what lacks its key keeps nothing beside it from coming in', () => {
  const whole = (id: string) => ({
    key: { id, remoteJid: jid, fromMe: false },
    message: { conversation: id },
    messageTimestamp: 1,
  })
  const result = told('messages.upsert', [whole('A'), { message: { conversation: 'sem chave' } }, null, whole('B')])
  expect(result).toMatchObject({
    events: [{ event: { dedupeKey: 'A' } }, { event: { dedupeKey: 'B' } }],
    unread: ['messages.upsert message without a conversation', 'messages.upsert incomplete'],
  })
})

test('what the company does on its own phone is its own; in a group whoever took back is who the key names', () => {
  const key = { id: 'A9', remoteJid: jid, fromMe: true }
  const reaction = { reactionMessage: { key: { id: 'A1', fromMe: true }, text: '👍' } }
  expect(eventsOf('messages.upsert', { key, message: reaction, messageTimestamp: 1 })).toMatchObject([
    { type: 'reaction', providerId: 'A1', emoji: '👍', fromMe: true },
  ])
  expect(eventsOf('messages.delete', { id: 'A1', remoteJid: jid, fromMe: true })).toMatchObject([
    { type: 'revoke', providerId: 'A1', fromMe: true },
  ])
  const group = { id: 'A1', remoteJid: '12@g.us', fromMe: false, participant: '1000@lid', participantAlt: jid }
  expect(eventsOf('messages.delete', { ...group, status: 'DELETED' })).toEqual([
    {
      ...{ type: 'revoke', dedupeKey: 'A1 revoke 1000@lid', conversationKey: '12@g.us', providerId: 'A1' },
      ...{ timestamp: now.getTime(), author: { identity: '1000@lid', number: '5511988887777' } },
    },
  ])
})

test('what somebody takes back of what they sent to a list of people is taken back where it stands', () => {
  const key = { id: 'A1', remoteJid: '5511700@broadcast', fromMe: false }
  for (const who of [{ participant: jid }, { participant: '1000@lid', remoteJidAlt: jid }])
    expect(eventsOf('messages.delete', { ...key, ...who })).toMatchObject([
      { type: 'revoke', providerId: 'A1', conversationKey: '5511988887777' },
    ])
})

test('an edit names its conversation as who edited sees it, and is found by its message alone, but in groups', () => {
  const at = now.getTime() - 5
  const edited = (key: object) => {
    const editedMessage = { conversation: 'Certo' }
    return eventsOf('messages.edited', { key: { id: 'A1', ...key }, type: 14, editedMessage, timestampMs: String(at) })
  }
  const edit = { type: 'edit', dedupeKey: `A1 edit ${at}`, providerId: 'A1', body: 'Certo', timestamp: at }
  for (const remoteJid of ['5519999990000@s.whatsapp.net', '2000@lid', jid])
    expect(edited({ remoteJid, fromMe: true })).toEqual([{ ...edit, conversationKey: '' }])
  // If the gateway has reversed the view.
  expect(edited({ remoteJid: jid, fromMe: false })).toEqual([{ ...edit, conversationKey: '5511988887777' }])
  expect(edited({ remoteJid: '12@g.us', fromMe: true })).toEqual([{ ...edit, conversationKey: '12@g.us' }])
})

test('a call rings once, in the conversation with who calls', () => {
  const call = {
    from: '111222333444555@lid',
    callerPn: jid,
    id: 'C1',
    date: '2026-03-04T11:59:58.000Z',
    isVideo: false,
  }
  expect(eventsOf('call', { ...call, status: 'offer' })).toMatchObject([
    {
      ...{ type: 'message', dedupeKey: 'C1 call', conversationKey: '5511988887777' },
      sender: { number: '5511988887777', alias: '111222333444555@lid' },
      message: { type: 'call', body: 'Chamada de voz', timestamp: Date.parse('2026-03-04T11:59:58Z') },
    },
  ])
  for (const status of ['ringing', 'timeout', 'accept', 'terminate'])
    expect(eventsOf('call', { ...call, status })).toEqual([])
  expect(eventsOf('call', { ...call, status: 'offer', isGroup: true })).toEqual([])
})

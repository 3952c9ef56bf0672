import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readCall } from './inbound.ts'

const now = new Date('2026-08-04T12:00:00Z')
const door = { url: 'https://guiche.example/x', name: 'guiche-1', secret: 'segredo' }
const jid = '5511988887777@s.whatsapp.net'
const sign = (bytes: string, secret = door.secret) => createHmac('sha256', secret).update(bytes).digest('hex')

const info = { ID: '3EB0', Chat: jid, Sender: '5511988887777:12@s.whatsapp.net', IsFromMe: false, PushName: 'Ana' }
const message = {
  type: 'Message',
  event: { Info: { ...info, Timestamp: '2026-07-01T10:00:00-03:00' }, Message: { conversation: 'oi' } },
}
const read = (body: string, { type = 'application/json', signature = sign(body) } = {}) => {
  const headers = { 'content-type': type, ...(signature ? { 'x-hmac-signature': signature } : {}) }
  return readCall({ method: 'POST', url: '', query: {}, headers, body: Buffer.from(body) }, door, now)
}
const asJson = (about: object) => JSON.stringify({ ...about, userID: 'u', instanceName: door.name })
const asForm = (about: object, more: object = { instanceName: door.name }) =>
  new URLSearchParams({ jsonData: JSON.stringify(about), userID: 'u', ...more }).toString()
const FORM = 'application/x-www-form-urlencoded'
const heard = { isGenuine: true, events: [{ event: { type: 'message', conversationKey: '5511988887777' } }] }

test.each([
  ['JSON', asJson(message), {}],
  ['a form, signed as it is', asForm(message), { type: FORM }],
  ['a form whose JSON is signed', asForm(message), { type: FORM, signature: sign(JSON.stringify(message)) }],
  ['a form of an older build', asForm(message, { token: door.secret }), { type: FORM, signature: '' }],
  ['JSON of an older build', asJson({ ...message, token: door.secret }), { signature: '' }],
])('takes %s', (_, body, how) => {
  expect(read(body, how)).toMatchObject(heard)
})

test.each([
  ['JSON without a signature', asJson(message), { signature: '' }],
  ['a form without a signature', asForm(message), { type: FORM, signature: '' }],
  ['a wrong signature', asJson(message), { signature: sign(asJson(message), 'outro') }],
  ['no hex', asJson(message), { signature: 'ã' }],
  ['another user', JSON.stringify({ ...message, instanceName: 'guiche-2' }), {}],
  ['another token', asForm(message, { token: 'outro' }), { type: FORM, signature: '' }],
])('refuses %s', (_, body, how) => {
  expect(read(body, how)).toEqual({ isGenuine: false })
})

test('reads small names like capital ones', () => {
  const small = {
    info: { id: '1', chat: jid, sender: jid, timestamp: '2026-07-01T10:00:00Z' },
    message: { conversation: 'a' },
  }
  expect(read(asJson({ type: 'Message', event: small }))).toMatchObject({
    events: [{ event: { message: { body: 'a', timestamp: Date.parse('2026-07-01T10:00:00Z') } } }],
  })
})

test('what could not be read stands there until it can, under the same name', () => {
  const event = { Info: message.event.Info, IsUnavailable: false }
  expect(read(asJson({ type: 'UndecryptableMessage', event }))).toMatchObject({
    events: [{ event: { dedupeKey: '3EB0 undecrypted', message: { providerId: '3EB0', type: 'undecrypted' } } }],
  })
})

test.each([
  ['Delivered', 'delivered'],
  ['Read', 'read'],
])('%s gives the tick of each message', (state, status) => {
  const event = { MessageIDs: ['a', 'b'], Chat: jid, Sender: jid, Timestamp: '2026-07-01T10:00:00Z' }
  expect(read(asJson({ type: 'ReadReceipt', state, event }))).toMatchObject({
    events: [{ event: { providerId: 'a', status } }, { event: { providerId: 'b', status } }],
  })
  expect(read(asJson({ type: 'ReadReceipt', state: 'ReadSelf', event }))).toMatchObject({ events: [] })
})

test.each(['Connected', 'LoggedOut', 'QR', 'TemporaryBan', 'GroupInfo'])('%s is asked about, not believed', (type) => {
  expect(read(asJson({ type, event: 'code' }))).toEqual({ isGenuine: true, events: [], isStateNews: true })
})

test.each([
  [
    'an edit',
    { protocolMessage: { key: { id: 'A' }, type: 14, editedMessage: { conversation: 'b' } } },
    { type: 'edit' },
  ],
  ['a revoke', { protocolMessage: { key: { id: 'A' }, type: 0 } }, { type: 'revoke' }],
  ['a reaction', { reactionMessage: { key: { id: 'A' }, text: '👍' } }, { type: 'reaction', emoji: '👍' }],
])('%s on the own phone is the company’s, one of the contact’s is theirs', (_, Message, becomes) => {
  const by = (IsFromMe: boolean) => ({ type: 'Message', event: { Info: { ...message.event.Info, IsFromMe }, Message } })
  expect(read(asJson(by(true)))).toMatchObject({ events: [{ event: { ...becomes, providerId: 'A', fromMe: true } }] })
  const theirs = read(asJson(by(false)))
  expect(theirs).toMatchObject({ events: [{ event: { ...becomes, author: { identity: '5511988887777' } } }] })
  expect(JSON.stringify(theirs)).not.toContain('fromMe')
})

test('whom an edit in a group mentions is told with it', () => {
  const editedMessage = {
    extendedTextMessage: { text: 'oi @5511', contextInfo: { mentionedJID: ['5511@s.whatsapp.net'] } },
  }
  const Message = { protocolMessage: { key: { id: 'A' }, type: 14, editedMessage } }
  const Info = { ...message.event.Info, Chat: '12@g.us', IsGroup: true }
  expect(read(asJson({ type: 'Message', event: { Info, Message } }))).toMatchObject({
    events: [{ event: { type: 'edit', body: 'oi @5511', mentions: ['5511'] } }],
  })
})

import type { proto, WAMessageKey } from 'baileys'
import { expect, test } from 'vitest'
import { openCalls } from './calls.ts'
import { eventsOfMessage } from './inbound.ts'
import { loadLibrary } from './library.ts'
import { openTimers } from './timers.ts'

const file = { mimetype: 'image/jpeg', directPath: '/v/a', mediaKey: Buffer.alloc(32), fileSha256: Buffer.alloc(32) }
const picture: proto.IMessage = { imageMessage: { ...file, caption: 'Só agora' } }
const own = {
  ...{ id: '551130000301@s.whatsapp.net', lid: '1@lid', numberOf: async () => null },
  ...{ subjectOf: () => undefined, othersIn: async () => null, sent: async () => null },
}
const alone = { remoteJid: '5511988880301@s.whatsapp.net', fromMe: false, id: 'A' }
const saidBy = async (message: proto.IMessage, key: WAMessageKey = alone) => {
  const events = await eventsOfMessage(await loadLibrary(), { key, messageTimestamp: 1, message }, own)
  return events.map((event) => (event.type === 'message' ? event.message : event))
}

test.each<[string, proto.IMessage]>([
  ['by its wrapper', { viewOnceMessage: { message: picture } }],
  ['by its newer wrapper', { viewOnceMessageV2: { message: picture } }],
  ['among disappearing messages', { ephemeralMessage: { message: { viewOnceMessageV2: { message: picture } } } }],
  ['by a mark', { imageMessage: { ...picture.imageMessage, viewOnce: true } }],
])('what may be looked at once is not kept where a device gives it to us: %s', async (_, message) => {
  const [said, ...more] = await saidBy(message)
  expect(more).toEqual([])
  expect(said).toMatchObject({ type: 'text', body: 'Mensagem de visualização única. Veja no celular.' })
  expect(said).not.toHaveProperty('remote')
})

test('any other picture is', async () => {
  expect(await saidBy(picture)).toMatchObject([{ type: 'image', body: 'Só agora', remote: {} }])
})

test.each<[string, proto.IMessage]>([
  ['a reaction', { reactionMessage: { text: '👍' } }],
  ['an edit', { protocolMessage: { type: 14, editedMessage: { conversation: 'Outro' } } }],
  ['something taken back', { protocolMessage: { type: 0 } }],
  ['a vote', { pollUpdateMessage: {} }],
])('%s that names no message is nothing', async (_, message) => {
  expect(await saidBy(message)).toEqual([])
})

test('what was passed on says so; the text beside a file that cannot be fetched stays', async () => {
  const passedOn = { extendedTextMessage: { text: 'Repasso', contextInfo: { isForwarded: true } } }
  expect(await saidBy(passedOn)).toMatchObject([{ body: 'Repasso', isForwarded: true }])
  expect(await saidBy({ imageMessage: { caption: 'Olha' } })).toMatchObject([{ body: 'Olha\nVeja no celular.' }])
})

test('the text beside a file is edited like any other, in a group with whom it mentions then', async () => {
  const of = { key: { ...alone, id: 'B' }, type: 14 }
  // An edit may omit the file itself.
  const caption = { imageMessage: { caption: 'Melhor assim' } }
  expect(await saidBy({ protocolMessage: { ...of, editedMessage: caption } })).toMatchObject([
    { type: 'edit', providerId: 'B', body: 'Melhor assim' },
  ])
  const text = { extendedTextMessage: { text: '@7 vem?', contextInfo: { mentionedJid: ['7@lid'] } } }
  const group = { remoteJid: '120363000000000001@g.us', participant: '5@lid', fromMe: false, id: 'C' }
  expect(await saidBy({ protocolMessage: { ...of, editedMessage: text } }, group)).toMatchObject([
    { type: 'edit', mentions: ['7@lid'] },
  ])
})

test('a call of a group is nobody’s who writes to the company', async () => {
  const { eventsOf } = openCalls(
    () => own,
    () => ({ rejectCall: async () => {} }),
  )
  const offer = (attrs: Record<string, string>) =>
    eventsOf({
      ...{ tag: 'call', attrs: { from: alone.remoteJid, t: '1' } },
      content: [{ tag: 'offer', attrs: { 'call-id': 'X', 'call-creator': alone.remoteJid, ...attrs } }],
    })
  expect(await offer({})).toHaveLength(1)
  expect(await offer({ 'group-jid': '120363000000000001@g.us' })).toEqual([])
})

test('in a group messages last as long as it says', async () => {
  const { secondsIn } = openTimers(await loadLibrary(), {
    keys: { write: async () => {} },
    link: { state: { get: async () => new Map(), clear: async () => {} } },
    own: () => own,
    groups: { metadataOf: async () => ({ ephemeralDuration: 86_400 }) as never },
  })
  expect(await secondsIn('120363000000000001@g.us')).toBe(86_400)
  expect(await secondsIn('5511988880301')).toBe(0)
})

import type { proto } from 'baileys'
import { expect, test } from 'vitest'
import { eventsOfMessage } from './inbound.ts'
import { loadLibrary } from './library.ts'

const file = { mimetype: 'image/jpeg', directPath: '/v/a', mediaKey: Buffer.alloc(32), fileSha256: Buffer.alloc(32) }
const picture: proto.IMessage = { imageMessage: { ...file, caption: 'Só agora' } }
const own = {
  ...{ id: '551130000301@s.whatsapp.net', lid: '1@lid', numberOf: async () => null },
  ...{ subjectOf: () => undefined, othersIn: async () => null, sent: async () => null },
}
const saidBy = async (message: proto.IMessage) => {
  const key = { remoteJid: '5511988880301@s.whatsapp.net', fromMe: false, id: 'A' }
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

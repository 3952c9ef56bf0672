import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import type { OpenContactEnd } from '#test/channels/contact-end.ts'
import {
  arrivedBy,
  groupKnown,
  inGroup,
  linkedByGateway,
  look,
  NADIA,
  OTAVIO,
  SHOP,
} from '#test/channels/gateway-end.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { startEvolution } from '#test/peers/evolution.ts'
import { evolutionConfig } from './config.ts'

type Told = { data: { message: proto.IMessage; contextInfo: object | null; key: object } }

const jid = `${OTAVIO.number}@s.whatsapp.net`
const statuses = { delivered: 'DELIVERY_ACK', read: 'READ', played: 'PLAYED' } as const

/** Person who writes to a phone on an Evolution API. */
const openInstance: OpenContactEnd = async (product, { token, tenantId }) => {
  const evolution = await startEvolution()
  for (const { number, name } of [OTAVIO, NADIA]) evolution.people.set(number, name)
  // Numbers that are queried one by one exist as well.
  evolution.people.set(SHOP.number, SHOP.name)
  evolution.pictures.set(OTAVIO.number, await pictureOf('#d01010'))
  const settings = { url: evolution.address, key: evolution.key }
  const { scan } = evolution
  const connection = await linkedByGateway(product, token, { type: 'evo', provider: 'evolution', settings, scan })
  await connection.link()
  const newId = () => `3EB0${randomBytes(8).toString('hex').toUpperCase()}`
  const second = () => Math.floor(product.platform.now().getTime() / 1000)
  const say = (key: object, message: proto.IMessage, contextInfo: object | null = null) =>
    evolution.tell('messages.upsert', {
      key: { remoteJid: jid, fromMe: false, id: newId(), ...key },
      ...{ pushName: OTAVIO.name, message, contextInfo, messageTimestamp: second(), source: 'android' },
    })
  let opened = 0
  return {
    connectionId: connection.id,
    async write({ payload, file }, quotes) {
      const { data } = structuredClone(payload) as Told
      const id = newId()
      if (file) evolution.media.set(id, { bytes: Buffer.from(file.base64, 'base64'), mime: file.mime })
      await say({ id }, data.message, quotes ? { stanzaId: quotes, participant: jid } : null)
    },
    arrived: async () => evolution.got.filter(({ to }) => to === jid).map(arrivedBy),
    confirm: (status, keyId) =>
      evolution.tell('messages.update', {
        ...{ messageId: newId(), keyId, remoteJid: jid, fromMe: true, participant: jid, status: statuses[status] },
      }),
    look: async (picture) => {
      look(evolution, picture)
      await evolution.tell('contacts.update', [{ remoteJid: jid, pushName: OTAVIO.name, profilePicUrl: null }])
    },
    seesTyping: () => evolution.typing.has(jid),
    changes: async (id) => evolution.got.find((one) => one.id === id)!,
    async act({ providerId: id }, what) {
      const key = { remoteJid: jid, fromMe: evolution.got.some((one) => one.id === id), id }
      if (what.act === 'react')
        return say({}, { reactionMessage: { key, text: what.reaction, senderTimestampMs: Date.now() } })
      if (what.act === 'edit') {
        const editedMessage = { conversation: what.body }
        // From the view of the contact's phone: conversation with us, written by themselves.
        const theirs = { remoteJid: evolution.owner, fromMe: true, id }
        await evolution.tell('messages.edited', { key: theirs, type: 14, editedMessage, timestampMs: Date.now() })
        // Edited messages are reported as DELETED.
        return evolution.tell('messages.update', { keyId: id, remoteJid: jid, fromMe: false, status: 'DELETED' })
      }
      await evolution.tell('messages.delete', { ...key, status: 'DELETED' })
    },
    async openGroup() {
      const id = `12036302${1000 + ++opened}@g.us`
      const name = `Vizinhos ${opened}`
      const members = [OTAVIO, NADIA, SHOP]
      const participants = members.map(({ number }) => ({ id: `${number}@s.whatsapp.net`, admin: null }))
      evolution.groups.push({ id, subject: name, participants })
      await evolution.tell('groups.upsert', [{ id, subject: name, participants }])
      await groupKnown(product, tenantId, id, members.length)
      return {
        ...{ conversationKey: id, name, members: members.map((one) => one.name) },
        async write(body) {
          const text = body.replace('@Nádia', `@${NADIA.number}`)
          const context = text === body ? null : { mentionedJid: [`${NADIA.number}@s.whatsapp.net`] }
          await say({ remoteJid: id, participant: jid }, { conversation: text }, context)
        },
        act: null,
        arrived: async () => evolution.got.filter(({ to }) => to === id).map((one) => inGroup(one)),
      }
    },
    scan,
    knows: { number: { given: '+55 19 99812-4407', identity: OTAVIO.number } },
    close: evolution.close,
  }
}

channelSuite(evolutionConfig, import.meta.dirname, openInstance)

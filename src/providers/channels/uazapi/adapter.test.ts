import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
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
import { startUazapi } from '#test/peers/uazapi.ts'
import { uazapiConfig } from './config.ts'
import { readCall } from './inbound.ts'

type Told = { chat: object; message: Record<string, unknown> }

const jid = `${OTAVIO.number}@s.whatsapp.net`
const owner = SHOP.number

/** Person who writes to a phone on a server of UAZAPI. */
const openInstance: OpenContactEnd = async (product, { token, tenantId }) => {
  const uazapi = await startUazapi()
  for (const { number, name } of [OTAVIO, NADIA, SHOP]) uazapi.people.set(number, name)
  uazapi.pictures.set(OTAVIO.number, await pictureOf('#d01010'))
  const settings = { url: uazapi.address, key: uazapi.key }
  const { scan } = uazapi
  const connection = await linkedByGateway(product, token, { type: 'uazapi', provider: 'uazapi', settings, scan })
  await connection.link()
  const newId = () => `3EB0${randomBytes(8).toString('hex').toUpperCase()}`
  const now = () => product.platform.now()
  const say = (message: Readonly<Record<string, unknown>>, chatid = jid) => {
    const messageid = String(message['messageid'] ?? newId())
    const who = { sender: '100012345678901@lid', sender_pn: jid, senderName: OTAVIO.name, fromMe: false }
    const about = { id: `${owner}:${messageid}`, messageid, chatid, messageTimestamp: now().getTime(), content: {} }
    return uazapi.tell('messages', {
      chat: { wa_chatid: chatid },
      message: { ...who, ...about, ...message, messageid, id: about.id },
    })
  }
  const update = (Type: string, id: string, Chat = jid, Sender = jid) =>
    uazapi.tell('messages_update', { event: { MessageIDs: [id], Type, Chat, Sender, Timestamp: now().toISOString() } })
  let opened = 0
  return {
    connectionId: connection.id,
    async write({ payload, file }, quotes) {
      const { message } = structuredClone(payload) as Told
      const messageid = newId()
      if (file) uazapi.media.set(messageid, { bytes: Buffer.from(file.base64, 'base64'), mime: file.mime })
      const quoted = quotes ? { quoted: `${owner}:${quotes}` } : {}
      await say({ ...message, messageid, messageTimestamp: now().getTime(), ...quoted })
    },
    arrived: async () =>
      uazapi.got.filter(({ to }) => to === jid).map((one) => ({ ...arrivedBy(one), isForwarded: one.isForwarded })),
    confirm: (status, id) => update(status.charAt(0).toUpperCase() + status.slice(1), id),
    look: async (picture) => {
      look(uazapi, picture)
      const event = { JID: jid, Timestamp: now().toISOString(), Remove: picture === null, PictureID: newId() }
      await uazapi.tell('contacts', { event })
    },
    seesTyping: () => uazapi.typing.has(jid),
    changes: async (id) => uazapi.got.find((one) => one.id === id)!,
    async act({ providerId: id }, what) {
      if (what.act === 'react')
        return say({ messageType: 'ReactionMessage', text: what.reaction, reaction: `${owner}:${id}` })
      if (what.act === 'edit') return say({ messageType: 'ExtendedTextMessage', text: what.body, edited: id })
      await update('Deleted', id)
    },
    async openGroup() {
      const id = `12036302${1000 + ++opened}@g.us`
      const name = `Vizinhos ${opened}`
      const members = [OTAVIO, NADIA, SHOP]
      const Participants = members.map(({ number }) => ({ JID: `${number}@s.whatsapp.net`, IsAdmin: false }))
      uazapi.groups.push({ JID: id, Name: name, Participants })
      await uazapi.tell('groups', { event: { JID: id, Join: [jid], Name: { Name: name } } })
      await groupKnown(product, tenantId, id, members.length)
      return {
        ...{ conversationKey: id, name, members: members.map((one) => one.name) },
        async write(body) {
          const text = body.replace('@Nádia', `@${NADIA.number}`)
          const contextInfo = text === body ? {} : { mentionedJID: [`${NADIA.number}@s.whatsapp.net`] }
          const content = { text, contextInfo }
          await say(
            { sender: jid, messageType: 'ExtendedTextMessage', isGroup: true, groupName: name, text, content },
            id,
          )
        },
        async act(member, providerId, what) {
          const sender = `${members.find((one) => one.name === member)!.number}@s.whatsapp.net`
          if (what.act !== 'edit') return update('Deleted', providerId, id, sender)
          const about = { sender, sender_pn: sender, senderName: member, isGroup: true, groupName: name }
          await say({ ...about, messageType: 'ExtendedTextMessage', text: what.body, edited: providerId }, id)
        },
        arrived: async () => uazapi.got.filter(({ to }) => to === id).map((one) => inGroup(one)),
      }
    },
    scan,
    knows: { number: { given: '+55 19 99812-4407', identity: OTAVIO.number } },
    close: uazapi.close,
  }
}

channelSuite(uazapiConfig, import.meta.dirname, openInstance)

const read = (told: object) =>
  readCall(Buffer.from(JSON.stringify({ instanceName: 'loja', owner, ...told })), { name: 'loja' }, new Date(0))
const updated = (event: object, more: object = {}) =>
  read({ EventType: 'messages_update', event: { MessageIDs: ['A'], Chat: jid, ...event }, ...more })

test('what the company does on its own phone is its own', () => {
  const message = { messageid: 'M', chatid: jid, messageTimestamp: 1, fromMe: true, text: '👍', reaction: `${owner}:A` }
  expect(read({ EventType: 'messages', message })).toMatchObject({
    events: [{ event: { type: 'reaction', providerId: 'A', emoji: '👍', fromMe: true } }],
  })
  const sender = `${owner}:3@s.whatsapp.net`
  for (const by of [{ Sender: sender }, { Sender: '1000@lid', IsFromMe: true }])
    expect(updated({ Type: 'Deleted', ...by })).toMatchObject({ events: [{ event: { type: 'revoke', fromMe: true } }] })
  const theirs = updated({ Type: 'Deleted', Sender: jid })
  expect(theirs).toMatchObject({ events: [{ event: { author: { identity: OTAVIO.number } } }] })
  expect(JSON.stringify(theirs)).not.toContain('fromMe')
})

test('an update that names no kind gives no tick; one whose kind is empty is that of delivery', () => {
  expect(updated({ Edited: true })).toMatchObject({ events: [] })
  for (const kind of [{ event: { Type: '' } }, { event: {}, state: 'Delivered' }] as const)
    expect(updated(kind.event, 'state' in kind ? { state: kind.state } : {})).toMatchObject({
      events: [{ event: { status: 'delivered' } }],
    })
  expect(read({ EventType: 'messages', instanceName: 'outra' })).toEqual({ isGenuine: false })
})

test('what somebody takes back of what they sent to a list of people is taken back where it stands', () => {
  expect(updated({ Type: 'Deleted', Chat: '5511700@broadcast', Sender: jid })).toMatchObject({
    events: [{ event: { type: 'revoke', conversationKey: OTAVIO.number } }],
  })
})

import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import type { ContactAct, OpenContactEnd } from '#test/channels/contact-end.ts'
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
import { capital, startWuzapi } from '#test/peers/wuzapi.ts'
import { wuzapiConfig } from './config.ts'

type Event = { Info: object; Message: Record<string, object & { mediaKey?: string }> }
type Told = { type: string; event: Event; base64?: string }

const jid = `${OTAVIO.number}@s.whatsapp.net`

/** Person who writes to a phone on a WuzAPI: alternately as form and JSON, signed and unsigned, in both spellings. */
const openUser: OpenContactEnd = async (product, { token, tenantId }) => {
  const wuzapi = await startWuzapi()
  for (const { number, name } of [OTAVIO, NADIA, SHOP]) wuzapi.people.set(number, name)
  wuzapi.pictures.set(OTAVIO.number, await pictureOf('#d01010'))
  const settings = { url: wuzapi.address, key: wuzapi.key }
  const { scan } = wuzapi
  const connection = await linkedByGateway(product, token, { type: 'meow', provider: 'wuzapi', settings, scan })
  await connection.link()
  const newId = () => `3EB0${randomBytes(8).toString('hex').toUpperCase()}`
  const now = () => product.platform.now().toISOString()
  let told = 0
  const tell: typeof wuzapi.tell = (about) => {
    told++
    Object.assign(wuzapi.build, { isForm: told % 2 === 0, isSigned: told % 3 !== 0, isCapital: told % 2 === 1 })
    return wuzapi.tell(about)
  }
  const say = (info: object, message: proto.IMessage, more: object = {}) => {
    const Info = { Chat: jid, Sender: jid.replace('@', ':12@'), SenderAlt: '', IsFromMe: false, ...info }
    const about = { ID: newId(), PushName: OTAVIO.name, Timestamp: now() }
    return tell({ type: 'Message', event: { Info: { ...about, ...Info }, Message: capital(message) }, ...more })
  }
  const act = (info: object, { id, remoteJid }: { id: string; remoteJid: string }, what: ContactAct) => {
    const key = { remoteJid, fromMe: wuzapi.got.some((one) => one.id === id), id }
    if (what.act === 'react') return say(info, { reactionMessage: { key, text: what.reaction } })
    const edited = what.act === 'edit' ? { type: 14, editedMessage: { conversation: what.body } } : { type: 0 }
    return say(info, { protocolMessage: { key, ...edited } })
  }
  let opened = 0
  return {
    connectionId: connection.id,
    async write({ payload, file }, quotes) {
      const { event, ...more } = structuredClone(payload) as Told
      const [field] = Object.keys(event.Message)
      const part = event.Message[field!]!
      if (file) {
        part.mediaKey = randomBytes(32).toString('base64')
        wuzapi.media.set(part.mediaKey, { bytes: Buffer.from(file.base64, 'base64'), mime: file.mime })
      }
      if (quotes) Object.assign(part, { contextInfo: { stanzaId: quotes, participant: jid } })
      const info = { ...event.Info, ID: newId(), Timestamp: now() }
      await say(info, event.Message, more)
    },
    arrived: async () => wuzapi.got.filter(({ to }) => to === jid).map(arrivedBy),
    confirm: (status, id) =>
      tell({
        ...{ type: 'ReadReceipt', state: status === 'read' ? 'Read' : 'Delivered' },
        event: { MessageIDs: [id], Chat: jid, Sender: jid, Timestamp: now() },
      }),
    look: async (picture) => {
      look(wuzapi, picture)
      await tell({ type: 'Picture', event: { JID: jid, Author: jid, Timestamp: now(), Remove: picture === null } })
    },
    seesTyping: () => wuzapi.typing.has(jid),
    changes: async (id) => wuzapi.got.find((one) => one.id === id)!,
    act: ({ providerId: id }, what) => act({}, { remoteJid: jid, id }, what),
    async openGroup() {
      const id = `12036302${1000 + ++opened}@g.us`
      const name = `Vizinhos ${opened}`
      const members = [OTAVIO, NADIA, SHOP]
      const Participants = members.map(({ number }) => ({ JID: `${number}@s.whatsapp.net`, IsAdmin: false }))
      wuzapi.groups.push({ JID: id, Name: name, Participants })
      await tell({ type: 'JoinedGroup', event: { JID: id, Reason: '' } })
      await groupKnown(product, tenantId, id, members.length)
      return {
        ...{ conversationKey: id, name, members: members.map((one) => one.name) },
        async write(body) {
          const text = body.replace('@Nádia', `@${NADIA.number}`)
          const contextInfo = text === body ? {} : { mentionedJid: [`${NADIA.number}@s.whatsapp.net`] }
          await say({ Chat: id, IsGroup: true }, { extendedTextMessage: { text, contextInfo } })
        },
        act: (member, providerId, what) => {
          const { number } = members.find((one) => one.name === member)!
          const info = { Chat: id, IsGroup: true, Sender: `${number}@s.whatsapp.net`, PushName: member }
          return act(info, { remoteJid: id, id: providerId }, what)
        },
        arrived: async () => wuzapi.got.filter(({ to }) => to === id).map((one) => inGroup(one)),
      }
    },
    scan,
    knows: { number: { given: '+55 19 99812-4407', identity: OTAVIO.number } },
    close: wuzapi.close,
  }
}

channelSuite(wuzapiConfig, import.meta.dirname, openUser)

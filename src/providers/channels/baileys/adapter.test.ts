import type { proto } from 'baileys'
import { connections } from '#features/connections/contract.ts'
import type { PhoneMessage } from '#features/lab/server/whatsapp/phone.ts'
import { type FileField, filePart } from '#features/lab/server/whatsapp/phone-media.ts'
import { voteIn } from '#features/lab/server/whatsapp/phone-votes.ts'
import { startWhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { unwrapped } from '#features/lab/server/whatsapp/unwrapped.ts'
import type { Arrived, ContactAct, OpenContactEnd } from '#test/channels/contact-end.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { whatsappEnvironment } from '#test/whatsapp-company.ts'
import { baileysConfig } from './config.ts'

/** Converts a message of the team into the form that a person reads on their phone. */
function shownOf({ id, message: given }: PhoneMessage): Arrived | null {
  const message = unwrapped(given)
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV3
  const { conversation, extendedTextMessage: text, contactMessage: card, locationMessage: place } = message
  const media = filePart(message)?.part
  const context = (media ?? text ?? card ?? place)?.contextInfo
  const audio = message.audioMessage
  const voice = audio?.ptt ? { seconds: audio.seconds!, bars: audio.waveform?.length ?? 0 } : null
  const isOnce = Boolean(given.viewOnceMessage)
  const of = { voice, isOnce, isSticker: Boolean(message.stickerMessage) }
  const about = { ...of, id, quotes: context?.stanzaId ?? null, isForwarded: context?.isForwarded ?? false, file: null }
  if (card) {
    const phoneNumber = /^TEL[^:]*:(.*)$/m.exec(card.vcard!)![1]!
    return { ...about, body: card.displayName!, data: { fullName: card.displayName!, phoneNumber } }
  }
  if (place) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name } = place
    return { ...about, body: name!, data: { latitude: latitude!, longitude: longitude!, name: name! } }
  }
  if (poll) {
    const options = poll.options!.map(({ optionName }) => optionName!)
    return { ...about, body: poll.name!, data: { poll: { options, many: poll.selectableOptionsCount !== 1 } } }
  }
  const body = media ? ((media as { caption?: string }).caption ?? '') : (conversation ?? text?.text)
  return body === null || body === undefined ? null : { ...about, body }
}

/** Returns the phone's message for an act on a message. */
function actOn(key: proto.IMessageKey, what: ContactAct): proto.IMessage {
  if (what.act === 'react') return { reactionMessage: { key, text: what.reaction, senderTimestampMs: Date.now() } }
  const editedMessage = what.act === 'edit' ? { conversation: what.body } : null
  return { protocolMessage: editedMessage ? { type: 14, key, editedMessage } : { type: 0, key } }
}

/** Person with a phone who writes to a linked number. */
const openPhone: OpenContactEnd = async (product, { token }) => {
  const server = await startWhatsAppServer()
  Object.assign(product.platform.env, whatsappEnvironment(server))
  const shop = await server.addPhone({ number: '5519999990000', name: 'Empório' })
  const person = await server.addPhone({ number: '5519998124407', name: 'Otávio', picture: await pictureOf('#d01010') })
  const other = await server.addPhone({ number: '5519998124408', name: 'Nádia' })
  let opened = 0
  const older = (['Vocês entregam aqui?', 'Entregamos sim.', 'Que bom!'] as const).map((body, n) => {
    // The last two in the same second.
    return { id: `3AANTES${n}`, fromMe: n === 1, body, timestamp: 1_759_000_000 + (n === 0 ? 0 : 60) }
  })
  shop.saved.set(person.jid, older)
  const made = await call(product, connections.create, token, {
    body: { type: 'baileys', name: 'Empório', config: {} },
  })
  const params = { id: made.body.id }
  const read = async () => (await call(product, connections.get, token, { params })).body
  const scan = async (code: string) => void (await (code.length === 8 ? shop.enterCode(code) : shop.scan(code)))
  await call(product, connections.start, token, { params })
  await until(async () => (await read()).qrcode !== null)
  await scan((await read()).qrcode!)
  await until(async () => (await read()).status === 'CONNECTED')
  const fileOf = async (message: proto.IMessage) => {
    const bytes = await person.open(message)
    const whole = unwrapped(message)
    return bytes && { name: whole.documentMessage?.fileName ?? null, bytes }
  }
  const acts = (id: string) =>
    person.inbox
      .map(({ message }) => message)
      .filter((one) => (one.protocolMessage ?? one.reactionMessage)?.key?.id === id)
  return {
    connectionId: params.id,
    async write({ payload, file }, quotes) {
      const message = structuredClone(payload) as proto.IMessage
      const [field] = Object.keys(message) as FileField[]
      if (file) return void (await person.file(shop.jid, field!, Buffer.from(file.base64, 'base64'), message[field!]!))
      const contextInfo = { stanzaId: quotes, participant: shop.jid, quotedMessage: { conversation: '…' } }
      if (quotes) message.extendedTextMessage = { ...message.extendedTextMessage, contextInfo }
      await person.send(shop.jid, message)
    },
    arrived: () =>
      Promise.all(
        person.inbox.flatMap((one) => {
          const shown = shownOf(one)
          return shown ? [fileOf(one.message).then((file) => ({ ...shown, file }))] : []
        }),
      ),
    async confirm(status, id) {
      if (status !== 'delivered') person.confirm(id, status)
    },
    async ring() {
      person.seen.length = 0
      person.ring(shop.jid)
      return () => person.seen.some(({ what }) => what === 'reject')
    },
    look: async (picture) => server.setPicture(person, picture),
    seesTyping: () => person.seen.some(({ what }) => what === 'composing'),
    async changes(id) {
      // Messages reach the phone later than the server.
      await until(() => acts(id).length > 0)
      await person.idle()
      const [before] = person.inbox.filter((one) => one.id === id)
      const edits = acts(id).flatMap((one) => one.protocolMessage ?? [])
      const edited = edits.findLast((one) => one.editedMessage)?.editedMessage?.extendedTextMessage?.text
      const isRevoked = edits.some(({ type }) => type === 0)
      const reaction = acts(id).findLast((one) => one.reactionMessage)?.reactionMessage?.text
      return { body: isRevoked ? null : (edited ?? shownOf(before!)!.body), reaction: reaction || null }
    },
    async act({ providerId }, what) {
      const fromMe = !person.inbox.some(({ id }) => id === providerId)
      await person.send(shop.jid, actOn({ remoteJid: shop.jid, fromMe, id: providerId }, what))
    },
    async vote(id, options) {
      // Phones know both by number or by LID.
      const [voter, creator] =
        options.length > 1 ? ([person.lid, shop.lid] as const) : ([person.jid, shop.jid] as const)
      const poll = person.inbox.find((one) => one.id === id)!
      await person.send(shop.jid, voteIn(poll, { voter, creator }, options))
    },
    async openGroup() {
      const name = `Vizinhos ${++opened}`
      const conversationKey = server.createGroup(person, name, [shop, other])
      const [lid] = other.lid.split('@')
      return {
        ...{ conversationKey, name, members: ['Otávio', 'Nádia', 'Empório'] },
        async write(body) {
          const text = body.replace('@Nádia', `@${lid}`)
          const contextInfo = text === body ? {} : { mentionedJid: [other.lid] }
          await person.send(conversationKey, { extendedTextMessage: { text, contextInfo } })
        },
        async act(member, id, what) {
          const phone = member === 'Otávio' ? person : other
          await phone.send(conversationKey, actOn({ remoteJid: conversationKey, fromMe: true, id }, what))
        },
        promoteUs: async () => void server.changeMembers(person, conversationKey, 'promote', [shop]),
        async arrived() {
          return person.inbox.flatMap(({ chat, from, message: { extendedTextMessage: written } }) => {
            if (chat !== conversationKey || from !== shop.account || !written) return []
            const mentioned = written.contextInfo?.mentionedJid ?? []
            const everyone = mentioned.length === 3
            const body = written.text!.replace(`@${lid}`, '@Nádia')
            return [{ body, mentions: !everyone && mentioned.includes(other.lid) ? ['Nádia'] : [], everyone }]
          })
        },
      }
    },
    scan,
    knows: {
      history: older.map(({ id, fromMe, body, timestamp }) => ({
        ...{ type: 'history', dedupeKey: id, conversationKey: '5519998124407', fromMe },
        ...(fromMe ? { status: 'read' as const } : {}),
        sender: { identity: '5519998124407', name: '', number: '5519998124407' },
        message: { providerId: id, timestamp: timestamp * 1000, type: 'text', body },
      })),
      number: { given: '+55 19 99812-4407', identity: '5519998124407' },
    },
    close: () => server.close(),
  }
}

channelSuite(baileysConfig, import.meta.dirname, openPhone)

import { randomUUID } from 'node:crypto'
import type { AnyMessageContent, WAMessageKey } from 'baileys'
import { ownMember } from '#domain/keys.ts'
import { present } from '#domain/present.ts'
import {
  type ChannelAction,
  type ChannelQuestions,
  isSendFailure,
  type Link,
  type MakeChannelAdapter,
  needsPerson,
  type Outbound,
  sendFailure,
} from '../port.ts'
import { conversationOf, jidOf, numbered } from '../whatsapp-addresses.ts'
import { idOf } from '../whatsapp-outbound.ts'
import { groupTools } from './group-tools.ts'
import { openKeys } from './keys.ts'
import { believing, loadLibrary, MISSING } from './library.ts'
import { openFile, renewed } from './media-in.ts'
import { uploadMs, wholeContent } from './media-out.ts'
import { caOf, guardedDispatcher, rootOf, webUrl } from './network.ts'
import { quotedOf, refusalOf } from './outbound.ts'
import { pictureOf } from './pictures.ts'
import { type DeviceSocket, openSocket } from './socket.ts'

/** Time-out of the server's ack of a message, in ms. */
const ACK_MS = 20_000
/** Lifetime of a code in seconds: first QR code, later QR codes, typed code. */
const CODE_SECONDS = { first: 60, next: 20, typed: 120 } as const
/** Disconnect code: restart with the new keys of the link. */
const RESTART = 515
/** Maximum number of messages of a conversation that wait to be marked as read. */
const MOST_UNREAD = 100

const shownStates: Readonly<Record<string, 'composing' | 'recording'>> = {
  composing: 'composing',
  recording: 'recording',
}
const stops = { 401: 'unlinked', 403: 'banned', 411: 'mismatch', 440: 'replaced' } as const

/** Adapter of a device linked to a phone: one socket of the library, opened by the process that holds the connection. */
export const baileysAdapter: MakeChannelAdapter = (_values, tools) => {
  let current: DeviceSocket | null = null
  let isOpen = false
  const unread = new Map<string, WAMessageKey[]>()

  const through = (): DeviceSocket => {
    if (!current || !isOpen) throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
    return current
  }

  /** Stores the key of an unread message; the parts of one message count once. */
  function arrived(key: WAMessageKey): void {
    if (key.fromMe || !key.remoteJid) return
    const name = conversationOf(numbered(key.remoteJid, key.remoteJidAlt))
    const keys = unread.get(name) ?? []
    if (!keys.some(({ id }) => id === key.id)) unread.set(name, [...keys, key].slice(-MOST_UNREAD))
  }

  /** Subscribes to the typing state of a contact. */
  async function watch(conversationKey: string) {
    const { socket, watched } = through()
    const jid = jidOf(conversationKey)
    if (watched.has(jid) || jid.endsWith('@g.us')) return
    watched.add(jid)
    await socket.presenceSubscribe(jid)
  }

  /** Sends content under an id; resolves once the server has it. Sending with the same id again is safe. */
  async function sendAs(id: string, jid: string, content: AnyMessageContent, message?: Outbound) {
    const { socket, acks, ended, timers } = through()
    const lasts = message ? await timers.secondsIn(message.conversationKey) : 0
    const acknowledged = new Promise<string | null>((resolve) => void acks.set(id, resolve))
    let timer: NodeJS.Timeout | undefined
    const lost = new Promise<never>((_, reject) => {
      const fail = () => reject(sendFailure('unknown', 'o WhatsApp não confirmou a mensagem'))
      timer = setTimeout(fail, ACK_MS + uploadMs(message?.file ?? null))
      void ended.then(fail)
    })
    lost.catch(() => {})
    try {
      const answer = message && quotedOf(message)
      const written = socket.sendMessage(jid, content, {
        messageId: id,
        ...(answer ? { quoted: answer } : {}),
        ...(lasts > 0 ? { ephemeralExpiration: lasts } : {}),
      })
      // A written message counts as sent only once the server acknowledges it.
      const code = await Promise.race([acknowledged, lost, written.then(() => lost)])
      if (code) throw sendFailure('refused', refusalOf(code), { isHaste: code === '463' })
    } catch (error) {
      throw isSendFailure(error) ? error : sendFailure('unknown', 'o WhatsApp não aceitou a mensagem agora')
    } finally {
      clearTimeout(timer)
      acks.delete(id)
    }
  }

  /** Sends the parent message of an album before its first picture; again after a reconnection, under the same id. */
  async function openAlbum(message: Outbound, { id, images, videos }: NonNullable<Outbound['album']>) {
    const { albums } = through()
    const jid = jidOf(message.conversationKey)
    const name = idOf(`album ${id}`)
    const album = { expectedImageCount: images, expectedVideoCount: videos }
    if (!albums.has(name)) await sendAs(name, jid, { album })
    albums.add(name)
    return { remoteJid: jid, fromMe: true, id: name }
  }

  /** Runs one socket until it ends; returns its disconnect code. */
  async function live(link: Link, opened: DeviceSocket): Promise<number> {
    const { socket, groups, ended } = opened
    const broken = Promise.withResolvers<never>()
    let shown = 0
    const showCode = async (qr: string) => {
      if (!link.pairing) {
        await link.status('qrcode', { qrcode: qr, seconds: shown++ ? CODE_SECONDS.next : CODE_SECONDS.first })
      } else if (shown++ === 0) {
        const pairingCode = await socket.requestPairingCode(link.pairing)
        await link.status('qrcode', { pairingCode, seconds: CODE_SECONDS.typed })
      }
    }
    const online = Promise.withResolvers<void>()
    socket.ev.on('connection.update', ({ qr, isNewLogin, connection, receivedPendingNotifications }) => {
      const work = async () => {
        if (qr) await showCode(qr)
        if (isNewLogin) await link.status('PAIRING')
        if (connection === 'open') {
          isOpen = true
          await link.status('CONNECTED', { number: conversationOf(present(socket.user).id) })
          online.resolve()
        }
        if (!receivedPendingNotifications) return
        // The end of an outage is recorded before its recovered messages, in whatever order both are reported.
        void Promise.all([opened.missing, online.promise])
          .then(([missing]) => link.caughtUp(missing))
          .catch(() => {})
        // A failed query is repeated after the next opening.
        await groups.refresh().catch(() => {})
      }
      work().catch(broken.reject)
    })
    socket.ev.on('presence.update', ({ id, presences }) => {
      const [presence] = Object.values(presences)
      const state = presence ? shownStates[presence.lastKnownPresence] : undefined
      const work = async () => {
        const number = id.endsWith('@lid') ? await socket.signalRepository.lidMapping.getPNForLID(id) : null
        await link.presence({ conversationKey: conversationOf(numbered(id, number)), state: state ?? 'paused' })
      }
      work().catch(() => {})
    })
    return Promise.race([ended, broken.promise])
  }

  const questions: {
    [Q in keyof ChannelQuestions]?: (about: ChannelQuestions[Q]['about']) => Promise<ChannelQuestions[Q]['answer']>
  } = {
    async number({ number }: ChannelQuestions['number']['about']) {
      const [found] = (await through().socket.onWhatsApp(number.replace(/\D/g, ''))) ?? []
      return found?.exists ? { identity: conversationOf(found.jid) } : null
    },
    picture: ({ identity }: ChannelQuestions['picture']['about']) => pictureOf(through().socket, tools, identity),
    media: ({ pointer }: ChannelQuestions['media']['about']) => renewed(through().socket, pointer),
    chats: (about: ChannelQuestions['chats']['about']) => through().history.chats(about),
    history: (about: ChannelQuestions['history']['about']) => through().history.history(about),
    refuseCall: ({ callId }: ChannelQuestions['refuseCall']['about']) => through().calls.refuse(callId),
    ...groupTools(through, (group, { id, participant }) =>
      sendAs(idOf(randomUUID()), group, { delete: { remoteJid: group, fromMe: false, id, participant } }),
    ),
    async groups() {
      return (await through().groups.refresh()).map(({ id, subject }) => ({ key: id, name: subject }))
    },
  }

  return {
    async open(link) {
      const library = await loadLibrary()
      const keys = await openKeys(library, link)
      const dispatcher = await guardedDispatcher(tools, caOf(tools.environment))
      const how = { dispatcher, since: await link.awaySince(), arrived }
      for (;;) {
        current = believing(rootOf(tools.environment), () => openSocket(library, tools, keys, link, how))
        const code = await live(link, current).finally(() => {
          isOpen = false
        })
        if (code === RESTART) continue
        const cause = ownMember(stops, code)
        if (cause) throw needsPerson(`WhatsApp ended the link with ${code}`, cause)
        throw new Error(`the socket ended with ${code}`)
      }
    },
    async close() {
      isOpen = false
      await current?.socket.end(undefined)
    },
    async logout() {
      await current?.socket.logout()
    },
    async send(message) {
      const id = idOf(message.messageId)
      const { message: addressed, about } = await through().groups.mentioning(message)
      const part = message.album ? { albumParentKey: await openAlbum(message, message.album) } : {}
      const content = {
        ...(await wholeContent(await loadLibrary(), tools, addressed)),
        ...about,
        ...part,
      } as AnyMessageContent
      await sendAs(id, jidOf(message.conversationKey), content, message)
      return { providerId: id }
    },
    async act(action: ChannelAction) {
      const { socket, groups } = through()
      if (action.type === 'presence') {
        await watch(action.conversationKey)
        return socket.sendPresenceUpdate(action.state, jidOf(action.conversationKey))
      }
      if (action.type === 'read') {
        const keys = unread.get(action.conversationKey) ?? []
        unread.delete(action.conversationKey)
        await watch(action.conversationKey)
        return keys.length > 0 ? socket.readMessages(keys) : undefined
      }
      const jid = jidOf(action.conversationKey)
      const participant = action.author ? { participant: jidOf(action.author) } : {}
      const fromMe = action.type !== 'react' || action.fromMe
      const key = { remoteJid: jid, fromMe, id: action.providerId, ...participant }
      const content = async (): Promise<AnyMessageContent> => {
        if (action.type === 'revoke') return { delete: key }
        if (action.type === 'react') return { react: { text: action.emoji ?? '', key } }
        const { message, about } = await groups.mentioning(action)
        return { ...about, edit: key, text: message.body, linkPreview: null }
      }
      // A new id for each: phones drop known ids, also when a removed reaction is set again.
      await sendAs(idOf(randomUUID()), jid, await content())
    },
    download: (pointer) => openFile(tools, pointer),
    ask: (question, about) => {
      const answer = questions[question]
      if (!answer) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
      return (async () => answer(about))()
    },
    async reach() {
      const { protocol, hostname, port } = new URL(webUrl(tools.environment))
      const tls = protocol === 'wss:'
      const socket = await tools.connect({ host: hostname, port: Number(port || (tls ? 443 : 80)), tls })
      socket.destroy()
    },
    async test() {
      const found = await loadLibrary().catch(() => null)
      return found ? { ok: true } : { ok: false, problem: MISSING }
    },
  }
}

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { proto } from 'baileys'
import { firstOf, lastOf, lookUp, present } from '#domain/present.ts'
import { type Account, type Device, type Directory, jidOf, serverOf } from './directory.ts'
import type { makeLinking } from './linking.ts'
import type { MediaHost } from './media.ts'
import { type BinaryNode, bytesIn, child, children, node, nodesIn, SERVER, seconds } from './nodes.ts'
import { olderMessages, remotePart, type StoredMessage, welcomeMessages } from './phone-history.ts'
import { makePhoneKeys } from './phone-keys.ts'
import { downloadFile, type FileField, filePart, renewalOf, uploadFile } from './phone-media.ts'
import { voteIn } from './phone-votes.ts'
import type { Relay } from './relay.ts'

/** Message on a phone. */
export type PhoneMessage = {
  readonly id: string
  /** Conversation: the address of a person or a group. */
  readonly chat: string
  readonly from: Account
  readonly fromMe: boolean
  readonly message: proto.IMessage
}

/** Receipt of a message by a device (0: the phone) of an account. */
export type PhoneReceipt = {
  readonly id: string
  readonly from: Account
  readonly device: number
  readonly type: string
}

/** Activity of a person without a message; `chat` is the group, null elsewhere. */
type Seen = { readonly from: Account; readonly what: string; readonly chat: string | null }

/** Listener to what arrives at a phone. */
export type PhoneListener = {
  message(message: PhoneMessage): void
  receipt(receipt: PhoneReceipt): void
  seen(seen: Seen): void
}

type Server = {
  readonly directory: Directory
  readonly relay: Relay
  readonly linking: ReturnType<typeof makeLinking>
  readonly bundleOf: (device: Device) => BinaryNode[]
  readonly media: MediaHost
}

/**
 * Options of sending: as an edit, undecryptable at first, or to these accounts at a list's address (broadcast list,
 * `status@broadcast`).
 */
type How = { readonly edit?: string; readonly isBroken?: boolean; readonly list?: readonly Account[] }

/** Makes a message undecryptable. */
function spoil(sent: BinaryNode): void {
  const bytes = bytesIn(sent)
  bytes[bytes.length - 20]! ^= 1
}

/** Virtual phone, which encrypts, decrypts, gives receipts and links devices as a real one does. */
export type Phone = Awaited<ReturnType<typeof makePhone>>

/** Creates the phone of an account, and connects it. */
export async function makePhone(
  { directory, relay, linking, bundleOf, media }: Server,
  account: Account,
  listener?: PhoneListener,
) {
  const device = lookUp(account.devices, 0)
  const keys = makePhoneKeys(device, bundleOf)
  await keys.publish()
  const inbox: PhoneMessage[] = []
  const receipts: PhoneReceipt[] = []
  const seen: Seen[] = []
  const saved = new Map<string, StoredMessage[]>()
  const known = new Set<string>()
  const sent = new Map<string, { to: string; message: proto.IMessage }>()
  const acks = new Map<string, (code?: string) => void>()
  const counts = { repeated: 0, unreadable: 0 }
  const memory = { keepsFiles: true, forgets: 0, repeatsAfterMs: 0 }
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
  const give = (about: BinaryNode) => relay.take(device, about)
  const newId = () => `3A${randomBytes(9).toString('hex').toUpperCase()}`

  async function deliver(id: string, to: string, message: proto.IMessage, { edit, isBroken, list }: How) {
    const attrs = { id, to, type: message.reactionMessage ? 'reaction' : 'text', edit }
    const group = directory.groups.get(to)
    const accounts = group
      ? [...group.members.values()].map((one) => one.account)
      : (list ?? [present(directory.find(to)), account])
    const devices = [...new Set(accounts)].flatMap((one) => [...one.devices.values()]).filter((one) => one !== device)
    const address = (one: Device) => jidOf(one.account, group ? 'lid' : serverOf(to), one.id)
    if (group) {
      const { own, common } = await keys.encryptForGroup(to, devices, message)
      if (isBroken) spoil(common)
      const each = own.map(([one, enc]) => node('to', { jid: address(one) }, [enc]))
      return give(node('message', attrs, [...(each.length ? [node('participants', {}, each)] : []), common]))
    }
    const each: BinaryNode[] = []
    for (const one of devices) {
      const isOwn = one.account === account && directory.find(to) !== account
      const content = isOwn ? { deviceSentMessage: { destinationJid: to, message } } : message
      const enc = await keys.encrypt(one, content)
      if (isBroken) spoil(enc)
      each.push(node('to', { jid: address(one) }, [enc]))
    }
    give(node('message', attrs, [node('participants', {}, each)]))
  }

  async function send(to: string, message: proto.IMessage, { id = newId(), ...how }: How & { id?: string } = {}) {
    const acknowledged = new Promise<string | undefined>((resolve) => void acks.set(id, resolve))
    sent.set(id, { to, message })
    await inTurn(() => deliver(id, to, message, how))
    const code = await acknowledged
    if (code) throw new Error(`refused with ${code}`)
    return id
  }

  /** Sends a message to one device of the same account. */
  const sendPeer = (to: Device, message: proto.IMessage) =>
    inTurn(async () => {
      const attrs = { id: newId(), to: jidOf(account, SERVER, to.id), type: 'text', category: 'peer' }
      give(node('message', attrs, [await keys.encrypt(to, message)]))
    })

  async function takeRequest(from: Device, { protocolMessage }: proto.IMessage) {
    const asked = protocolMessage?.peerDataOperationRequestMessage?.historySyncOnDemandRequest
    if (asked) await sendPeer(from, olderMessages(saved, asked))
  }

  async function takeMessage(stanza: BinaryNode) {
    const { id, from, participant, recipient, category } = stanza.attrs
    const group = directory.groups.has(from!) ? from : undefined
    const sender = directory.device(participant ?? from!)!
    const message: proto.IMessage = {}
    try {
      for (const enc of children(stanza, 'enc')) Object.assign(message, await keys.decrypt(sender, enc, group))
    } catch {
      counts.unreadable++
      const retry = node('retry', { count: 1, id, t: stanza.attrs['t'], v: 1 })
      const content = [retry, ...(await keys.retryContent())]
      give(node('receipt', { id, to: from, participant, type: 'retry' }, content))
      if (memory.forgets-- > 0) keys.forgetSessions()
      return
    }
    const isOwn = sender.account === account
    const type = category === 'peer' ? 'peer_msg' : isOwn ? 'sender' : undefined
    give(node('receipt', { id, to: from, participant, recipient, type }))
    if (category === 'peer') return void takeRequest(sender, message.deviceSentMessage?.message ?? message)
    const name = `${id} ${sender.account.number}`
    if (known.has(name)) return void counts.repeated++
    known.add(name)
    const direct = message.deviceSentMessage
    const chat = group ?? direct?.destinationJid ?? recipient ?? jidOf(sender.account, serverOf(from!))
    const taken = { id: id!, chat, from: sender.account, fromMe: isOwn, message: direct?.message ?? message }
    inbox.push(taken)
    listener?.message(taken)
  }

  async function resend(stanza: BinaryNode) {
    const { id, from, participant } = stanza.attrs
    const before = sent.get(id!)
    const to = directory.device(participant ?? from!)
    if (!before || !to) return
    const group = participant ? from : undefined
    const enc = await keys.encryptAgain(to, before.message, stanza, group)
    enc.attrs['count'] = child(stanza, 'retry')?.attrs['count'] ?? '1'
    give(node('message', { id, to: from, participant, type: 'text' }, [enc]))
  }

  /** Sends again what a device could not decrypt, after the set delay. */
  async function repeat(stanza: BinaryNode) {
    if (memory.repeatsAfterMs > 0) await pause(memory.repeatsAfterMs)
    await inTurn(() => resend(stanza))
  }

  /** Answers the request of an own device for an expired file. */
  function restore(stanza: BinaryNode) {
    const { id, from } = stanza.attrs
    const message = inbox.find((one) => one.id === id)?.message ?? sent.get(id!)?.message
    const found = message && filePart(message)
    const device = directory.device(from!)
    if (!found || !device) return
    const path = memory.keepsFiles ? media.putAgain(found.part.directPath!) : null
    relay.deliver(device, renewalOf(stanza, jidOf(account, SERVER), found.part.mediaKey!, path))
  }

  function take(stanza: BinaryNode) {
    const { tag, attrs } = stanza
    if (tag === 'ack' && attrs['class'] === 'message') return acks.get(attrs['id'] ?? '')?.(attrs['error'])
    if (tag === 'message') return void inTurn(() => takeMessage(stanza))
    const from = directory.find(attrs['participant'] ?? attrs['from'] ?? '')
    if (tag === 'chatstate' && from) {
      const chat = attrs['participant'] ? (attrs['from'] ?? '') : null
      seen.push({ from, what: firstOf(nodesIn(stanza)).tag, chat })
      listener?.seen(lastOf(seen))
    }
    if (!['receipt', 'notification', 'call'].includes(tag)) return
    const { id, from: to, type, participant } = attrs
    give(node('ack', { class: tag, id, to, type, participant }))
    if (tag === 'call' && from) seen.push({ from, what: firstOf(nodesIn(stanza)).tag, chat: null })
    if (tag !== 'receipt') return
    if (attrs['type'] === 'retry') return void repeat(stanza)
    if (attrs['type'] === 'server-error') return restore(stanza)
    const ids = [attrs['id'] ?? '', ...children(child(stanza, 'list'), 'item').map((item) => item.attrs['id'] ?? '')]
    if (!from) return
    const device = directory.device(attrs['participant'] ?? attrs['from'] ?? '')?.id ?? 0
    for (const id of ids) {
      receipts.push({ id, from, device, type: attrs['type'] ?? 'delivered' })
      listener?.receipt(lastOf(receipts))
    }
  }

  const connect = () => {
    device.connection = { send: take, close() {}, isActive: false }
    relay.activate(device)
  }
  connect()

  return {
    account,
    jid: jidOf(account, account.isHidden ? 'lid' : SERVER),
    lid: jidOf(account, 'lid'),
    inbox,
    receipts,
    /** Activities seen on the phone: typing, and calls that were accepted or refused. */
    seen,
    /** Counts of messages that arrived again, and of those that could not be decrypted at first. */
    counts,
    /** Deletes the sessions, so that new ones are needed for later messages. */
    forgetSessions: keys.forgetSessions,
    /** Messages from before the linking of a device, by conversation. */
    saved,
    /** Sends a message; returns its id once the server has it. */
    send,
    text: (to: string, body: string) => send(to, { conversation: body }),
    /** Sends a file; returns the message's id, and the file's path at the host. */
    async file(to: string, field: FileField, bytes: Uint8Array, about: object = {}) {
      const message = await uploadFile(media, field, bytes, about)
      return { id: await send(to, message), path: present(filePart(message)).part.directPath! }
    },
    /** Votes in a received poll for these options; none withdraws the vote. */
    vote(id: string, options: readonly string[]) {
      const poll = present(inbox.find((one) => one.id === id))
      // By number or by LID.
      const kind = account.isHidden || directory.groups.has(poll.chat) ? 'lid' : SERVER
      const [voter, creator] = [jidOf(account, kind), jidOf(poll.from, kind)]
      return send(poll.chat, voteIn(poll, { voter, creator }, options))
    },
    /** Downloads the file of a message; null if there is none. */
    open: (message: proto.IMessage) => downloadFile(media, message),
    /**
     * Settings of the phone: whether it keeps its messages and files, how many retries after the first it fails to decrypt,
     * delay before it repeats an undecryptable message (ms).
     */
    memory,
    /** Gives the read or played receipt of a received message. */
    confirm(id: string, type: 'read' | 'played') {
      const { chat, from } = present(inbox.find((one) => one.id === id))
      const participant = directory.groups.has(chat) ? jidOf(from, 'lid') : undefined
      give(node('receipt', { id, to: chat, participant, type, t: seconds() }))
    },
    /** Shows a person that the phone types or records. */
    shows: (to: string, state: 'composing' | 'recording' | 'paused') =>
      give(
        node('chatstate', { to }, [
          state === 'recording'
            ? node('composing', { media: 'audio' })
            : node(state === 'paused' ? state : 'composing'),
        ]),
      ),
    /** Calls a person; returns the function that ends the call. */
    ring(to: string): () => void {
      const call = randomBytes(8).toString('hex')
      const about = { 'call-id': call, 'call-creator': jidOf(account, serverOf(to)), caller_pn: jidOf(account, SERVER) }
      const act = (tag: string) => give(node('call', { to, id: newId() }, [node(tag, about)]))
      act('offer')
      return () => act('terminate')
    },
    scan: (qr: string): Promise<Device> => linking.scan(account, keys.identity, qr),
    enterCode: (code: string): Promise<Device> => linking.enterCode(account, keys.identity, code),
    /** Sends linked devices a part of the history that is at the file host, not in the message. */
    async tellHistory() {
      for (const to of account.devices.values()) if (to !== device) await sendPeer(to, remotePart(media))
    },
    /** Sends a newly linked device its initial messages. */
    async welcome(to: Device) {
      for (const message of welcomeMessages([...directory.accounts()], saved)) await sendPeer(to, message)
    },
    /** Disconnects the phone; messages for it wait at the server. */
    disconnect() {
      device.connection = null
    },
    connect,
    /** Resolves when all running work of the phone is done. */
    idle: () => turn,
  }
}

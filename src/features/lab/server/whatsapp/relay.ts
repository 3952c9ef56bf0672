import { isDeepStrictEqual } from 'node:util'
import { present } from '#domain/present.ts'
import { type Device, type Directory, jidOf, type Relayed, serverOf } from './directory.ts'
import { type BinaryNode, child, children, node, SERVER, seconds } from './nodes.ts'

/** Faults of the server that a test switches on. */
export type Faults = {
  /** Acks for messages of linked devices: given at once, withheld until released, or lost after relaying. */
  acks: 'given' | 'withheld' | 'lost'
  /** Error codes for messages to a number (463: an account that may not write first). */
  readonly refused: Map<string, string>
  /** Number of messages that the server announces to a returning device beyond those that it has. */
  lostWhileAway: number
}

/** Relay of messages between devices; a message for a device is stored until acknowledged. */
export type Relay = ReturnType<typeof makeRelay>

/** Receipts that acknowledge a message; the others report its further status. */
const receives = new Set<string | undefined>([undefined, 'inactive', 'sender', 'peer_msg', 'retry'])
/** Receipts that are not shown to others. */
const privately = new Set<string | undefined>(['sender', 'peer_msg', 'hist_sync', 'read-self'])

/** Creates the relay between the devices of a directory. */
export function makeRelay(directory: Directory, faults: Faults) {
  const withheld: (() => void)[] = []

  function forward({ connection, counts }: Device, relayed: Relayed, isOffline: boolean) {
    if (!connection) return
    relayed.deliveries++
    if (relayed.node.tag === 'message' && relayed.deliveries > 1) counts.repeated++
    const { node: about } = relayed
    connection.send(isOffline ? { ...about, attrs: { ...about.attrs, offline: '0' } } : about)
  }

  /** Delivers a node to a device, at once or when it reconnects. */
  function deliver(device: Device, about: BinaryNode) {
    const relayed = { node: about, deliveries: 0 }
    device.waiting.push(relayed)
    if (about.tag === 'message') device.counts.relayed++
    if (device.connection?.isActive) forward(device, relayed, false)
  }

  function acknowledge(device: Device, isIt: (waiting: BinaryNode) => boolean) {
    const index = device.waiting.findIndex((one) => isIt(one.node))
    if (index < 0) return
    const [one] = device.waiting.splice(index, 1)
    if (present(one).node.tag === 'message') device.counts.acknowledged++
  }

  /** Takes an ack, which is matched by more than the id: a receipt and a retry request of one message have the same id. */
  const takeAck = (from: Device, { attrs }: BinaryNode) =>
    acknowledge(from, ({ tag, attrs: { id, from, type, participant } }) =>
      isDeepStrictEqual(
        [tag, id, from, type, participant],
        [attrs['class'], attrs['id'], attrs['to'], attrs['type'], attrs['participant']],
      ),
    )

  /** Returns the address attributes of a device's message for another device, in the conversation `chat`. */
  function direct(from: Device, to: Device, chat: string): Record<string, string | undefined> {
    const server = serverOf(chat)
    if (server === 'broadcast') {
      const { account } = from
      return { from: chat, participant: jidOf(account, SERVER, from.id), participant_lid: jidOf(account, 'lid') }
    }
    const other = server === 'lid' ? SERVER : 'lid'
    const nameOf = (kind: string) => `${kind}_${other === 'lid' ? 'lid' : 'pn'}`
    const sender = { from: jidOf(from.account, server, from.id) }
    if (to.account !== from.account) {
      const isKnown = other === 'lid' || !from.account.isHidden
      return { ...sender, [nameOf('sender')]: isKnown ? jidOf(from.account, other) : undefined }
    }
    const about = directory.find(chat)
    const isKnown = about && (other === 'lid' || !about.isHidden)
    return { ...sender, recipient: chat, [nameOf('peer_recipient')]: isKnown ? jidOf(about, other) : undefined }
  }

  /** Returns the devices that a message is for, with the node for each. */
  function addressed(from: Device, stanza: BinaryNode): [Device, BinaryNode][] {
    const { id, to, type, edit, category, participant, recipient } = stanza.attrs
    const identity = child(stanza, 'device-identity')
    const common = children(stanza, 'enc')
    const single = children(child(stanza, 'participants'), 'to').flatMap((one) => {
      const device = directory.device(one.attrs['jid'] ?? '')
      return device ? [[device, children(one, 'enc')] as const] : []
    })
    const stanzaFor = (attrs: Record<string, string | undefined>, content: BinaryNode[]) => {
      const isFirst = identity && content.some((enc) => enc.attrs['type'] === 'pkmsg')
      const about = { ...attrs, id, type, edit, t: seconds(), notify: from.account.name }
      return node('message', about, isFirst ? [...content, identity] : content)
    }
    const group = directory.groups.get(to!)
    if (group) {
      const { account } = from
      const attrs = {
        from: to,
        participant: jidOf(account, 'lid', from.id),
        participant_pn: account.isHidden ? undefined : jidOf(account, SERVER),
        addressing_mode: 'lid',
      }
      const own = new Map(single)
      const only = participant ? directory.device(participant) : undefined
      const members = [...group.members.values()].flatMap((member) => [...member.account.devices.values()])
      return (only ? [only] : members.filter((device) => device !== from)).map((device) => [
        device,
        stanzaFor(attrs, [...(own.get(device) ?? []), ...common]),
      ])
    }
    if (common.length === 0) return single.map(([device, own]) => [device, stanzaFor(direct(from, device, to!), own)])
    // Addressed to one device: between devices of one account, or encrypted again after a failed decryption.
    const device = directory.device(to!)
    if (!device) return []
    const isPeer = category === 'peer'
    const attrs = isPeer
      ? { from: jidOf(from.account, SERVER, from.id), category }
      : direct(from, device, recipient ?? jidOf(device.account, serverOf(to!)))
    return [[device, stanzaFor(attrs, common)]]
  }

  function takeMessage(from: Device, stanza: BinaryNode) {
    const { id, to } = stanza.attrs
    const answer = (error?: string) =>
      from.connection?.send(node('ack', { class: 'message', id, from: to, t: seconds(), error }))
    const code = from.id === 0 ? undefined : faults.refused.get(directory.find(to!)?.number ?? '')
    if (code) return answer(code)
    for (const [device, about] of addressed(from, stanza)) deliver(device, about)
    if (from.id === 0 || faults.acks === 'given') answer()
    else if (faults.acks === 'withheld') withheld.push(answer)
  }

  function takeReceipt(from: Device, stanza: BinaryNode) {
    const { id, to, type, participant } = stanza.attrs
    from.connection?.send(node('ack', { class: 'receipt', id, from: to, type }))
    const items = children(child(stanza, 'list'), 'item').map((item) => item.attrs['id'] ?? '')
    for (const got of receives.has(type) ? [id, ...items] : [])
      acknowledge(from, ({ tag, attrs }) => tag === 'message' && attrs['id'] === got)
    if (privately.has(type)) return
    const about = directory.groups.has(to!) ? participant : to
    const account = directory.find(about ?? '')
    if (!account) return
    const isForOne = type === 'retry' || type === 'server-error'
    const devices = isForOne ? [directory.device(about!)] : [...account.devices.values()]
    const attrs =
      about === to
        ? { from: jidOf(from.account, serverOf(to!), from.id) }
        : { from: to, participant: jidOf(from.account, 'lid', from.id) }
    for (const device of devices) {
      if (!device || device === from) continue
      const shown = { ...attrs, id, t: seconds(), type: type === 'inactive' ? undefined : type }
      deliver(device, node('receipt', shown, stanza.content))
    }
  }

  /** Forwards a typing state to connected devices only, without storing it. */
  function takeChatState(from: Device, { tag, attrs, content }: BinaryNode) {
    const to = attrs['to'] ?? ''
    const group = directory.groups.get(to)
    const about = group
      ? { from: to, participant: jidOf(from.account, 'lid') }
      : { from: jidOf(from.account, serverOf(to)) }
    const account = directory.find(to)
    const accounts = group ? [...group.members.values()].map((member) => member.account) : account ? [account] : []
    for (const device of accounts.flatMap(({ devices }) => [...devices.values()]))
      if (device.connection?.isActive && device.account !== from.account)
        device.connection.send(node(tag, about, content))
  }

  function takePresence(from: Device, { attrs }: BinaryNode) {
    if (attrs['type'] !== 'subscribe') return
    const phone = directory.find(attrs['to'] ?? '')?.devices.get(0)
    const type = phone?.connection ? 'available' : 'unavailable'
    from.connection?.send(node('presence', { from: attrs['to'], type }))
  }

  function takeCall(from: Device, { attrs, content }: BinaryNode) {
    const [action] = Array.isArray(content) ? content : []
    from.connection?.send(node('ack', { class: 'call', id: attrs['id'], from: attrs['to'], type: action?.tag }))
    const call = { from: jidOf(from.account, serverOf(attrs['to'] ?? '')), id: attrs['id'], t: seconds() }
    for (const device of directory.find(attrs['to'] ?? '')?.devices.values() ?? [])
      deliver(device, node('call', call, content))
  }

  return {
    deliver,
    /** Takes a node from a device, except queries. */
    take(from: Device, stanza: BinaryNode) {
      const { tag } = stanza
      if (tag === 'message') takeMessage(from, stanza)
      else if (tag === 'receipt') takeReceipt(from, stanza)
      else if (tag === 'ack') takeAck(from, stanza)
      else if (tag === 'chatstate') takeChatState(from, stanza)
      else if (tag === 'presence') takePresence(from, stanza)
      else if (tag === 'call') takeCall(from, stanza)
    },
    /** Activates a connected device: delivers its waiting nodes in order, then their number. */
    activate(device: Device) {
      if (!device.connection) return
      device.connection.isActive = true
      const count = device.waiting.length
      const message = device.waiting.filter(({ node: { tag } }) => tag === 'message').length + faults.lostWhileAway
      const preview = node('offline_preview', { count, message, receipt: 0, notification: 0, appdata: 0 })
      device.connection.send(node('ib', { from: SERVER }, [preview]))
      for (const relayed of [...device.waiting]) forward(device, relayed, true)
      device.connection.send(node('ib', { from: SERVER }, [node('offline', { count })]))
    },
    /** Gives the acks that were withheld. */
    releaseAcks() {
      for (const answer of withheld.splice(0)) answer()
    },
  }
}

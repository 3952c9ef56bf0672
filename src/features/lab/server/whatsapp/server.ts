import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { proto } from 'baileys'
import { type WebSocket, WebSocketServer } from 'ws'
import { lookUp } from '#domain/present.ts'
import { certificate } from './certificate.ts'
import { type Account, type Device, type Group, jidOf, makeDirectory } from './directory.ts'
import {
  changeMembers,
  createGroup,
  describeGroup,
  type MembersChange,
  renameGroup,
  restrictGroup,
} from './group-queries.ts'
import { makeLinking, type Unlinked } from './linking.ts'
import { startMediaHost } from './media.ts'
import { type BinaryNode, child, node, SERVER, seconds } from './nodes.ts'
import { makeNoiseServer, root } from './noise.ts'
import { makePhone, type Phone, type PhoneListener } from './phone.ts'
import { answerQuery, takeBundle } from './queries.ts'
import { type Faults, makeRelay } from './relay.ts'

/** Local WhatsApp server with virtual phones. */
export type WhatsAppServer = Awaited<ReturnType<typeof startWhatsAppServer>>

/**
 * Starts a server that speaks WhatsApp's protocol for linked devices, and its file host. Clients connect to `url` if they
 * trust `root` (64 hex digits) and, for files, `ca` (PEM). Messages are stored until acknowledged.
 */
export async function startWhatsAppServer() {
  const directory = makeDirectory()
  const faults: Faults & { readonly logins: Map<string, string>; isSilent: boolean; turnsAway: boolean } = {
    acks: 'given',
    refused: new Map(),
    lostWhileAway: 0,
    logins: new Map(),
    isSilent: false,
    turnsAway: false,
  }
  const relay = makeRelay(directory, faults)
  /** Local ports from which the server and the file host were reached. */
  const visitors: number[] = []
  const media = await startMediaHost(visitors)
  const linking = makeLinking()
  const pictures = new Map<string, string>()
  const phones = new Map<string, Phone>()
  const welcomed = new Set<Device>()
  const sockets = new Set<WebSocket>()
  let onGroupChange: ((group: Group, by: Account) => void) | undefined
  const received: { readonly from: string; readonly node: BinaryNode }[] = []

  function unlink(device: Device) {
    device.account.devices.delete(device.id)
    const conflict = node('conflict', { type: 'device_removed' })
    device.connection?.send(node('stream:error', { code: 401 }, [conflict]))
    device.connection?.close()
    device.connection = null
  }

  function login(payload: proto.ClientPayload, noiseKey: Buffer, send: (about: BinaryNode) => void, close: () => void) {
    const account = directory.find(String(payload.username))
    const device = account?.devices.get(payload.device ?? 0)
    const reason = faults.logins.get(account?.number ?? '')
    if (!device || reason || !linking.isOf(device, noiseKey)) {
      send(node('failure', { reason: reason ?? '401', location: 'local' }))
      close()
      return null
    }
    device.connection?.send(node('stream:error', {}, [node('conflict', { type: 'replaced' })]))
    device.connection?.close()
    device.connection = { send, close, isActive: false }
    send(node('success', { t: seconds(), lid: jidOf(device.account, 'lid', device.id), creation: seconds() }))
    return device
  }

  function takeQuery(device: Device, iq: BinaryNode) {
    const { xmlns, id } = iq.attrs
    device.connection?.send(
      answerQuery(
        { directory, relay, media, pictures, onGroupChange: (group, by) => onGroupChange?.(group, by.account) },
        device,
        iq,
      ),
    )
    if (xmlns === 'md' && child(iq, 'remove-companion-device')) return unlink(device)
    if (xmlns !== 'passive' || !child(iq, 'active') || !id) return
    relay.activate(device)
    if (welcomed.has(device)) return
    welcomed.add(device)
    void phones.get(device.account.number)?.welcome(device)
  }

  const serve = (socket: WebSocket, remotePort: number) => {
    visitors.push(remotePort)
    if (faults.turnsAway) return socket.terminate()
    sockets.add(socket)
    let device: Device | null = null
    let client: Unlinked | null = null
    const close = () => socket.close()
    const send = (about: BinaryNode) => {
      if (faults.isSilent || socket.readyState !== socket.OPEN) return
      socket.send(noise.frame(about))
      if (about.tag === 'stream:error') socket.close()
    }
    const noise = makeNoiseServer({
      write: (bytes) => socket.send(bytes),
      onPayload(payload, noiseKey) {
        if (payload.devicePairingData) client = linking.offer(send, payload, noiseKey)
        else device = login(payload, noiseKey, send, close)
      },
      onNode(about) {
        if (faults.isSilent) return
        if (client) return linking.take(client, about)
        if (!device || device.connection?.send !== send) return
        // Keep-alive pings are frequent.
        if (about.attrs['xmlns'] !== 'w:p')
          received.push({ from: jidOf(device.account, SERVER, device.id), node: about })
        if (about.tag === 'iq') takeQuery(device, about)
        else relay.take(device, about)
      },
    })
    let turn = Promise.resolve()
    socket.on('message', (data) => {
      turn = turn.then(() => noise.receive(data as Buffer)).catch(() => socket.terminate())
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      sockets.delete(socket)
      if (client) linking.forget(client)
      if (device?.connection?.send === send) device.connection = null
    })
  }
  const listen = async () => {
    const listening = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws/chat' })
    listening.on('connection', (socket, request) => serve(socket, request.socket.remotePort!))
    await once(listening, 'listening')
    return listening
  }
  let server: WebSocketServer | null = await listen()
  const cut = () => {
    for (const socket of sockets) socket.terminate()
  }
  async function goDown() {
    const gone = server
    server = null
    cut()
    await new Promise<void>((done) => (gone ? gone.close(() => done()) : done()))
  }
  const portOf = () => (server?.address() as AddressInfo | undefined)?.port ?? 0

  let lastPost = 0
  const encodeMessage = (message: proto.IMessage) => proto.Message.encode(message).finish()
  const linkedTo = (phone: Phone) => [...phone.account.devices.values()].filter(({ id }) => id > 0)
  const groupOf = (jid: string) => lookUp(directory.groups, jid)
  const phoneOf = (phone: Phone) => lookUp(phone.account.devices, 0)
  const known = { directory, relay }

  function changePicture(
    name: string,
    { from, jid, others }: { from: string; jid: string; others: readonly Account[] },
    picture: Uint8Array | null,
  ) {
    if (picture) pictures.set(name, media.put(picture))
    else pictures.delete(name)
    const about = { jid, hash: `picture-${++lastPost}` }
    const attrs = { from, type: 'picture', id: about.hash, t: seconds() }
    for (const device of others.flatMap(({ devices }) => [...devices.values()]))
      relay.deliver(device, node('notification', attrs, [node(picture ? 'set' : 'delete', about)]))
  }

  return {
    /** URL for linked devices; the port changes after an outage, and is 0 during one. */
    get url() {
      return `ws://127.0.0.1:${portOf()}/ws/chat`
    },
    root: Buffer.from(root.public).toString('hex'),
    ca: certificate,
    directory,
    media,
    faults,
    visitors,
    /** Nodes that linked devices have sent, in order. */
    received,
    /** Sends the withheld acks. */
    releaseAcks: relay.releaseAcks,
    /** Adds a person with a phone. */
    async addPhone(about: {
      number: string
      name: string
      isHidden?: boolean
      picture?: Uint8Array
      listener?: PhoneListener
    }): Promise<Phone> {
      const account = directory.add(about)
      if (about.picture) pictures.set(account.number, media.put(about.picture))
      const bundleOf = (device: Device) => takeBundle(device, relay)
      const phone = await makePhone({ directory, relay, linking, bundleOf, media }, account, about.listener)
      phones.set(account.number, phone)
      return phone
    },
    /** Changes or removes the picture of an account, and notifies all others. */
    setPicture({ account }: Phone, picture: Uint8Array | null) {
      const from = jidOf(account, account.isHidden ? 'lid' : SERVER)
      const others = [...directory.accounts()].filter((one) => one !== account)
      changePicture(account.number, { from, jid: jidOf(account, 'lid'), others }, picture)
    },
    /** Changes the picture of a group, and notifies its other members. */
    setGroupPicture({ account }: Phone, jid: string, picture: Uint8Array) {
      const others = [...groupOf(jid).members.values()].map((one) => one.account).filter((one) => one !== account)
      changePicture(jid, { from: jid, jid: jidOf(account, 'lid'), others }, picture)
    },
    /** Whether a client has requested linking to a phone by a typed code. */
    isAskedForCode: ({ account }: Phone): boolean => linking.isAsked(account),
    /** Returns the devices linked to a phone. */
    linkedTo,
    /** Unlinks all devices of a phone. */
    unlink: (phone: Phone) => {
      for (const device of linkedTo(phone)) unlink(device)
    },
    /** Ends the connections of a phone's linked devices with a stream error. */
    end(phone: Phone, code: number) {
      const about = code === 440 ? node('stream:error', {}, [node('conflict', { type: 'replaced' })]) : null
      for (const device of linkedTo(phone)) device.connection?.send(about ?? node('stream:error', { code }))
    },
    /** Cuts every connection without notice. */
    cut,
    /** Stops answering linked devices; messages for them are stored until it is up again. */
    goDown,
    async comeUp() {
      server ??= await listen()
    },
    /** Posts to a channel that a phone follows, unencrypted. */
    postInChannel(to: Phone, message: proto.IMessage) {
      const id = `post-${++lastPost}`
      const attrs = { from: '120363999900000001@newsletter', id, server_id: lastPost, type: 'text', t: seconds() }
      const content = [node('plaintext', {}, encodeMessage(message))]
      for (const device of linkedTo(to)) relay.deliver(device, node('message', attrs, content))
      return id
    },
    /** Sends a view-once message from one phone to another; linked devices get only a note of it. */
    sendOnce(from: Phone, to: Phone, id = `3AONCE${++lastPost}`) {
      const { jid, lid, account } = from
      const attrs = { from: jid, sender_lid: lid, id, type: 'media', t: seconds(), notify: account.name }
      for (const device of linkedTo(to))
        relay.deliver(device, node('message', attrs, [node('unavailable', { type: 'view_once' })]))
      return id
    },
    /** Sends the number of an account's LID to the devices linked to a phone. */
    shareNumber(to: Phone, { account }: Phone) {
      const profile = { jid: jidOf(account, 'lid'), added_profiles: [jidOf(account, SERVER)] }
      const content = Buffer.from(JSON.stringify({ data: { xwa2_notify_linked_profiles: profile } }))
      const attrs = { from: SERVER, type: 'mex', id: `number-${++lastPost}`, t: seconds() }
      const update = node('update', { op_name: 'NotificationLinkedProfilesUpdates' }, content)
      for (const device of linkedTo(to)) relay.deliver(device, node('notification', attrs, [update]))
    },
    createGroup: (by: Phone, subject: string, others: readonly Phone[], jid?: string): string =>
      createGroup(
        known,
        phoneOf(by),
        subject,
        others.map(({ lid }) => lid),
        jid,
      ).jid,
    /** Subscribes to changes of groups by linked devices. */
    followGroups(listener: (group: Group, by: Account) => void) {
      onGroupChange = listener
    },
    describeGroup: (by: Phone, jid: string, text: string) => describeGroup(known, phoneOf(by), groupOf(jid), text),
    restrictGroup: (by: Phone, jid: string, isOn: boolean) => restrictGroup(known, phoneOf(by), groupOf(jid), isOn),
    renameGroup: (by: Phone, jid: string, subject: string) => renameGroup(known, phoneOf(by), groupOf(jid), subject),
    changeMembers: (by: Phone, jid: string, change: MembersChange, whom: readonly Phone[]) =>
      changeMembers(
        known,
        phoneOf(by),
        groupOf(jid),
        change,
        whom.map(({ lid }) => lid),
      ),
    async close() {
      await goDown()
      await media.close()
    },
  }
}

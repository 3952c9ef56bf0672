import { setTimeout } from 'node:timers/promises'
import { settingsFor } from '#test/channels/sms-end.ts'
import { query } from '#test/crash/processes.ts'
import { startEvolution } from '#test/peers/evolution.ts'
import { startHub } from '#test/peers/hub.ts'
import { startSms } from '#test/peers/sms.ts'
import { startTcpProxy } from '#test/peers/tcp-proxy.ts'
import { startUazapi } from '#test/peers/uazapi.ts'
import { capital, startWuzapi } from '#test/peers/wuzapi.ts'
import { startZapi } from '#test/peers/zapi.ts'
import { until } from '#test/until.ts'
import type { GatewayFaults, Insist, Side } from './side.ts'
import type { World } from './world.ts'

type Got = { readonly id: string; readonly to: string; readonly body: string }
type State = 'delivered' | 'read'

/** A gateway, a provider of text messages, or the hub, in its own words. */
type Gateway = {
  readonly type: string
  readonly provider: string
  readonly settings: { readonly url: string }
  readonly config: object
  readonly faults: GatewayFaults['faults']
  /** Scans the displayed code with the company's phone; null if no code is needed. */
  readonly scan: ((code: string) => Promise<void>) | null
  readonly got: () => readonly Got[]
  readonly states: readonly State[]
  /** Writes a message of a contact; `door` is the product's webhook address. */
  say(from: string, body: string, id: string, door: string): Promise<unknown>
  confirm(state: State, message: Got): Promise<unknown>
  close(): Promise<void>
}

const NAME = 'Ana'
const SHOP = '5519999990000'
const jid = (number: string) => `${number}@s.whatsapp.net`
const taken = (all: readonly { id: string; to: string; body: string | null }[]): Got[] =>
  all.map(({ id, to, body }) => ({ id, to: to.replace(/@.*/, ''), body: body ?? '' }))
const both: readonly State[] = ['delivered', 'read']

type Open = (people: readonly string[]) => Promise<Gateway>

const openers: readonly Open[] = [
  async (people) => {
    const peer = await startEvolution()
    for (const one of people) peer.people.set(one, NAME)
    return {
      ...{ type: 'evo', provider: 'evolution', settings: { url: peer.address, key: peer.key }, config: {} },
      ...{ faults: peer.faults, scan: peer.scan, got: () => taken(peer.got), states: both, close: peer.close },
      say: (from, conversation, id) =>
        peer.tell('messages.upsert', {
          ...{ key: { remoteJid: jid(from), fromMe: false, id }, pushName: NAME, message: { conversation } },
          ...{ messageTimestamp: Math.floor(Date.now() / 1000), source: 'android' },
        }),
      confirm: (state, { id, to }) =>
        peer.tell('messages.update', {
          ...{ messageId: `${id}-${state}`, keyId: id, remoteJid: jid(to), fromMe: true, participant: jid(to) },
          status: state === 'read' ? 'READ' : 'DELIVERY_ACK',
        }),
    }
  },
  async (people) => {
    const peer = await startWuzapi()
    for (const one of people) peer.people.set(one, NAME)
    const Timestamp = () => new Date().toISOString()
    return {
      ...{ type: 'meow', provider: 'wuzapi', settings: { url: peer.address, key: peer.key }, config: {} },
      ...{ faults: peer.faults, scan: peer.scan, got: () => taken(peer.got), states: both, close: peer.close },
      say: (from, conversation, ID) => {
        const who = { Chat: jid(from), Sender: jid(from), SenderAlt: '', IsFromMe: false, PushName: NAME }
        const Message = capital({ conversation })
        return peer.tell({ type: 'Message', event: { Info: { ID, Timestamp: Timestamp(), ...who }, Message } })
      },
      confirm: (state, { id, to }) =>
        peer.tell({
          ...{ type: 'ReadReceipt', state: state === 'read' ? 'Read' : 'Delivered' },
          event: { MessageIDs: [id], Chat: jid(to), Sender: jid(to), Timestamp: Timestamp() },
        }),
    }
  },
  async (people) => {
    const peer = await startZapi()
    for (const one of people) peer.people.set(one, NAME)
    const { id, token } = peer.instance
    return {
      ...{ type: 'zapi', provider: 'zapi', settings: { url: peer.address, key: peer.key } },
      ...{ config: { wabaId: id, tokenAPI: token }, faults: peer.faults, scan: peer.scan },
      ...{ got: () => taken(peer.got), states: both, close: peer.close },
      say: (phone, message, messageId) =>
        peer.tell({
          ...{ type: 'ReceivedCallback', messageId, phone, fromMe: false, momment: Date.now() },
          ...{ chatName: NAME, senderName: NAME, text: { message } },
        }),
      confirm: (state, { id: one, to: phone }) =>
        peer.tell({
          ...{ type: 'MessageStatusCallback', status: state === 'read' ? 'READ' : 'RECEIVED', ids: [one] },
          ...{ momment: Date.now(), phone },
        }),
    }
  },
  async (people) => {
    const peer = await startUazapi()
    for (const one of people) peer.people.set(one, NAME)
    return {
      ...{ type: 'uazapi', provider: 'uazapi', settings: { url: peer.address, key: peer.key }, config: {} },
      ...{ faults: peer.faults, scan: peer.scan, got: () => taken(peer.got), states: both, close: peer.close },
      say: (from, text, messageid) =>
        peer.tell('messages', {
          chat: { wa_chatid: jid(from) },
          message: {
            ...{ id: `${SHOP}:${messageid}`, messageid, chatid: jid(from), sender: jid(from), sender_pn: jid(from) },
            ...{ senderName: NAME, fromMe: false, messageType: 'ExtendedTextMessage', type: 'text', text },
            ...{ content: { text }, messageTimestamp: Date.now() },
          },
        }),
      confirm: (state, { id, to }) =>
        peer.tell('messages_update', {
          event: {
            ...{ MessageIDs: [id], Type: state === 'read' ? 'Read' : 'Delivered', Chat: jid(to), Sender: jid(to) },
            Timestamp: new Date().toISOString(),
          },
        }),
    }
  },
]

/** Opens Twilio for text messages, whose reports contain our own id. */
const openTwilio: Open = async () => {
  const peer = await startSms('twilio')
  const told = async (url: string, body: Record<string, string>) => {
    const status = await peer.tell(url, body)
    if (status !== 200) throw new Error(`${status}`)
  }
  return {
    ...{ type: 'sms', provider: 'sms', settings: settingsFor('twilio', peer) },
    ...{ config: { from: `+${SHOP}`, isPlain: false }, faults: peer.faults, states: ['delivered'], scan: null },
    got: () => peer.got.map(({ id, to, text }) => ({ id, to, body: text })),
    close: peer.close,
    say: (from, Body, id, door) =>
      told(door, { MessageSid: id, SmsSid: id, AccountSid: peer.account, From: `+${from}`, To: `+${SHOP}`, Body }),
    confirm: (state, { id, to }) =>
      told(peer.got.find((one) => one.id === id)!.callback, {
        ...{ MessageSid: id, MessageStatus: state, To: `+${to}`, From: `+${SHOP}` },
      }),
  }
}

/** Opens a number at the hub: it reports each sent message, and later its status under the channel's own id. */
const openHub: Open = async () => {
  const peer = await startHub()
  const channelId = peer.channels[0]!.id
  return {
    ...{ type: 'hub', provider: 'hub', settings: { url: peer.address, key: peer.key } },
    ...{ config: { channelId, channel: 'hub_whatsapp_business_account' }, faults: peer.faults, states: both },
    ...{ scan: null, close: peer.close },
    got: () => peer.got.map(({ id, to, content }) => ({ id, to, body: content.text ?? '' })),
    say: (from, text, id) =>
      peer.tell(channelId, {
        ...{ type: 'MESSAGE', id },
        message: {
          ...{ id, from, direction: 'IN', isGroup: 'false', visitor: { name: NAME } },
          contents: [{ type: 'text', text }],
        },
      }),
    async confirm(state, { id }) {
      const sent = peer.got.find((one) => one.id === id)!
      await peer.echo(sent)
      await peer.status(sent, state === 'read' ? 'READ' : 'DELIVERED')
    },
  }
}

/** Other ends that behave as gateways: prefix of their contacts' numbers, and functions that open them. */
const kinds = {
  gateways: { start: '558498', opens: openers },
  sms: { start: '558598', opens: [openTwilio] },
  hub: { start: '558698', opens: [openHub] },
} satisfies Record<string, { start: string; opens: readonly Open[] }>

/** Kinds of other ends that `openGateways` opens. */
export const gatewayKinds = Object.keys(kinds) as (keyof typeof kinds)[]

const LOOK_MS = 50

/**
 * Connects a phone through each gateway, an account for text messages, or a number at the hub; one contact writes to each.
 */
export async function openGateways(
  world: World,
  tenantId: number,
  insist: Insist,
  kind: keyof typeof kinds,
): Promise<Side> {
  const { start, opens } = kinds[kind]
  const numbers = opens.map((_, n) => `${start}${String(tenantId).padStart(4, '0')}${String(n).padStart(3, '0')}`)
  const all = await Promise.all(opens.map((open, n) => open([numbers[n]!])))
  const byContact = new Map(all.map((one, n) => [numbers[n]!, one]))
  const doors = new Map<Gateway, string>()
  const lines: GatewayFaults[] = []
  for (const one of all) {
    const line = await startTcpProxy(one.settings.url)
    lines.push({ line, faults: one.faults })
    doors.set(
      one,
      await link(world, insist, { ...one, settings: { ...one.settings, url: line.through(one.settings.url) } }),
    )
  }
  for (const one of lines) world.gateways.add(one)
  let [owed, isOver] = [0, false]

  async function tellOf(one: Gateway, message: Got, turn: number): Promise<void> {
    owed++
    const states = turn % 2 === 0 ? one.states : one.states.toReversed()
    for (const state of states) await one.confirm(state, message)
    owed--
  }
  async function watch(one: Gateway): Promise<void> {
    for (let n = 0; !isOver; ) {
      // A refused one still counts as owed, which the caller sees.
      for (const message of one.got().slice(n)) tellOf(one, message, n++).catch(() => {})
      await setTimeout(LOOK_MS)
    }
  }
  for (const one of all) void watch(one)
  return {
    ...{ contacts: numbers, isSure: false },
    async write(contact, body, id) {
      const one = byContact.get(contact)!
      await one.say(contact, body, id, doors.get(one)!)
    },
    received: (contact) =>
      byContact
        .get(contact)!
        .got()
        .map(({ body }) => body),
    owed: () => owed + world.callbacks.waiting(),
    mend: async () => {},
    async close() {
      isOver = true
      for (const one of lines) {
        world.gateways.delete(one)
        await one.line.close()
      }
      for (const { close } of all) await close()
    },
  }
}

/** Creates and starts a connection; returns its webhook address. */
async function link(world: World, insist: Insist, one: Gateway): Promise<string> {
  await insist(`/api/providers/${one.provider}`, one.settings, 'PUT')
  const made = await insist('/api/whatsapp', { type: one.type, name: one.type, config: one.config })
  const { id, webhookUrl } = made as { id: number; webhookUrl: string }
  await query(world.database(), async (client) => {
    const row = async () => {
      const { rows } = await client.query<{ status: string; qrcode: string | null }>(
        'select status, qrcode from connections where id = $1',
        [id],
      )
      return rows[0]!
    }
    await insist(`/api/whatsappsession/${id}`, {})
    if (one.scan) {
      await until(async () => (await row()).qrcode !== null, 60_000)
      await one.scan((await row()).qrcode!)
    }
    await until(async () => (await row()).status === 'CONNECTED', 60_000)
  })
  return webhookUrl
}

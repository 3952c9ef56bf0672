import { setTimeout } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { encrypt } from '#features/connections/server/index.ts'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { query } from '#test/crash/processes.ts'
import { make, PASSWORD } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import type { Chat } from '#test/peers/telegram/bot-api.ts'
import { type Product, startProduct } from '#test/product.ts'
import { until } from '#test/until.ts'
import { createFeed, type FeedEvent, type FeedPage } from '#web/realtime/feed.ts'
import { gatewayKinds, openGateways } from './gateways.ts'
import { openMail } from './mail.ts'
import { openMeta } from './meta.ts'
import type { Random } from './random.ts'
import type { Insist, Side } from './side.ts'
import { openWebchat } from './webchat.ts'
import type { World } from './world.ts'

/** Company of a round: contacts, agent's token, and the other ends of its channels. */
export type Company = {
  tenantId: number
  connectionId: number
  token: string
  contacts: readonly string[]
  tickets: ReadonlyMap<string, number>
  /** The company's phone, to which a number is linked; `phones` are those of contacts. */
  shop: Phone | null
  phones: ReadonlyMap<string, Phone>
  /** Chats of the contacts who write to the bot, by contact. */
  chats: ReadonlyMap<string, Chat>
  /** Other ends besides the provider, the phone and the bot. */
  sides: readonly Side[]
}
/**
 * All channels of a round: a provider with webhooks, a linked WhatsApp, a bot with polling, accounts at Meta, phones at each
 * of the gateways, text messages, a number at the hub, a mailbox, and the site's webchat.
 */
export const channelNames = ['test', 'linked', 'telegram', 'meta', ...gatewayKinds, 'mail', 'webchat'] as const
/** One of them. */
export type ChannelName = (typeof channelNames)[number]

/** Acknowledged messages by contact: bodies written by the contact, and replies. */
export type Acknowledged = { written: Map<string, string[]>; answered: Map<string, string[]> }

const CONTACTS = 4
const LINKED_CONTACTS = 3
/** Maximum number of messages that wait at the WhatsApp. */
const MOST_WAITING = 60
/** Maximum number of unsent replies to one contact. */
const MOST_UNSENT = 8
/** Maximum number of connections of a round. */
const MOST_CONNECTIONS = 20
let companies = 0

/** Creates a round's company without faults: each contact has written once, each ticket is open. */
export async function openCompany(world: World, channels: readonly ChannelName[]): Promise<Company> {
  // This product opens no connections.
  const product = await startProduct(world.database(), { env: { ROLES: ['channels'], CONNECTIONS_PER_PROCESS: 0 } })
  const m = make(product.platform)
  const tenantId = await m.tenant()
  await product.platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ max_connections: MOST_CONNECTIONS }).where('id', '=', tenantId).execute(),
  )
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const { email } = await m.user(tenantId, { profile: 'admin', email: `caos-${Date.now()}-${++companies}@teste.dev` })
  const { host, port } = world.gateway
  const proxyId = await m.insert('proxies', tenantId, { name: 'Túnel', host, port })
  const linkedId = await m.connection(tenantId, { type: 'baileys', status: 'DISCONNECTED', proxy_id: proxyId })
  await m.setting(tenantId, 'messagesPerMinute', '6000')
  const chats = new Map<string, Chat>()
  if (channels.includes('telegram')) await startBot(world, product, tenantId, chats)
  const mail = channels.includes('mail') ? await openMail(world, product, tenantId) : null
  await product.close()
  const number = (start: string, n: number) =>
    `${start}${String(tenantId).padStart(4, '0')}${String(n).padStart(4, '0')}`
  const callers = Array.from({ length: channels.includes('test') ? CONTACTS : 0 }, (_, n) => number('55319', n))
  const { token } = (await insist(world, '/api/auth/login/', { email, password: PASSWORD })) as { token: string }
  for (const [n, from] of callers.entries())
    await insist(world, '/test/hook', {
      tenantId,
      connectionId,
      events: [textEvent({ from, body: 'início', id: `${from}-0`, at: n })],
    })
  const phones = new Map<string, Phone>()
  const shop = channels.includes('linked') ? await linkPhone(world, linkedId, number('5511', 0)) : null
  for (let n = 0; shop && n < LINKED_CONTACTS; n++) {
    const key = number('55219', n)
    const phone = await world.whatsapp.addPhone({ number: key, name: `Pessoa ${n}` })
    await phone.text(shop.jid, 'início')
    phones.set(key, phone)
  }
  for (const chat of chats.values()) world.telegram.say(chat, { text: 'início' })
  const asked: Insist = (path, body, method) => insist(world, path, body, { token, method })
  const sides: Side[] = mail ? [mail] : []
  if (channels.includes('meta')) sides.push(await openMeta(world, tenantId, asked))
  for (const kind of gatewayKinds)
    if (channels.includes(kind)) sides.push(await openGateways(world, tenantId, asked, kind))
  if (channels.includes('webchat')) sides.push(await openWebchat(world, tenantId, asked))
  for (const side of sides) for (const from of side.contacts) await side.write(from, 'início', `${from}-0`)
  const contacts = [...callers, ...phones.keys(), ...chats.keys(), ...sides.flatMap((side) => side.contacts)]
  const tickets = await query(world.database(), async (client) => {
    await until(
      async () =>
        (await client.query('select from tickets where tenant_id = $1', [tenantId])).rowCount === contacts.length,
      60_000,
    )
    const { rows } = await client.query<{ id: string; conversation_key: string }>(
      "update tickets set status = 'open' where tenant_id = $1 returning id, conversation_key",
      [tenantId],
    )
    return new Map(rows.map((row) => [row.conversation_key, Number(row.id)]))
  })
  return { tenantId, connectionId, token, contacts, tickets, shop, phones, chats, sides }
}

/** Starts a bot to which people write. */
async function startBot({ telegram }: World, { platform }: Product, tenantId: number, chats: Map<string, Chat>) {
  const token = telegram.renew()
  const id = await make(platform).connection(tenantId, { type: 'telegram', status: 'OPENING' })
  const secrets = { tokenTelegram: { encrypted: encrypt(platform, { tenantId, id }, token), hint: '' } }
  await platform.db.write(tenantId, (db) =>
    db
      .updateTable('connections')
      .set({ secrets: JSON.stringify(secrets) })
      .where('id', '=', id)
      .execute(),
  )
  for (let n = 0; n < CONTACTS; n++) {
    const chat: Chat = { id: 77_000_000_000 + tenantId * 100 + n, type: 'private', first_name: `Pessoa ${n}` }
    telegram.chats.set(chat.id, chat)
    chats.set(String(chat.id), chat)
  }
}

/** Starts a number and scans its QR code with a phone; returns the phone. */
async function linkPhone(world: World, connectionId: number, number: string): Promise<Phone> {
  const shop = await world.whatsapp.addPhone({ number, name: 'Loja' })
  await query(world.database(), async (client) => {
    const row = async () => {
      const { rows } = await client.query<{ status: string; qrcode: string | null }>(
        'select status, qrcode from connections where id = $1',
        [connectionId],
      )
      return rows[0]!
    }
    await client.query("update connections set status = 'OPENING' where id = $1", [connectionId])
    await until(async () => (await row()).qrcode !== null, 60_000)
    await shop.scan((await row()).qrcode!)
    await until(async () => (await row()).status === 'CONNECTED', 60_000)
  })
  return shop
}

/** Its connections are open no longer. */
export const closeCompany = async (world: World, { tenantId, sides }: Company): Promise<void> => {
  for (const side of sides) await side.close()
  await query(world.database(), async (client) => {
    await client.query("update connections set status = 'DISCONNECTED', cause = 'person' where tenant_id = $1", [
      tenantId,
    ])
  })
}

/** Returns the number of messages that wait at the WhatsApp for the devices linked to a phone. */
const waitingAt = ({ whatsapp }: World, shop: Phone): number =>
  whatsapp.linkedTo(shop).flatMap(({ waiting }) => waiting.filter(({ node }) => node.tag === 'message')).length

/** Returns the other end of a contact; undefined for contacts of the provider, a phone or the bot. */
export const sideOf = ({ sides }: Company, contact: string): Side | undefined =>
  sides.find(({ contacts }) => contacts.includes(contact))

/** Returns the texts that a contact received: from the provider, on their phone, or from the bot. */
export const receivedBy = ({ provider, telegram }: World, company: Company, contact: string): readonly string[] => {
  const { phones, shop, chats } = company
  return (
    (chats.has(contact)
      ? telegram.got.flatMap((one) => (String(one.chatId) === contact ? [one.body!] : []))
      : undefined) ??
    sideOf(company, contact)?.received(contact) ??
    phones
      .get(contact)
      ?.inbox.flatMap(({ from, message }) =>
        from === shop?.account ? [message.conversation ?? message.extendedTextMessage?.text ?? ''] : [],
      ) ??
    provider.held[contact] ??
    []
  )
}

/** Repeats the same request at the web processes in turn until one responds, as a provider and a browser do. */
async function insist(
  world: World,
  path: string,
  body: object,
  { token, method = 'POST' }: { token?: string; method?: 'POST' | 'PUT' | undefined } = {},
): Promise<unknown> {
  const webs = world.members.filter((member) => member.role === 'web')
  const end = Date.now() + 120_000
  for (let turn = 0; ; turn++) {
    const { address } = webs[turn % webs.length]!
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8000),
    }).catch(() => null)
    if (answer?.ok) return answer.json().catch(() => null)
    if (answer && answer.status < 500) throw new Error(`${path} was refused: ${answer.status} ${await answer.text()}`)
    if (Date.now() > end) throw new Error(`no answer from ${path} (${answer?.status ?? 'not reached'})`)
    await setTimeout(50)
  }
}

/**
 * Starts contacts who write, agents who reply, and a provider that sends receipts; `end` stops them and waits for running
 * work.
 */
export function startLoad(world: World, company: Company, random: Random) {
  const { tenantId, connectionId, token, contacts, tickets, phones, shop, chats, sides } = company
  const done: Acknowledged = { written: new Map(), answered: new Map() }
  const note = (list: Map<string, string[]>, key: string, body: string) =>
    list.set(key, [...(list.get(key) ?? []), body])
  let isOver = false
  const receipts = new Set<Promise<unknown>>()
  const at = Date.now()
  const waitingForBot = () => (chats.size > 0 ? world.telegram.delivery.pending.length : 0)

  world.provider.onTaken = ({ id, to }) => {
    const event = {
      type: 'receipt',
      dedupeKey: `${id}:delivered`,
      conversationKey: to,
      providerId: id,
      status: 'delivered',
      timestamp: Date.now(),
    }
    const given = insist(world, '/test/hook', { tenantId, connectionId, events: [event] })
      .catch(() => {})
      .finally(() => receipts.delete(given))
    receipts.add(given)
  }
  const isFarAway = (from: string) => phones.has(from) || chats.has(from) || sideOf(company, from) !== undefined
  const write = async (from: string) => {
    const side = sideOf(company, from)
    const isFar = isFarAway(from)
    for (let n = 1; !isOver; n++) {
      const body = `m${String(n).padStart(4, '0')}`
      const event = textEvent({ from, body, id: `${from}-${n}`, at: at + n })
      // On a busy machine, contacts do not write faster than their messages are read.
      const isFull = () => waitingForBot() > MOST_WAITING || (shop && waitingAt(world, shop) > MOST_WAITING)
      while (isFull() && !isOver) await setTimeout(100)
      if (shop && phones.has(from)) await phones.get(from)!.text(shop.jid, body)
      else if (chats.has(from)) world.telegram.say(chats.get(from)!, { text: body })
      else if (side) await side.write(from, body, `${from}-${n}`)
      else await insist(world, '/test/hook', { tenantId, connectionId, events: [event] })
      note(done.written, from, body)
      await setTimeout(isFar ? random.between(60, 300) : random.between(10, 120))
    }
  }
  const answer = async (from: string) => {
    const isFar = isFarAway(from)
    for (let n = 1; !isOver; n++) {
      const body = `r${String(n).padStart(4, '0')}`
      const isFarBehind = () =>
        (done.answered.get(from)?.length ?? 0) - receivedBy(world, company, from).length > MOST_UNSENT
      while (isFar && isFarBehind() && !isOver) await setTimeout(100)
      const message = { idFront: `front-${from}-${n}`, body, isNote: false }
      await insist(world, `/api/messages/${tickets.get(from)}`, message, { token })
      note(done.answered, from, body)
      await setTimeout(isFar ? random.between(200, 600) : random.between(50, 300))
    }
  }
  const work = Promise.all(contacts.flatMap((from) => [write(from), answer(from)]))
  // Heard when it is awaited.
  work.catch(() => {})
  return {
    done,
    async end(): Promise<void> {
      isOver = true
      await work
    },
    /** Number of events that the other ends could not deliver yet: receipts of the provider, messages of the WhatsApp. */
    owed: () =>
      receipts.size +
      (shop ? waitingAt(world, shop) : 0) +
      waitingForBot() +
      sides.reduce((sum, side) => sum + side.owed(), 0),
  }
}

/** Open page at one web process, with the ids of the messages that it received, live or after a reconnect. */
export type Page = { name: string; told: ReadonlySet<string>; close(): void }

/** Opens a page per web process, as a browser follows the feed: events in order, healed at every connection. */
export async function openPages(world: World, { tenantId, token }: Company): Promise<Page[]> {
  const webs = world.members.filter((member) => member.role === 'web')
  return Promise.all(webs.map(({ name, address }) => openPage(name, address, tenantId, token)))
}

async function openPage(name: string, address: string, tenantId: number, token: string): Promise<Page> {
  const told = new Set<string>()
  let isClosed = false
  const read = async (after: number | null): Promise<FeedPage> => {
    while (!isClosed) {
      const answer = await fetch(`${address}/api/changes?after=${after}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(8000),
      }).catch(() => null)
      if (answer?.ok) return (await answer.json()) as FeedPage
      await setTimeout(200)
    }
    throw new Error('the page was closed')
  }
  // As in a browser; a reload would mean that an event was missed here.
  const feed = createFeed({
    read,
    publish({ payload }) {
      const { message } = (payload ?? {}) as { message?: { id: string } }
      if (message) told.add(message.id)
    },
    reload() {},
  })
  feed.startAt(0)
  const socket: Socket = io(address, {
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnectionDelayMax: 500,
  })
  socket.on('connect', () => void feed.heal())
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') socket.connect()
  })
  socket.onAny((channel: string, event: Omit<FeedEvent, 'channel'>) => {
    if (channel === `${tenantId}:ticketList`) feed.live({ ...event, channel })
  })
  await until(() => socket.connected, 60_000)
  return {
    ...{ name, told },
    close() {
      isClosed = true
      socket.disconnect()
    },
  }
}

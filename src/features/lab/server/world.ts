import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { proto } from 'baileys'
import { keysIn } from '#domain/keys.ts'
import { lookUp, memberOf } from '#domain/present.ts'
import { type LocalServer, toolsOf } from '#features/connections/server/index.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { needsPerson } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { labEvents } from '../contract.ts'
import { OUTAGE_MS, readFaults } from './faults.ts'
import { type Order, onOrders } from './orders.ts'
import { channelId, fileOf, messageOf, ofChannelId, shownAs } from './phone-messages.ts'
import { LINKED, labAudience } from './phones.ts'
import {
  changeOnPhone,
  findMessage,
  findOnAnyPhone,
  findPhoneOf,
  findProviderMessage,
  insertMessage,
  insertPhone,
  isConnectionThere,
  moveMessages,
  pendingOf,
  phonesOf,
  removeMember,
  savedMessages,
  saveFaults,
  saveMembers,
  updateGroup,
} from './queries.ts'
import type { LabMessageRow, PhoneRow } from './rows.ts'
import { publishMessage } from './to-phone.ts'
import { certificate } from './whatsapp/certificate.ts'
import type { Group as ServerGroup } from './whatsapp/directory.ts'
import type { Phone, PhoneListener, PhoneMessage, PhoneReceipt } from './whatsapp/phone.ts'
import { groupJid, groupNumber, worldGroups } from './world-groups.ts'

/** Interval of looking for pending messages, beside orders, in ms. */
const LOOK_MS = 2000
/** Delay before an undecryptable message is repeated, in ms. */
const LATE_MS = 8000
/** Downtime of a killed server, in ms. */
const KILLED_MS = 60_000
/** Duration of ringing, in ms. */
const RINGS_MS = 20_000
/** Maximum number of messages per conversation that the linked number's phone shares. */
const MOST_OLDER = 200
const MOST_PHONES = 100
/** Whether an order is queued during an outage; calls and typing are dropped. */
const isQueued = ({ act }: Order): boolean => act !== 'ring' && act !== 'typing'
const MOST_BYTES = 100 * 1024 * 1024

type Connected = { readonly tenantId: number; readonly connectionId: number }
type World = { environment(): Record<string, string>; close(): Promise<void> }

const worlds = new WeakMap<Platform, Map<string, Promise<World>>>()

/** Returns the local WhatsApp servers for adapters, each in the process that holds the connection, on this machine. */
export const localWhatsApp = (platform: Platform): LocalServer => ({
  environment: { WHATSAPP_WEB_URL: 'ws://127.0.0.1', WHATSAPP_WEB_CA: certificate },
  async serve({ tenantId, connectionId }) {
    const mine = worlds.get(platform) ?? new Map<string, Promise<World>>()
    worlds.set(platform, mine)
    const key = `${tenantId}:${connectionId}`
    const forget = () => void mine.delete(key)
    const known = mine.get(key) ?? startWorld(platform, { tenantId, connectionId }, forget)
    mine.set(key, known)
    known.catch(forget)
    return (await known).environment()
  },
})

/** Closes the local WhatsApp servers of this process. */
export async function closeWorlds(platform: Platform): Promise<void> {
  for (const world of worlds.get(platform)?.values() ?? []) await (await world).close()
}

/** Returns the linked number, in a form that no real line has. */
const ownNumber = (connectionId: number): string => `55119000${String(connectionId).padStart(5, '0')}`

/**
 * Starts a local WhatsApp with the phones of a connection and the linked one. Pending messages are in the database and leave
 * in order; other actions come as orders. It lives as long as this process.
 */
async function startWorld(platform: Platform, of: Connected, forget: () => void): Promise<World> {
  const { tenantId, connectionId } = of
  // Loads the shared library as adapters do, so that it prints no keys.
  const tried = await memberOf(channelAdapters, LINKED)({}, toolsOf(platform, LINKED)).test!()
  if (!tried.ok) throw needsPerson(tried.problem, 'missing')
  const { startWhatsAppServer } = await import('./whatsapp/server.ts')
  const { filePart, uploadFile } = await import('./whatsapp/phone-media.ts')
  const server = await startWhatsAppServer()
  const { tenantName } = await platform.settings.get(String(tenantId))
  const own = await server.addPhone({ number: ownNumber(connectionId), name: tenantName })
  const personas = new Map<string, Phone>()
  const groups = worldGroups(server, own, (number) => personas.get(number))
  const timers = new Set<NodeJS.Timeout>()
  let isDown = false
  /** Orders queued during an outage. */
  const late: Order[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<unknown>): Promise<unknown> => {
    turn = turn.then(work).catch((err) => platform.log.warn({ err, ...of }, 'the local WhatsApp failed'))
    return turn
  }
  const inMs = (ms: number, work: () => unknown) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      void inTurn(async () => work())
    }, ms).unref()
    timers.add(timer)
  }
  const write = <T>(work: (ctx: Ctx) => Promise<T>) => unit(platform, { tenantId, user: null }, work)
  const phones = () =>
    platform.db.read(tenantId, async (db) => (await phonesOf(db, connectionId, { after: 0, limit: MOST_PHONES })).rows)
  /** Returns the phone of a number, or the group of a chat for its first member only, so that a group's message is shown once. */
  async function screenOf(number: string, chat: string | null): Promise<PhoneRow | undefined> {
    const shown = (chat && groupNumber(chat)) ?? number
    const row = (await phones()).find((one) => one.number === shown)
    return row?.is_group && row.members[0]?.number !== number ? undefined : row
  }
  /** Returns the phones of a row: its own, or those of a group's members. */
  const holdersOf = ({ is_group: isGroup, number, members }: PhoneRow): Phone[] =>
    (isGroup ? members.map((member) => member.number) : [number]).flatMap((one) => personas.get(one) ?? [])
  /** Returns the writing phone of a row, and its address of the conversation with the company or of the group. */
  function writerOn(row: PhoneRow, by: number | undefined) {
    const number = row.is_group ? row.members.find(({ id }) => id === by)?.number : row.number
    const persona = number === undefined ? undefined : personas.get(number)
    return persona && { persona, to: row.is_group ? groupJid(row) : persona.account.isHidden ? own.lid : own.jid }
  }

  async function personaOf(row: PhoneRow): Promise<Phone> {
    const known = personas.get(row.number)
    const persona =
      known ?? (await server.addPhone({ number: row.number, name: row.name, listener: listenerOf(row.number) }))
    personas.set(row.number, persona)
    const { hidden, refuses } = readFaults(row.faults)
    persona.account.isHidden = hidden
    if (refuses) server.faults.refused.set(row.number, '463')
    else server.faults.refused.delete(row.number)
    return persona
  }

  const listenerOf = (number: string): PhoneListener => ({
    message: (message) => {
      if (message.from === own.account) void inTurn(() => show(number, message))
    },
    receipt: (receipt) => void inTurn(() => tick(receipt)),
    seen: ({ from, what, chat }) => {
      if (from !== own.account) return
      const state = what === 'composing' ? what : 'paused'
      void inTurn(async () => {
        const row = await screenOf(number, chat)
        const { channel, type } = labEvents.typing
        const payload = { phoneId: row?.id, state }
        if (row) platform.bus.publish(tenantId, { channel, type, payload, audience: labAudience })
      })
    },
  })

  /** Stores and shows a message that arrived at a phone. */
  async function show(number: string, { id, chat, message }: PhoneMessage) {
    const row = await screenOf(number, chat)
    if (!row) return
    const { protocolMessage: act, reactionMessage: reaction } = message
    if (act || reaction) return change(row, act ?? null, reaction ?? null)
    const shown = shownAs(message)
    if (!shown) return
    const part = filePart(message)?.part as { mimetype?: string; fileName?: string; seconds?: number } | undefined
    const bytes = part ? await lookUp(personas, number).open(message) : null
    const name = part?.fileName ?? `arquivo.${part?.mimetype?.split(/[/;]/)[1] ?? 'bin'}`
    const options = { name, maxBytes: MOST_BYTES, now: platform.now() }
    const file: StoredFile | null = bytes && (await platform.storage.save(tenantId, Readable.from([bytes]), options))
    try {
      await write(async (ctx) => {
        const quoted = shown.quotes ? await findQuoted(ctx, row.id, shown.quotes) : undefined
        const messageId = ctx.newId()
        const isNew = await insertMessage(ctx.db, {
          ...{
            id: messageId,
            providerId: id,
            phoneId: row.id,
            fromPhone: false,
            mediaType: shown.type,
            ...(row.is_group ? groups.named(shown.body, shown.mentioned, row) : { body: shown.body }),
          },
          fileId: file && (await storeUpload(ctx, file, { durationMs: (part?.seconds ?? 0) * 1000 || undefined })),
          ...{ quotedId: quoted?.id ?? null, data: shown.data, isForwarded: shown.isForwarded },
          ...{ status: 'delivered', timestamp: ctx.now },
        })
        if (isNew) await publishMessage(ctx, row.id, messageId)
      })
    } finally {
      if (file) await platform.storage.discard([file])
    }
  }

  const findQuoted = (ctx: Ctx, phoneId: number, name: string) => {
    const id = ofChannelId(name)
    return id ? findMessage(ctx.db, phoneId, id) : findProviderMessage(ctx.db, phoneId, name)
  }

  const change = (
    row: PhoneRow,
    act: proto.Message.IProtocolMessage | null,
    reaction: proto.Message.IReactionMessage | null,
  ) =>
    write(async (ctx) => {
      const found = await findQuoted(ctx, row.id, (act ?? reaction)?.key?.id ?? '')
      if (!found) return
      const edited = act?.editedMessage && shownAs(act.editedMessage)
      const text = edited && (row.is_group ? groups.named(edited.body, edited.mentioned, row) : { body: edited.body })
      const what = reaction
        ? { team_reaction: reaction.text || null }
        : text
          ? {
              is_edited: true,
              body: text.body,
              mentions: JSON.stringify(('mentions' in text && text.mentions) || null),
            }
          : { is_deleted: true }
      if (await changeOnPhone(ctx.db, row.id, found.id, what)) await publishMessage(ctx, row.id, found.id)
    })

  /** Converts a linked device's receipt into a status on the phone; those of the company's own phone are ignored. */
  async function tick({ id, device, type }: PhoneReceipt) {
    const messageId = ofChannelId(id)
    const to = type === 'delivered' || type === 'read' || type === 'played' ? type : null
    if (!messageId || !to || device === 0) return
    const phoneId = (await platform.db.read(tenantId, (db) => findOnAnyPhone(db, messageId)))?.phone_id
    if (phoneId === undefined) return
    const from = { delivered: ['sent'], read: ['sent', 'delivered'], played: ['sent', 'delivered', 'read'] }[to]
    await write(async (ctx) => {
      const ids = await moveMessages(ctx.db, phoneId, { from, to, fromPhone: true, ids: [messageId] })
      if (ids.length > 0) ctx.emit(labEvents.status, { phoneId, ids, status: to }, labAudience)
    })
  }

  /** Adds the phones of the connection to the server, with their faults; returns their rows. */
  async function present(): Promise<readonly PhoneRow[]> {
    const rows = await phones()
    for (const row of rows) if (!row.is_group) await personaOf(row)
    return rows
  }

  /** Synchronizes groups and sends the pending messages of the phones. */
  async function work() {
    if (!(await platform.db.read(tenantId, (db) => isConnectionThere(db, connectionId)))) return void close()
    const rows = await present()
    for (const row of rows) if (row.is_group) groups.sync(row, null)
    if (isDown) return
    for (const row of await platform.db.read(tenantId, (db) => pendingOf(db, connectionId))) {
      const phone = rows.find(({ id }) => id === row.phone_id)
      if (phone) await send(phone, row)
    }
  }

  async function send(phone: PhoneRow, given: LabMessageRow) {
    const writer = writerOn(phone, given.sender?.id)
    // A phone removed from the laboratory meanwhile sends nothing.
    if (!writer) return
    const { persona, to } = writer
    const stored = readFaults(phone.faults)
    const { row, context: mentions } = groups.addressed(given, phone)
    const quoted = row.quoted_id
      ? await platform.db.read(tenantId, (db) => findMessage(db, phone.id, row.quoted_id!))
      : undefined
    const context: proto.IContextInfo = {
      ...mentions,
      ...(row.is_forwarded ? { isForwarded: true, forwardingScore: 1 } : {}),
      ...(quoted
        ? {
            stanzaId: quoted.from_phone ? channelId(quoted.id) : quoted.provider_id,
            participant: authorOf(phone, quoted),
            quotedMessage: { conversation: quoted.body },
          }
        : {}),
    }
    const message = row.file_path ? await upload(row, stored, context) : messageOf(row, context)
    persona.memory.repeatsAfterMs = stored.undecrypted ? LATE_MS : 0
    await persona.send(to, message, { id: channelId(row.id), isBroken: stored.undecrypted })
    const used = { undecrypted: false, ...(row.file_path ? { corruptFile: false, expiredFile: false } : {}) }
    await write(async (ctx) => {
      const ids = await moveMessages(ctx.db, phone.id, {
        from: ['pending'],
        to: 'sent',
        fromPhone: true,
        ids: [row.id],
      })
      ctx.emit(labEvents.status, { phoneId: phone.id, ids, status: 'sent' }, labAudience)
      const isUsed = keysIn(used).some((name) => stored[name])
      if (!isUsed) return
      await saveFaults(ctx.db, phone.id, { ...stored, ...used })
      ctx.emit(labEvents.changed, { phoneId: phone.id }, labAudience)
    })
    Object.assign(phone, { faults: { ...stored, ...used } })
  }

  /** Returns the address of a message's author in its conversation. */
  function authorOf(phone: PhoneRow, { from_phone: isTheirs, sender }: LabMessageRow): string {
    if (phone.is_group) return isTheirs && sender ? groups.lidOf(sender.number) : own.lid
    return isTheirs ? lookUp(personas, phone.number).jid : own.jid
  }

  async function upload(
    row: LabMessageRow,
    { corruptFile, expiredFile }: ReturnType<typeof readFaults>,
    contextInfo: proto.IContextInfo,
  ) {
    const { field, about } = fileOf(row)
    const bytes = await buffer(platform.storage.read(row.file_path!))
    const message = await uploadFile(server.media, field, bytes, { ...about, contextInfo })
    const path = filePart(message)!.part.directPath!
    if (corruptFile) server.media.corrupt(path)
    if (expiredFile) server.media.expire(path)
    // Devices ask the phone to which they are linked.
    own.memory.keepsFiles = !expiredFile
    return message
  }

  /** Sends an act of the phone's person on a message, as stored by now. */
  async function act(row: PhoneRow, { id, what, by }: Extract<Order, { act: 'change' }>) {
    const writer = writerOn(row, by)
    const found = await platform.db.read(tenantId, (db) => findMessage(db, row.id, id))
    if (!found || !writer) return
    const { persona, to } = writer
    const name = found.from_phone ? channelId(found.id) : found.provider_id
    const fromMe = found.from_phone && (!row.is_group || found.sender?.id === by)
    const author = row.is_group ? { participant: authorOf(row, found) } : {}
    const key = { remoteJid: to, fromMe, id: name, ...author }
    const { row: edited, context: contextInfo } = groups.addressed(found, row)
    const message: proto.IMessage =
      what === 'react'
        ? { reactionMessage: { key, text: found.reaction ?? '', senderTimestampMs: platform.now().getTime() } }
        : what === 'edit'
          ? { protocolMessage: { type: 14, key, editedMessage: messageOf(edited, contextInfo) } }
          : { protocolMessage: { type: 0, key } }
    await persona.send(to, message)
  }

  /** Votes in a poll of the team; a poll from before this process started cannot be decrypted and is ignored. */
  async function vote(row: PhoneRow, { id, options, by }: Extract<Order, { act: 'vote' }>) {
    const found = await platform.db.read(tenantId, (db) => findMessage(db, row.id, id))
    const persona = writerOn(row, by)?.persona
    if (found && persona?.inbox.some((one) => one.id === found.provider_id))
      await persona.vote(found.provider_id, options)
  }

  /** Applies a changed group, and its new picture. */
  async function changeGroup(row: PhoneRow, { by, path }: Extract<Order, { act: 'group' }>) {
    groups.sync(row, by)
    const actor = personas.get(by ?? row.members[0]?.number ?? '')
    if (path && actor) server.setGroupPicture(actor, groupJid(row), await buffer(platform.storage.read(path)))
  }

  /** Stores a group that the company's number created or changed. */
  const takeGroup = ({ jid, subject, description, onlyAdminsWrite, members }: ServerGroup) =>
    write(async (ctx) => {
      const number = groupNumber(jid)!
      const known = await findPhoneOf(ctx.db, connectionId, number)
      const id = known?.id ?? (await insertPhone(ctx.db, { connectionId, name: subject, number, isGroup: true }))
      await updateGroup(ctx.db, id, {
        ...{ name: subject, description: description?.text ?? '', only_admins_write: onlyAdminsWrite },
        is_own_admin: members.get(own.account.lid)?.isAdmin ?? false,
      })
      const people = [...members.values()].filter(({ account }) => account !== own.account)
      const rows = new Map<number, boolean>()
      for (const { account, isAdmin } of people) {
        const phone = await findPhoneOf(ctx.db, connectionId, account.number)
        if (phone && !phone.is_group) rows.set(phone.id, isAdmin)
      }
      for (const { id: phoneId } of known?.members ?? [])
        if (!rows.has(phoneId)) await removeMember(ctx.db, id, phoneId)
      const joined = [...rows].map(([phoneId, isAdmin]) => ({ phoneId, isAdmin }))
      if (joined.length > 0) await saveMembers(ctx.db, id, joined)
      ctx.emit(labEvents.changed, { phoneId: id }, labAudience)
    })
  server.followGroups((group, by) => {
    if (by !== own.account) return
    const now = { ...group, members: new Map(group.members) }
    void inTurn(() => takeGroup(now))
  })

  /** Stores the conversations of all phones on the linked number's phone, which shares them with devices that it links. */
  async function remember() {
    for (const row of await present()) {
      const newest = { before: null, limit: MOST_OLDER }
      const saved = await platform.db.read(tenantId, (db) => savedMessages(db, row.id, newest))
      const texts = saved.filter(({ media_type: type }) => type === 'text').reverse()
      own.saved.set(
        row.is_group ? groupJid(row) : lookUp(personas, row.number).jid,
        texts.map((one) => ({
          ...{ id: one.from_phone ? channelId(one.id) : one.provider_id, fromMe: !one.from_phone, body: one.body },
          ...(row.is_group ? { participant: authorOf(row, one) } : {}),
          timestamp: Math.floor(one.timestamp.getTime() / 1000),
        })),
      )
    }
  }

  const confirm = (row: PhoneRow, { ids, as }: Extract<Order, { act: 'confirm' }>) =>
    write(async (ctx) => {
      const from = as === 'read' ? ['delivered'] : ['delivered', 'read']
      const moved = await moveMessages(ctx.db, row.id, { from, to: as, fromPhone: false, ids })
      for (const id of moved) {
        const found = await findMessage(ctx.db, row.id, id)
        // Messages from before this process started are not confirmed.
        for (const persona of holdersOf(row))
          if (persona.inbox.some((one) => one.id === found?.provider_id)) persona.confirm(found!.provider_id, as)
      }
      if (moved.length > 0) ctx.emit(labEvents.status, { phoneId: row.id, ids: moved, status: as }, labAudience)
    })

  const comeUp = async () => {
    isDown = false
    await server.comeUp()
    await work()
    for (const order of late.splice(0)) await obey(order)
  }
  const comeBack = () => {
    server.faults.turnsAway = false
  }
  const acts: {
    readonly [A in Exclude<
      Order['act'],
      'scan' | 'ring' | 'typing' | 'confirm' | 'change' | 'vote' | 'group'
    >]: () => unknown
  } = {
    work,
    cut: () => server.cut(),
    unlink: () => server.unlink(own),
    replace: () => server.end(own, 440),
    ban() {
      server.faults.logins.set(own.account.number, '403')
      server.cut()
    },
    away() {
      server.faults.turnsAway = true
      server.cut()
      inMs(OUTAGE_MS, comeBack)
    },
    back: comeBack,
    async kill() {
      isDown = true
      await server.goDown()
      inMs(KILLED_MS, comeUp)
    },
    revive: comeUp,
  }

  async function obey(order: Order) {
    if (order.act === 'scan') {
      server.faults.logins.clear()
      await remember()
      return order.code.includes(',') ? own.scan(order.code) : own.enterCode(order.code)
    }
    if (!('phoneId' in order)) return acts[order.act]()
    if (isDown) return void (isQueued(order) && late.push(order))
    const row = (await present()).find(({ id }) => id === order.phoneId)
    if (!row) return
    if (order.act === 'change') return act(row, order)
    if (order.act === 'vote') return vote(row, order)
    if (order.act === 'group') return changeGroup(row, order)
    if (order.act === 'confirm') return confirm(row, order)
    const [persona] = holdersOf(row)
    if (!persona) return
    if (order.act === 'ring') return inMs(RINGS_MS, persona.ring(own.jid))
    persona.shows(row.is_group ? groupJid(row) : own.jid, order.state)
  }

  const unsubscribe = onOrders(platform, of, (order) => void inTurn(() => Promise.resolve(obey(order))))
  const look = setInterval(() => void inTurn(work), LOOK_MS).unref()
  async function close() {
    forget()
    unsubscribe()
    clearInterval(look)
    for (const timer of timers) clearTimeout(timer)
    await server.close()
  }
  await inTurn(work)
  return {
    environment: () => ({ WHATSAPP_WEB_URL: server.url, WHATSAPP_WEB_ROOT: server.root, WHATSAPP_WEB_CA: server.ca }),
    close,
  }
}

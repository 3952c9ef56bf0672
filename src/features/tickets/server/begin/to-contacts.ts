import { templateProblems } from '#domain/message-templates/template.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { lookUp, present } from '#domain/present.ts'
import { insertTickets } from '#features/ledger/server/changes/index.ts'
import {
  afterMessages,
  filledTemplate,
  usableTemplate,
  type WantedTemplate,
} from '#features/ledger/server/hooks/index.ts'
import { findByIdFront } from '#features/ledger/server/messages/index.ts'
import { writableOf } from '#features/ledger/server/outbox/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { findContacts, findTicketsOfKeys } from '#features/ledger/server/reached/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import { insertAllLogs } from '#features/ledger/server/sets/index.ts'
import { fillIn, findSubjects } from '#features/ledger/server/texts/index.ts'
import { lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { type MessageDraft, writeMessages } from '#features/ledger/server/writing/index.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'

/** Message in the product's name to several contacts on one connection, with variables. */
export type ToContacts = {
  readonly connectionId: number
  readonly contactIds: readonly number[]
  readonly body: string
  readonly file: MessageFile | null
  readonly sendType: string
  /** Key that makes the message unique per contact; without variables the text is used as is. */
  readonly idFront?: string
  readonly hasVariables?: boolean
}

/** Message to one of many contacts. */
export type ToContact = {
  readonly contactId: number
  /** Text with variables, unless `isLiteral`. */
  readonly body: string
  readonly isLiteral?: boolean
  /** Values of variables for this message only. */
  readonly values?: Readonly<Record<string, string>>
  readonly file: MessageFile | null
  readonly idFront?: string
  /** Message id. */
  readonly id?: string
}

/** Common part of a message to many contacts: connection, kind and template. */
export type ToMany = {
  readonly connectionId: number
  readonly sendType: string
  readonly source?: 'system' | 'campaign'
  /** Template, whose values may contain variables; also sent while the window is closed. */
  readonly template?: WantedTemplate
}

type MessageFile = { readonly id: string; readonly mime: string }
type Connection = NonNullable<Awaited<ReturnType<typeof findConnection>>>
type Contact = { readonly id: number; readonly number: string | null; readonly is_group: boolean }

/** Sends one message to each contact (`writeToEach`). Returns the contacts that cannot get it, with the error. */
export async function writeToContacts(ctx: Ctx, message: ToContacts): Promise<Map<number, ErrorCode>> {
  const { connectionId, sendType, contactIds, body, file, idFront, hasVariables = !idFront } = message
  if (idFront && (await findByIdFront(ctx.db, [idFront])).length > 0) return new Map()
  const same = { body, file, isLiteral: !hasVariables, ...(idFront ? { idFront } : {}) }
  return writeToEach(
    ctx,
    { connectionId, sendType },
    contactIds.map((contactId) => ({ contactId, ...same })),
  )
}

/**
 * Sends each contact their own message on a connection, in batches: in the active ticket, else the last one, which stays
 * closed, else a new closed one. Returns the contacts that cannot get it, with the error.
 */
export async function writeToEach(
  ctx: Ctx,
  { connectionId, sendType, source = 'system', template: wanted }: ToMany,
  messages: readonly ToContact[],
): Promise<Map<number, ErrorCode>> {
  const refused = new Map<number, ErrorCode>()
  const connection = await findConnection(ctx.db, connectionId)
  const template =
    connection && wanted
      ? await usableTemplate(ctx, { channel: connection.type, connection_id: connectionId }, wanted)
      : null
  const contacts = await findContacts(
    ctx.db,
    messages.map(({ contactId }) => contactId),
  )
  const people = new Map([...contacts.values()].filter(({ blocked }) => !blocked).map((one) => [one.id, one]))
  const keys = connection ? await keysOf(ctx, [...people.values()], connection.type) : new Map<number, string>()
  const writable = connection && !template ? await writableOf(ctx, connection, [...keys.values()]) : new Set<string>()
  const carried = capabilitiesOf(connection?.type ?? '').files
  const reach = { contacts, isConnected: connection !== undefined, keys, writable: template ? null : writable, carried }
  for (const message of messages) {
    const obstacle = obstacleTo(message, reach)
    if (obstacle) refused.set(message.contactId, obstacle)
  }
  const reached = messages.flatMap((message) => {
    const contact = contacts.get(message.contactId)
    return contact && !refused.has(message.contactId) ? [{ message, contact }] : []
  })
  if (!connection || reached.length === 0) return refused
  const met = reached.map(({ contact }) => contact)
  const { ticketIds, opened } = await ticketsFor(ctx, connection, met, keys)
  const tickets = new Map((await lockLedgerTickets(ctx.db, [...ticketIds.values()])).map((one) => [one.id, one]))
  const texts = messages.flatMap(({ body, isLiteral }) => (isLiteral ? [] : [body]))
  const hasVariables = [...texts, ...Object.values(wanted?.values ?? {})].some((text) => text.includes('{{'))
  const subjects = hasVariables ? await findSubjects(ctx.db, [...tickets.keys()]) : new Map<number, never>()
  const drafts: MessageDraft[] = []
  for (const { message, contact } of reached) {
    const { id, body, file, idFront, isLiteral, values } = message
    const ticket = lookUp(tickets, lookUp(ticketIds, lookUp(keys, contact.id)))
    const subject = isLiteral ? undefined : subjects.get(ticket.id)
    const filled = (text: string) =>
      subject ? fillIn(ctx, text, values ? { ...subject, own: { ...subject.own, ...values } } : subject) : text
    const kind = file && typeOfMime(file.mime)
    const more = { ...(id ? { id } : {}), ...(file ? { fileId: file.id } : {}), ...(idFront ? { idFront } : {}) }
    if (!template) {
      drafts.push({ ticket, source, mediaType: kind ?? 'text', body: filled(body), sendType, ...more })
      continue
    }
    const given = Object.fromEntries(Object.entries(present(wanted).values).map(([key, text]) => [key, filled(text)]))
    if (Object.keys(templateProblems(template, given, kind)).length > 0)
      refused.set(message.contactId, 'ERR_TEMPLATE_REFUSED')
    else drafts.push({ ticket, source, mediaType: 'template', ...filledTemplate(template, given), sendType, ...more })
  }
  const written = await writeMessages(ctx, drafts, opened)
  await afterMessages(ctx, { ...written, isAutomatic: true }, opened)
  return refused
}

/** Returns the conversation key of each contact's next message on that channel; unreachable contacts are missing. */
async function keysOf(ctx: Ctx, contacts: readonly Contact[], channel: string): Promise<Map<number, string>> {
  const ids = contacts.map(({ id }) => id)
  const on = { channel, mayBegin: capabilitiesOf(channel).begins === 'anyone' }
  const known = await contactBook().addressesOf(ctx.db, ids, on)
  const taken = new Set<string>()
  const own = [...known].filter(([, identity]) => identity !== '' && !taken.has(identity) && taken.add(identity))
  const wanted = own.map(([contactId, identity]) => ({ contactId, channel, identity }))
  if (wanted.length === 0 || (await contactBook().claimAll(ctx.db, wanted))) return new Map(own)
  // One of these addresses was claimed concurrently: try them one by one.
  const claimed: [number, string][] = []
  for (const one of wanted)
    if (await contactBook().claim(ctx.db, one.contactId, channel, one.identity))
      claimed.push([one.contactId, one.identity])
  return new Map(claimed)
}

/** Returns the ticket of each conversation, by key; new ones are excluded from figures and notify no user. */
async function ticketsFor(
  ctx: Ctx,
  connection: Connection,
  contacts: readonly Contact[],
  keys: ReadonlyMap<number, string>,
): Promise<{ ticketIds: ReadonlyMap<string, number>; opened: readonly number[] }> {
  const wanted = new Map(contacts.map((contact) => [lookUp(keys, contact.id), contact]))
  const known = await findTicketsOfKeys(ctx.db, connection, [...wanted.keys()])
  const missing = [...wanted].filter(([key]) => !known.has(key))
  const made = await insertTickets(
    ctx.db,
    missing.map(([key, contact]) => ({
      ...{ status: 'closed', user_id: null, queue_id: connection.queue_id, connection_id: connection.id },
      ...{ contact_id: contact.id, conversation_key: key, channel: connection.type, is_group: contact.is_group },
      ...{ is_active_demand: true, started_attendance_at: null, now: ctx.now },
    })),
  )
  const opened = [...made.values()]
  const logs = opened.map(
    (ticketId) => ({ ticketId, type: 'create', userId: null, queueId: connection.queue_id }) as const,
  )
  await insertAllLogs(ctx.db, logs, ctx.now)
  return { ticketIds: new Map([...known, ...made]), opened }
}

type Reach = {
  readonly contacts: ReadonlyMap<number, { readonly id: number; readonly blocked: boolean }>
  readonly isConnected: boolean
  /** The conversation of each contact. */
  readonly keys: ReadonlyMap<number, string>
  /** Conversations in which anything may be written; null: a template is sent, which may go into all of them. */
  readonly writable: ReadonlySet<string> | null
  readonly carried: ReturnType<typeof capabilitiesOf>['files']
}

/** Returns why a contact cannot get a message; undefined where they can. */
function obstacleTo(
  { contactId, file }: ToContact,
  { contacts, isConnected, keys, writable, carried }: Reach,
): ErrorCode | undefined {
  const contact = contacts.get(contactId)
  if (!contact) return 'ERR_NO_CONTACT_FOUND'
  if (!isConnected) return 'ERR_NO_WAPP_FOUND'
  if (contact.blocked) return 'ERR_CONTACT_BLOCKED'
  const key = keys.get(contact.id)
  if (key === undefined) return 'ERR_WAPP_CHECK_CONTACT'
  if (writable && !writable.has(key)) return 'ERR_WINDOW_CLOSED'
  return !file || carried[typeOfMime(file.mime)] ? undefined : 'ERR_FILE_NOT_CARRIED'
}

import { typeOfMime } from '#domain/messages/types.ts'
import { insertTickets } from '#features/ledger/server/changes/index.ts'
import { afterMessages } from '#features/ledger/server/hooks/index.ts'
import { findByIdFront } from '#features/ledger/server/messages/index.ts'
import { writableOf } from '#features/ledger/server/outbox/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { findContacts, findTicketsOfKeys } from '#features/ledger/server/reached/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import { insertAllLogs } from '#features/ledger/server/sets/index.ts'
import { fillIn, findSubjects } from '#features/ledger/server/texts/index.ts'
import { lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'

/** What the product says to contacts in its own name, on one connection, with variables. */
export type ToContacts = {
  readonly connectionId: number
  readonly contactIds: readonly number[]
  readonly body: string
  readonly file: { readonly id: string; readonly mime: string } | null
  readonly sendType: string
  /** Under which it is said to one contact once, however often it is asked for; its words are as they are, unless it has variables. */
  readonly idFront?: string
  readonly hasVariables?: boolean
}

type Connection = NonNullable<Awaited<ReturnType<typeof findConnection>>>
type Contact = { readonly id: number; readonly number: string | null; readonly is_group: boolean }

/**
 * Says it to each contact in the conversation of that connection, all in sets: in the live ticket, else the last one, which
 * stays closed, else one that is closed from its beginning. Answers to whom it cannot be said, and why.
 */
export async function writeToContacts(ctx: Ctx, message: ToContacts): Promise<Map<number, ErrorCode>> {
  const refused = new Map<number, ErrorCode>()
  if (message.idFront && (await findByIdFront(ctx.db, [message.idFront])).length > 0) return refused
  const connection = await findConnection(ctx.db, message.connectionId)
  const kind = message.file && typeOfMime(message.file.mime)
  const contacts = await findContacts(ctx.db, message.contactIds)
  const open = message.contactIds.filter((id) => contacts.get(id)?.blocked === false)
  const people = new Map(open.map((id) => [contacts.get(id)!.id, contacts.get(id)!]))
  const keys = connection ? await keysOf(ctx, [...people.values()], connection.type) : new Map<number, string>()
  const writable = connection ? await writableOf(ctx, connection, [...keys.values()]) : new Set<string>()
  const isCarried = !kind || capabilitiesOf(connection?.type ?? '').files[kind]
  const obstacleOf = (contactId: number): ErrorCode | undefined => {
    const contact = contacts.get(contactId)
    if (!contact) return 'ERR_NO_CONTACT_FOUND'
    if (!connection) return 'ERR_NO_WAPP_FOUND'
    if (contact.blocked) return 'ERR_CONTACT_BLOCKED'
    const key = keys.get(contact.id)
    if (key === undefined) return 'ERR_WAPP_CHECK_CONTACT'
    if (!writable.has(key)) return 'ERR_WINDOW_CLOSED'
    return isCarried ? undefined : 'ERR_FILE_NOT_CARRIED'
  }
  for (const contactId of message.contactIds) {
    const obstacle = obstacleOf(contactId)
    if (obstacle) refused.set(contactId, obstacle)
  }
  const reached = message.contactIds.filter((id) => !refused.has(id)).map((id) => contacts.get(id)!)
  if (!connection || reached.length === 0) return refused
  const { ticketIds, opened } = await ticketsFor(ctx, connection, reached, keys)
  const tickets = new Map((await lockLedgerTickets(ctx.db, [...ticketIds.values()])).map((one) => [one.id, one]))
  const { body, sendType, file, idFront, hasVariables = !idFront } = message
  const isFilledIn = hasVariables && body.includes('{{')
  const subjects = isFilledIn ? await findSubjects(ctx.db, [...tickets.keys()]) : new Map<number, never>()
  const drafts = reached.map(({ id }) => {
    const ticket = tickets.get(ticketIds.get(keys.get(id)!)!)!
    const subject = subjects.get(ticket.id)
    const text = { body: subject ? fillIn(ctx, body, subject) : body, sendType }
    const more = { ...(file ? { fileId: file.id } : {}), ...(idFront ? { idFront } : {}) }
    return { ticket, source: 'system', mediaType: kind ?? 'text', ...text, ...more } as const
  })
  const written = await writeMessages(ctx, drafts, opened)
  await afterMessages(ctx, { ...written, isAutomatic: true }, opened)
  return refused
}

/** The conversation of each contact as its next message on that channel will name it; who cannot be written to is missing. */
async function keysOf(ctx: Ctx, contacts: readonly Contact[], channel: string): Promise<Map<number, string>> {
  const ids = contacts.map(({ id }) => id)
  const on = { channel, mayBegin: capabilitiesOf(channel).begins === 'anyone' }
  const known = await contactBook().addressesOf(ctx.db, ids, on)
  const taken = new Set<string>()
  const own = [...known].filter(([, identity]) => identity !== '' && !taken.has(identity) && taken.add(identity))
  const wanted = own.map(([contactId, identity]) => ({ contactId, channel, identity }))
  if (wanted.length === 0 || (await contactBook().claimAll(ctx.db, wanted))) return new Map(own)
  // Somebody else was given one of these numbers meanwhile: each is asked for by itself.
  const claimed: [number, string][] = []
  for (const one of wanted)
    if (await contactBook().claim(ctx.db, one.contactId, channel, one.identity))
      claimed.push([one.contactId, one.identity])
  return new Map(claimed)
}

/** The ticket of each conversation, by its key. One that is begun counts in no figure, and nobody has to attend it. */
async function ticketsFor(
  ctx: Ctx,
  connection: Connection,
  contacts: readonly Contact[],
  keys: ReadonlyMap<number, string>,
): Promise<{ ticketIds: ReadonlyMap<string, number>; opened: readonly number[] }> {
  const wanted = new Map(contacts.map((contact) => [keys.get(contact.id)!, contact]))
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

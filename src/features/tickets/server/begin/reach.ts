import { activeOfContact, findContact, lastConnectionOf, nameOf } from '#features/ledger/server/changes/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { listConnections, loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { isVisible } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { readPhone } from '#server/phone.ts'
import type { tickets } from '../../contract.ts'
import { requireContact } from './contact.ts'

type Viewing = Pick<ReadCtx, 'platform' | 'tenantId' | 'settings' | 'now'> & { db: Queryable; user: Actor }
type Contact = { readonly id: number; readonly number: string | null }

/** Reason why a connection cannot be used: not permitted, offline, or without an address of the contact. */
export type Obstacle = 'forbidden' | 'away' | 'unreached'

/** Connection that may reach a contact; `ticket` is the contact's active ticket there. */
export type Way = {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly obstacle: Obstacle | null
  readonly ticket: { readonly id: number; readonly username: string | null; readonly isVisible: boolean } | null
}

/** Returns the international digits of a typed number; throws 400 at its field if invalid. */
export async function numberOf(text: string): Promise<string> {
  const phone = await readPhone(text)
  return phone ? phone.e164.slice(1) : fail('ERR_VALIDATION', { number: 'Confira o número: DDD e telefone.' })
}

/**
 * Returns every connection as a way to a contact (null: a new number), in order of preference: active ticket, last used,
 * default, others; ways with an obstacle come last.
 */
export async function waysTo(ctx: Viewing, contact: Contact | null): Promise<Way[]> {
  const connections = await listConnections(ctx.db)
  const active = contact ? await activeOfContact(ctx.db, contact.id) : []
  const last = contact && (await lastConnectionOf(ctx.db, contact.id))
  const loaded = await loadTicketRows(
    ctx.db,
    active.map(({ id }) => id),
    ctx,
  )
  const reached = new Set<string>()
  for (const type of new Set(connections.map((one) => one.type))) {
    const mayBegin = capabilitiesOf(type).begins === 'anyone'
    const isReached = contact
      ? (await contactBook().addressesOf(ctx.db, [contact.id], { channel: type, mayBegin })).has(contact.id)
      : mayBegin
    if (isReached) reached.add(type)
  }
  const rank = ({ id, isDefault, ticket }: Way & { isDefault: boolean }) =>
    ticket ? active.findIndex((one) => one.id === ticket.id) - 1000 : id === last ? 0 : isDefault ? 1 : 2
  return connections
    .map((one) => {
      const row = active.find(({ connection_id }) => connection_id === one.id)
      const known = row && loaded.get(row.id)
      const ticket = known ? { id: row.id, username: known.row.username, isVisible: isVisible(ctx, known.facts) } : null
      const obstacle: Obstacle | null = !mayUseConnection(ctx.user, ctx.settings, one.id)
        ? 'forbidden'
        : !reached.has(one.type) && !ticket
          ? 'unreached'
          : one.status !== 'CONNECTED'
            ? 'away'
            : null
      return { id: one.id, type: one.type, name: one.name, isDefault: one.is_default, obstacle, ticket }
    })
    .sort((a, b) => Number(a.obstacle !== null) - Number(b.obstacle !== null) || rank(a) - rank(b) || a.id - b.id)
    .map(({ isDefault: _, ...way }) => way)
}

/** Returns the contact of a number, or a given contact, with every connection that may reach them. */
export async function reach(
  ctx: Viewing,
  { contactId, number }: Input<typeof tickets.reach>['query'],
): Promise<Returned<typeof tickets.reach>> {
  if ((contactId === undefined) === (number === undefined)) fail('ERR_VALIDATION', { number: 'Informe o número.' })
  const digits = number === undefined ? null : await numberOf(number)
  const known = digits === null ? { id: contactId! } : await contactBook().ofNumber(ctx.db, digits)
  const contact = known && (await requireContact(ctx, known.id))
  const named = contact && (await nameOf(ctx.db, contact.id))
  return {
    number: digits ?? contact?.number ?? null,
    contact: contact && named ? { id: contact.id, name: named.name } : null,
    ways: await waysTo(ctx, contact ?? null),
  }
}

/**
 * Returns the connection on which messages are forwarded to a contact: that of an active ticket, visible ones first and the
 * source's before others; else the contact's last one, the source's, or any usable one. An active ticket that the user may
 * not see is not bypassed.
 */
export async function wayFor(ctx: Viewing, contactId: number, sourceId: number): Promise<number> {
  const contact = required(await findContact(ctx.db, contactId), 'ERR_NO_CONTACT_FOUND')
  const ways = await waysTo(ctx, contact)
  const live = ways.filter(({ ticket }) => ticket !== null)
  const seen = live.filter(({ ticket, obstacle }) => ticket?.isVisible && obstacle !== 'forbidden')
  const chosen = seen.find(({ id }) => id === sourceId) ?? seen[0] ?? live[0]
  if (chosen) return chosen.id
  await requireContact(ctx, contactId)
  const open = ways.filter(({ obstacle }) => obstacle === null)
  const last = await lastConnectionOf(ctx.db, contact.id)
  const way = open.find(({ id }) => id === last) ?? open.find(({ id }) => id === sourceId) ?? open[0]
  // An offline connection is better than none: the message waits there.
  return (way ?? ways.find(({ obstacle }) => obstacle === 'away') ?? fail('ERR_WAPP_CHECK_CONTACT')).id
}

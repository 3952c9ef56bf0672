import { formatPhone } from '#domain/phone/shown.ts'
import { present } from '#domain/present.ts'
import { findActive, findContact, insertLogs, insertTicket } from '#features/ledger/server/changes/index.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { isWritable } from '#features/ledger/server/outbox/index.ts'
import { type ChannelConversation, contactBook } from '#features/ledger/server/ports/index.ts'
import { findConnection, findDefaultConnection } from '#features/ledger/server/rows/index.ts'
import { storeMessages } from '#features/messages/server/send/index.ts'
import { announce, isVisible, lockTicket } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { AppError, fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import type { tickets } from '../../contract.ts'
import { requireAssignment } from '../change/change.ts'
import { failWithActive } from '../change/conflict.ts'
import { type Detail, loadDetail } from '../change/detail.ts'
import { requireContact } from './contact.ts'
import { decideNext } from './decide-next.ts'
import { numberOf } from './reach.ts'

type UserCtx = Ctx & { user: Actor }
type Body = Input<typeof tickets.create>['body']

/**
 * Returns the ticket in which to write to a contact on a connection: the active one if the user may see it (else 409 with
 * its owner), or a new one of the user.
 */
export const ticketWith = async (ctx: UserCtx, contactId: number, whatsappId: number): Promise<number> =>
  (await openWith(ctx, { contactId, whatsappId })).id

async function openWith(
  ctx: UserCtx,
  body: Body & { whatsappId: number },
): Promise<{ id: number; isNew: boolean; detail?: Detail }> {
  const contact = required(await findContact(ctx.db, body.contactId), 'ERR_NO_CONTACT_FOUND')
  const connection = await connectionFor(ctx, body)
  const key = await keyFor(ctx, contact, connection.type)
  const open = async () => {
    const active = await findActive(ctx.db, connection.id, key)
    if (!active) return null
    const { facts } = await lockTicket(ctx, active.id)
    if (isVisible(ctx, facts)) return { id: active.id, isNew: false }
    await requireContact(ctx, body.contactId)
    return failWithActive(ctx, active)
  }
  const there = await open()
  if (there) return there
  try {
    const detail = await createTicket(ctx, body)
    return { id: detail.id, isNew: true, detail }
  } catch (error) {
    // A concurrent request created it first.
    const isThere = error instanceof AppError && error.code === 'ERR_OTHER_OPEN_TICKET'
    return (isThere && (await open())) || Promise.reject(error)
  }
}

/**
 * Starts a conversation with a contact, or with a number, which becomes a contact if new. Returns the existing ticket
 * unchanged, or a new one of the user; concurrent calls create one.
 */
export async function beginWith(
  ctx: UserCtx,
  { contactId, number, whatsappId, template }: Input<typeof tickets.begin>['body'],
): Promise<Returned<typeof tickets.begin>> {
  const connection = await connectionFor(ctx, { contactId: 0, whatsappId })
  const id = contactId ?? (await contactAt(ctx, number ?? '', connection.type))
  const { id: ticketId, isNew, detail } = await openWith(ctx, { contactId: id, whatsappId, template })
  return { ticket: detail ?? (await loadDetail(ctx, ticketId)).detail, isNew }
}

/** Returns the contact of a typed number, creating it if new. */
export async function contactAt(ctx: UserCtx, number: string, channel: string): Promise<number> {
  const digits = await numberOf(number)
  const sender = { channel, identity: digits, name: formatPhone(digits), number: digits, email: '' }
  const known = await contactBook().find(ctx.db, [sender])
  if (known.size === 0 && capabilitiesOf(channel).begins === 'contact') fail('ERR_WAPP_CHECK_CONTACT')
  const [contact] = (known.size > 0 ? known : await contactBook().meet(ctx, [sender])).values()
  return present(contact).id
}

/**
 * Creates a ticket with a contact, owned by the user unless the request says otherwise; throws 409 with the contact's active
 * ticket.
 */
export async function createTicket(ctx: UserCtx, body: Body): Promise<Detail> {
  const contact = await requireContact(ctx, body.contactId)
  const connection = await connectionFor(ctx, body)
  await requireAssignment(ctx, body)
  const { status = 'open', userId = status === 'open' ? ctx.user.id : null, queueId = connection.queue_id } = body
  const conversationKey = await keyFor(ctx, contact, connection.type)
  const arrival = { by: 'start', isGroup: contact.is_group, number: contact.number } as const
  const decision = await decideNext(ctx.db, arrival, connection.id, conversationKey)
  if (decision.kind === 'continue') return failWithActive(ctx, decision.ticket)
  const id = await insertTicket(ctx.db, {
    status,
    user_id: userId,
    queue_id: queueId,
    connection_id: connection.id,
    contact_id: contact.id,
    conversation_key: conversationKey,
    channel: connection.type,
    is_group: contact.is_group,
    is_active_demand: body.isActiveDemand ?? true,
    started_attendance_at: status === 'open' ? ctx.now : null,
    now: ctx.now,
  })
  // Created concurrently: the other transaction has committed.
  if (id === null) return failWithActive(ctx, await findActive(ctx.db, connection.id, conversationKey))
  const types = status === 'open' ? (['create', 'open'] as const) : (['create'] as const)
  const logs = types.map((type) => ({ type, userId: ctx.user.id, queueId }))
  await insertLogs(ctx.db, id, logs, ctx.now)
  await runHooks(ctx, 'onOpened', [{ ticketId: id, isReopened: false }])
  if (userId !== null && status === 'open')
    await runHooks(ctx, 'onAssigned', [{ ticketId: id, userId, byUserId: ctx.user.id }])
  const { detail, loaded } = await loadDetail(ctx, id)
  announce(ctx, null, loaded)
  await begin(ctx, { id, channel: connection.type, connectionId: connection.id, conversationKey }, body.template)
  return body.template ? (await loadDetail(ctx, id)).detail : detail
}

// Outside of the window a conversation starts with a template only: free text would never be sent.
async function begin(
  ctx: UserCtx,
  { id: ticketId, channel, ...conversation }: ChannelConversation & { id: number; channel: string },
  template: Body['template'],
): Promise<void> {
  if (template)
    await storeMessages(ctx, { ticketId, template, idFront: ctx.newId(), body: '', isNote: false, files: [] })
  else if (capabilitiesOf(channel).templates && !(await isWritable(ctx, channel, conversation)))
    fail('ERR_WINDOW_CLOSED')
}

async function connectionFor(ctx: UserCtx, { whatsappId, channelId, channel }: Body) {
  const id = whatsappId ?? channelId
  const connection =
    id === undefined
      ? required(await findDefaultConnection(ctx.db, channel), 'ERR_NO_DEF_WAPP_FOUND')
      : required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  return mayUseConnection(ctx.user, ctx.settings, connection.id) ? connection : fail('ERR_NO_PERMISSION')
}

/** Returns the conversation key of the contact's next message; throws if the contact never wrote and has no usable number. */
export async function keyFor(
  ctx: Pick<UserCtx, 'db'>,
  contact: { id: number; number: string | null },
  channel: string,
): Promise<string> {
  const known = await contactBook().identityOf(ctx.db, contact.id, channel)
  if (known) return known
  // Widget visitors have no number: without a message of theirs they cannot be reached.
  if (!contact.number || capabilitiesOf(channel).begins === 'contact') return fail('ERR_WAPP_CHECK_CONTACT')
  const isOurs = await contactBook().claim(ctx.db, contact.id, channel, contact.number)
  return isOurs ? contact.number : fail('ERR_WAPP_CHECK_CONTACT')
}

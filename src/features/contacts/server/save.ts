import { spellingsOf } from '#domain/phone/brazil.ts'
import { contactEvents } from '#features/ledger/contact-events.ts'
import { setGroupUsers } from '#features/tickets/server/groups/index.ts'
import { announcingTickets } from '#features/tickets/server/list/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { channelOfField } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { readPhone } from '#server/phone.ts'
import type { contacts } from '../contract.ts'
import { OWN_FIELD } from '../forms.ts'
import { recording } from './changes.ts'
import { valuesToStore } from './fields.ts'
import { onlyFor } from './list.ts'
import {
  type ContactValues,
  countTags,
  countUsers,
  findByNumber,
  insertContact,
  lockContact,
  maySee,
  replaceTags,
  replaceWallets,
  updateContact,
} from './queries.ts'
import { countChange } from './queries-bulk.ts'
import { writeFieldValues } from './queries-fields.ts'
import { ownerOfAddress, putAddress, removeAddresses } from './queries-identities.ts'
import { ADDRESS_FIELDS, LID_END } from './serializer.ts'
import { setStage } from './stage.ts'

type UserCtx = Ctx & { user: Actor }
type Form = Input<typeof contacts.update>['body']

/** Maximum number of a contact's tickets published when their display changes; older ones reload when opened. */
const PUBLISHED_TICKETS = 50

/** Inserts a new contact and returns its id. */
export async function createContact(ctx: UserCtx, form: Form & { name: string }): Promise<number> {
  const values = await valuesOf(ctx, form)
  const own = await valuesToStore(ctx, form, true)
  const id = await insertContact(ctx.db, { ...values, name: form.name })
  await writeFieldValues(ctx.db, id, own)
  await saveSets(ctx, id, form)
  await saveAddresses(ctx, id, form)
  if (form.kanban != null) await setStage(ctx, [id], { kanban: form.kanban })
  publishUpdate(ctx, id)
  return id
}

/** Changes a contact; absent fields stay. Publishes its tickets where their rows or visibility change. */
export async function changeContact(ctx: UserCtx, id: number, form: Form): Promise<void> {
  const { kanban, before, ...rest } = form
  // First: the stage is locked before any contact.
  if (kanban !== undefined) {
    if (!(await maySee(ctx.db, id, onlyFor(ctx)))) fail('ERR_NO_CONTACT_FOUND')
    if (before != null && !(await maySee(ctx.db, before, onlyFor(ctx)))) fail('ERR_BOARD_CHANGED')
    await setStage(ctx, [id], { kanban, before })
    if (Object.keys(rest).length === 0) return countChange(ctx.db, [id], { by: ctx.user.id, now: ctx.now })
  }
  await lockVisibleContact(ctx, id)
  const values = await valuesOf(ctx, form, id)
  const own = await valuesToStore(ctx, form, false)
  const shownInTickets = form.name !== undefined || form.number !== undefined || form.wallets !== undefined
  await publishing(ctx, [id], shownInTickets, () =>
    recording(ctx, [id], async () => {
      if (Object.keys(values).length > 0) await updateContact(ctx.db, id, values)
      await writeFieldValues(ctx.db, id, own)
      await saveSets(ctx, id, form)
      await saveAddresses(ctx, id, form)
      await countChange(ctx.db, [id], { by: ctx.user.id, now: ctx.now })
    }),
  )
}

/** Sets a contact's name or picture as its channel reports it. */
export async function describeFromChannel(
  ctx: Ctx,
  id: number,
  { name, fileId }: { readonly name?: string; readonly fileId?: string | null },
): Promise<void> {
  if (!(await lockContact(ctx.db, id))) return
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(fileId === undefined ? {} : { profile_pic_file: fileId }),
  }
  await publishing(ctx, [id], true, () => recording(ctx, [id], () => updateContact(ctx.db, id, values)))
}

/** Changes contacts and publishes them, and their tickets where they show the change. */
export async function publishing(
  ctx: Ctx,
  ids: readonly number[],
  isShown: boolean,
  change: () => Promise<unknown>,
): Promise<void> {
  await (isShown ? announcingTickets(ctx, ids, PUBLISHED_TICKETS, change) : change())
  for (const id of ids) publishUpdate(ctx, id)
}

/** Locks a contact that the user may see; throws 404 otherwise. */
export async function lockVisibleContact(ctx: UserCtx, id: number): Promise<void> {
  if (!(await lockContact(ctx.db, id)) || !(await maySee(ctx.db, id, onlyFor(ctx)))) fail('ERR_NO_CONTACT_FOUND')
}

/** Returns the spellings under which a number may be stored (with and without the ninth digit); null if it is no number. */
export async function spellings(number: string): Promise<[string, ...string[]] | null> {
  const phone = await readPhone(number)
  return phone && spellingsOf(phone.e164.slice(1))
}

const publishUpdate = (ctx: Ctx, id: number) =>
  ctx.emit(contactEvents.update, { id }, { kind: 'permission', permission: 'contacts:read' })

async function valuesOf(ctx: UserCtx, form: Form, id?: number): Promise<ContactValues> {
  const { name, number, email, cpf, firstName, lastName, businessName, birthdayDate, extraInfo, blocked } = form
  const { chatbotBlocked } = form
  const free = extraInfo?.filter((one) => typeof one.id !== 'string' || !one.id.startsWith(OWN_FIELD))
  return {
    // A name set by a user is not overwritten by the channel.
    ...(name === undefined ? {} : { name, is_named_by_channel: false }),
    ...(email === undefined ? {} : { email }),
    ...(cpf === undefined ? {} : { cpf }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(chatbotBlocked === undefined ? {} : { chatbot_blocked: chatbotBlocked }),
    ...(number === undefined ? {} : { number: await freeNumber(ctx, number, id) }),
    ...(firstName === undefined ? {} : { first_name: firstName }),
    ...(lastName === undefined ? {} : { last_name: lastName }),
    ...(businessName === undefined ? {} : { business_name: businessName }),
    ...(birthdayDate === undefined ? {} : { birthday_date: birthdayDate }),
    ...(free === undefined
      ? {}
      : { extra_info: JSON.stringify(free.map((one) => ({ ...one, id: one.id ?? ctx.newId() }))) }),
  }
}

// A number belongs to one contact, in any spelling; a user who may not see that contact learns only that it exists.
async function freeNumber(ctx: UserCtx, text: string, own: number | undefined): Promise<string | null> {
  if (text === '') return null
  const numbers =
    (await spellings(text)) ?? fail('ERR_VALIDATION', { number: 'Informe um número com DDD, como (19) 99812-4407.' })
  const other = await findByNumber(ctx.db, numbers, own)
  if (!other) return numbers[0]
  const isSeen = await maySee(ctx.db, other.id, onlyFor(ctx))
  return fail('ERR_DUPLICATED_CONTACT', isSeen ? { contact: other } : undefined)
}

async function saveSets(ctx: UserCtx, id: number, { tags, wallets }: Form): Promise<void> {
  if (tags) {
    const wanted = [...new Set(tags)]
    if ((await countTags(ctx.db, wanted)) < wanted.length) fail('ERR_NO_TAG_FOUND')
    await replaceTags(ctx.db, id, wanted)
  }
  if (wallets) {
    const wanted = [...new Set(wallets)]
    if ((await countUsers(ctx.db, wanted)) < wanted.length) fail('ERR_NO_USER_FOUND')
    await replaceWallets(ctx.db, id, wanted)
  }
}

// User-entered addresses replace earlier user-entered ones, never those that the channel reported.
async function saveAddresses(ctx: UserCtx, id: number, form: Form): Promise<void> {
  for (const key of ADDRESS_FIELDS) {
    const channel = channelOfField(key)
    const address = form[key]
    if (address === undefined) continue
    const confirmed = await removeAddresses(ctx.db, id, {
      channel,
      isLid: key === 'lid' ? LID_END : null,
      except: address,
    })
    if (confirmed.length > 0 && !confirmed.includes(address))
      fail('ERR_VALIDATION', { [key]: 'O próprio canal informou este endereço: ele não muda à mão.' })
    if (address === '' || confirmed.includes(address)) continue
    if (await putAddress(ctx.db, { contactId: id, channel, address, now: ctx.now })) continue
    const other = await ownerOfAddress(ctx.db, channel, address)
    const isSeen = other && (await maySee(ctx.db, other.id, onlyFor(ctx)))
    const why = isSeen ? `Este endereço já é de ${other.name}.` : 'Este endereço já é de outro contato.'
    fail('ERR_DUPLICATED_CONTACT', { [key]: why, ...(isSeen ? { contact: other } : {}) })
  }
  if (form.groupUserIdArray !== undefined) await setGroupUsers(ctx, id, form.groupUserIdArray ?? [])
}

import { phoneKey } from '#domain/phone/brazil.ts'
import { createContact, narrowedContacts, narrowingOf, onlyFor } from '#features/contacts/server/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, withSavepoint } from '#server/context.ts'
import { phoneReader } from '#server/phone.ts'
import type { dispatches } from '../mass-contract.ts'
import { findGroups, groupsAmong } from './queries-groups.ts'
import { addItems, contactsOfLines } from './queries-items.ts'

type UserCtx = Ctx & { user: Actor }
type Form = Input<typeof dispatches.create>['body']
type To = Parameters<typeof addItems>[1]
type Values = Readonly<Record<string, string>>

/** Adds the recipients: numbers of lines (unknown ones become contacts), contacts, groups, tags and stages. */
export async function addRecipients(ctx: UserCtx, to: To, form: Form): Promise<void> {
  const { lines, tags, kanban } = form
  const seen = onlyFor(ctx)
  const values = await contactsOf(ctx, lines)
  const add = async (narrowing: Awaited<ReturnType<typeof narrowingOf>>['narrowing'], by: To = to) => {
    const chosen = narrowedContacts(ctx.db, seen, narrowing).select('contacts.id')
    await addItems(ctx.db, by, chosen, values)
  }
  const groups = new Set(await groupsAmong(ctx.db, form.contacts))
  for (const [connectionId, ids] of await groupsOf(ctx, to, { keys: form.groups, contactIds: [...groups] }))
    await add({ ids, conditions: [] }, { ...to, connectionIds: [connectionId] })
  const named = [...values.keys(), ...form.contacts.filter((id) => !groups.has(id))]
  if (named.length > 0) await add({ ids: named, conditions: [] })
  if (tags.length > 0) await add((await narrowingOf(ctx, { tag: tags, isGroup: false })).narrowing)
  if (kanban.length > 0) await add((await narrowingOf(ctx, { kanban, isGroup: false })).narrowing)
}

/** Returns the contacts of groups by the connection that is a member of each; fails if none of the sending ones is. */
async function groupsOf(
  ctx: UserCtx,
  { connectionIds }: To,
  { keys, contactIds }: { readonly keys: readonly string[]; readonly contactIds: readonly number[] },
): Promise<Map<number, number[]>> {
  const byConnection = new Map<number, number[]>()
  if (keys.length + contactIds.length === 0) return byConnection
  const found = await findGroups(ctx.db, { connectionIds, only: onlyFor(ctx), keys, contactIds })
  const [named, met] = [new Set(found.map(({ id }) => id)), new Set(found.map(({ contactId }) => contactId))]
  if (keys.some((key) => !named.has(key)) || contactIds.some((id) => !met.has(id))) fail('ERR_NO_GROUP_FOUND')
  const strangers = found.filter(({ contactId }) => contactId === null)
  const made = await contactBook().meet(
    ctx,
    strangers.map(({ id: identity, name, channel }) => ({
      ...{ channel, identity, name, number: null, email: '', isGroup: true },
    })),
  )
  for (const { id, channel, connectionId, contactId } of found) {
    const contact = contactId ?? made.get(`${channel}|${id}`)?.id
    if (contact !== undefined) byConnection.set(connectionId, [...(byConnection.get(connectionId) ?? []), contact])
  }
  return byConnection
}

/** Returns the contacts of lines by number, each with the values of its line. */
async function contactsOf(ctx: UserCtx, lines: Form['lines']): Promise<Map<number, Values>> {
  const found = new Map<number, Values>()
  if (lines.length === 0) return found
  const read = await phoneReader()
  const wrong: string[] = []
  const numbers = new Map<string, { digits: string; values: Values }>()
  for (const { number, values } of lines) {
    const digits = read(number)?.e164?.replace(/\D/g, '')
    if (!digits) wrong.push(number)
    else
      numbers.set(phoneKey(digits), {
        digits,
        values: Object.fromEntries(values.map((one, n) => [`var${n + 1}`, one])),
      })
  }
  if (wrong.length > 0)
    fail('ERR_VALIDATION', { lines: `Não são números: ${wrong.slice(0, 5).join(', ')}${wrong.length > 5 ? '…' : ''}` })
  const known = await contactsOfLines(ctx.db, [...numbers.keys()])
  // In a fixed order, so that two lists with the same new numbers cannot deadlock.
  for (const [key, { digits, values }] of [...numbers].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    found.set(known.get(key) ?? (await contactOf(ctx, key, digits)), values)
  return found
}

/** Returns the id of a new contact with a number, or of the one that a concurrent request created. */
async function contactOf(ctx: UserCtx, key: string, digits: string): Promise<number> {
  try {
    return await withSavepoint(ctx, (part) =>
      createContact({ ...part, user: ctx.user }, { name: digits, number: digits } as never),
    )
  } catch (error) {
    const id = (await contactsOfLines(ctx.db, [key])).get(key)
    if (id === undefined) throw error
    return id
  }
}

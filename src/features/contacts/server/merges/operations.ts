import { conflictsOf } from '#domain/contacts/person.ts'
import { lookUp, present } from '#domain/present.ts'
import { pairsOf } from '#features/ledger/server/persons/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { type contacts, mergeField } from '../../contract.ts'
import { onlyFor } from '../list.ts'
import { loadContacts, maySee } from '../queries.ts'
import { serializeContact } from '../serializer.ts'
import { factsOf } from './facts.ts'
import { merge, undoMerge } from './merge.ts'
import {
  findMerge,
  insertDistinct,
  listIdentities,
  listMerges,
  personsOf,
  readMembers,
  surveyMerge,
} from './queries.ts'

type Viewing = Pick<ReadCtx, 'platform' | 'settings'> & { db: Queryable; user: Actor }
type UserCtx = Ctx & { user: Actor }

/** Returns the person of a contact (itself if not merged) if the user may see them; throws 404 otherwise. */
export async function visiblePerson(ctx: Viewing, id: number): Promise<number> {
  const find = async () => required((await personsOf(ctx.db, [id])).get(id), 'ERR_NO_CONTACT_FOUND')
  let person = await find()
  while (!(await maySee(ctx.db, person, onlyFor(ctx)))) {
    // They may have been merged into another contact between the two reads.
    const now = await find()
    if (now === person) fail('ERR_NO_CONTACT_FOUND')
    person = now
  }
  return person
}

async function twoPersons(ctx: Viewing, id: number, contactId: number): Promise<[number, number]> {
  const both = [await visiblePerson(ctx, id), await visiblePerson(ctx, contactId)] as const
  if (both[0] === both[1]) fail('ERR_MERGE_SAME')
  return [...both]
}

/** Returns a contact's channel addresses. */
export async function identitiesOf(ctx: Viewing, id: number): Promise<Returned<typeof contacts.identities>> {
  const rows = await listIdentities(ctx.db, await visiblePerson(ctx, id))
  return {
    identities: rows.map(({ channel, address, proof, ...row }) => ({
      ...{
        channel,
        address,
        proof,
        since: row.since.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        blocksUsSince: row.blocks_us_since?.toISOString() ?? null,
      },
      ...{ contactId: row.contact_id, contactName: row.contact_name },
    })),
  }
}

/** Returns a page of a contact's merges, newest first. */
export async function mergesOf(
  ctx: Viewing,
  id: number,
  query: Input<typeof contacts.merges>['query'],
): Promise<Returned<typeof contacts.merges>> {
  const { after, offset, limit } = exactPageStartOf<[number]>(query, 1)
  const person = await visiblePerson(ctx, id)
  const found = await listMerges(ctx.db, person, { before: after?.[0] ?? null, offset, limit })
  const { rows, paging } = pageOf(found, (row) => [row.id])
  return {
    merges: rows.map((row) => ({
      id: row.id,
      contact: { id: row.contact_id, name: row.contact_name },
      other: { id: row.other_id, name: row.other_name, number: row.other_number },
      proof: row.proof,
      userName: row.user_name,
      createdAt: row.created_at.toISOString(),
      undoneAt: row.undone_at?.toISOString() ?? null,
      undoneByName: row.undone_by_name,
    })),
    ...paging,
  }
}

/** Returns the effect of a merge without performing it. */
export async function previewMerge(
  ctx: Viewing,
  id: number,
  contactId: number,
): Promise<Returned<typeof contacts.previewMerge>> {
  const [person, other] = await twoPersons(ctx, id, contactId)
  const members = await readMembers(ctx.db, [person, other])
  if (members.some(({ is_group }) => is_group)) fail('ERR_MERGE_GROUP')
  const factsFor = (one: number) => factsOf(present(members.find((row) => row.id === one)))
  const rows = new Map((await loadContacts(ctx.db, [person, other])).map((row) => [row.id, row]))
  return {
    contact: serializeContact(ctx.platform, lookUp(rows, person)),
    other: serializeContact(ctx.platform, lookUp(rows, other)),
    conflicts: conflictsOf(factsFor(person), factsFor(other), mergeField.options),
    ...(await surveyMerge(ctx.db, other)),
    live: await pairsOf(ctx.db, person, other),
  }
}

/** Merges two contacts; returns the merge's id and the resulting person. */
export async function mergeContacts(
  ctx: UserCtx,
  id: number,
  { contactId, keep }: Input<typeof contacts.merge>['body'],
): Promise<{ mergeId: number; person: number }> {
  const [person, otherId] = await twoPersons(ctx, id, contactId)
  const mergeId = await merge(ctx, { id: person, otherId, keep: keep ?? {}, proof: 'person' })
  return { mergeId, person }
}

/** Undoes a merge that the user may see; returns the two separated contacts. */
export async function undoMergeOf(ctx: UserCtx, mergeId: number): Promise<[number, number]> {
  const found = required(await findMerge(ctx.db, mergeId), 'ERR_NO_MERGE_FOUND')
  await visiblePerson(ctx, found.contact_id).catch(() => fail('ERR_NO_MERGE_FOUND'))
  return undoMerge(ctx, mergeId)
}

/** Stores that two contacts are different people. */
export async function setDistinct(ctx: UserCtx, { contactId, otherId }: Input<typeof contacts.setDistinct>['body']) {
  const [a, b] = await twoPersons(ctx, contactId, otherId)
  await insertDistinct(ctx.db, a, b, ctx.user.id, ctx.now)
  return { message: 'ok' } as const
}

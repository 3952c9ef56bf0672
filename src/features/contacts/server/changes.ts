import type { Facts } from '#domain/contacts/person.ts'
import { ownMember } from '#domain/keys.ts'
import type { Input, Returned } from '#kit/contract.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { contacts } from '../contract.ts'
import { factsOf } from './merges/facts.ts'
import { visiblePerson } from './merges/operations.ts'
import { readMembers } from './merges/queries.ts'
import { type FieldChange, insertChanges, listChanges, namesOf } from './queries-changes.ts'

/** Runs `work` on contacts and records the changes of their fields; stage changes are recorded where they happen. */
export async function recording<T>(ctx: Ctx, ids: readonly number[], work: () => Promise<T>): Promise<T> {
  const before = await factsById(ctx.db, ids)
  const result = await work()
  const after = await factsById(ctx.db, ids)
  const changes = ids.flatMap((id) => changesOf(id, before.get(id) ?? {}, after.get(id) ?? {}))
  await insertChanges(ctx.db, changes, { by: ctx.user?.id ?? null, now: ctx.now })
  return result
}

async function factsById(db: Queryable, ids: readonly number[]): Promise<Map<number, Facts>> {
  return new Map((await readMembers(db, ids)).map((row) => [row.id, factsOf(row)]))
}

function changesOf(contactId: number, before: Facts, after: Facts): FieldChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter((key) => key !== 'kanban' && before[key] !== after[key])
    .map((field) => ({ contactId, field, before: shown(field, before), after: shown(field, after) }))
}

// Additional info is recorded as text; of the picture only that there is one.
function shown(key: string, facts: Facts): string {
  const value = facts[key] ?? ''
  if (value === '') return ''
  if (key.startsWith('extra:')) return JSON.parse(value).value
  return key === 'picture' ? 'true' : value
}

type Viewing = ReadCtx & { user: Actor }
type Change = Returned<typeof contacts.changes>['changes'][number]

/** Returns a page of a contact's changes, newest first. */
export async function changesOfContact(
  ctx: Viewing,
  id: number,
  query: Input<typeof contacts.changes>['query'],
): Promise<Returned<typeof contacts.changes>> {
  const { after, offset, limit } = exactPageStartOf<[number]>(query, 1)
  const person = await visiblePerson(ctx, id)
  const found = await listChanges(ctx.db, person, { before: after?.[0] ?? null, offset, limit })
  const { rows, paging } = pageOf(found, (row) => [row.id])
  const named = (kind: string) =>
    rows.flatMap(({ field }) => (field.startsWith(`${kind}:`) ? [Number(field.slice(kind.length + 1))] : []))
  const names = await namesOf(ctx.db, {
    tags: named('tag'),
    users: named('wallet'),
    fields: named('field'),
    stages: rows.flatMap((row) => (row.field === 'kanban' ? [row.before, row.after].filter(Boolean).map(Number) : [])),
  })
  const nameOf = { tag: names.tags, wallet: names.users, field: names.fields }
  return {
    changes: rows.map((row): Change => {
      const [kind = '', ...rest] = row.field.split(':')
      const name = kind === 'extra' ? rest.join(':') : (ownMember(nameOf, kind)?.get(Number(rest[0])) ?? null)
      const stage = (value: string) => (row.field === 'kanban' ? (names.stages.get(Number(value)) ?? '') : value)
      return {
        id: row.id,
        field: kind,
        name,
        before: stage(row.before),
        after: stage(row.after),
        userName: row.user_name,
        createdAt: row.created_at.toISOString(),
      }
    }),
    ...paging,
  }
}

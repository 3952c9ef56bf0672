import { type SqlBool, sql } from 'kysely'
import type { StagePosition } from '#features/ledger/server/ports/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Change of one field of a contact. */
export type FieldChange = {
  readonly contactId: number
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Author (null: none) and time of a change. */
export type Doing = { readonly by: number | null; readonly now: Date }

/** Inserts changes of contacts. */
export async function insertChanges(db: Tx, changes: readonly FieldChange[], { by, now }: Doing): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into contact_changes (tenant_id, contact_id, user_id, field, before, after, created_at)
    select app.tenant(), c."contactId", ${by}, c.field, c.before, c.after, ${now}
    from rows from (jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as ("contactId" bigint, field text, before text, after text)) with ordinality as c order by c.ordinality`.execute(
    db,
  )
}

/** Records the stage changes of contacts that are about to move to another stage. */
export async function insertStageChanges(
  db: Tx,
  positions: readonly (StagePosition & { readonly id: number })[],
  { by, now }: Doing,
): Promise<void> {
  await sql`
    insert into contact_changes (tenant_id, contact_id, user_id, field, before, after, created_at)
    select c.tenant_id, c.id, ${by}, 'kanban', coalesce(c.kanban::text, ''), coalesce(p.kanban::text, ''), ${now}
    from jsonb_to_recordset(${JSON.stringify(positions)}::jsonb) as p (id bigint, kanban bigint)
    join contacts c on c.tenant_id = app.tenant() and c.id = p.id
    where c.kanban is distinct from p.kanban order by c.id`.execute(db)
}

/** Returns a person's changes, newest first, after an id. */
export const listChanges = (
  db: Queryable,
  person: number,
  { before, offset, limit }: { before: number | null; offset: number; limit: number },
) =>
  db
    .selectFrom('contact_changes as c')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'c.tenant_id').onRef('u.id', '=', 'c.user_id'))
    .select(['c.id', 'c.field', 'c.before', 'c.after', 'c.created_at', 'u.name as user_name'])
    .where(
      sql<SqlBool>`c.contact_id = any(array(select id from contacts where id = ${person} or merged_into = ${person}))`,
    )
    .$if(before !== null, (query) => query.where('c.id', '<', before))
    .orderBy('c.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

/** Returns the names of existing tags, users, stages and custom fields that changes refer to. */
export async function namesOf(
  db: Queryable,
  ids: Readonly<Record<'tags' | 'users' | 'stages' | 'fields', readonly number[]>>,
): Promise<Record<keyof typeof ids, Map<number, string>>> {
  const all = (some: readonly number[]) => sql`any(${[...some]}::bigint[])`
  const { rows } = await sql<{ kind: keyof typeof ids; id: number; name: string }>`
    select 'tags' as kind, id, tag as name from tags where id = ${all(ids.tags)}
    union all select 'users', id, name from users where id = ${all(ids.users)}
    union all select 'stages', id, name from stages where id = ${all(ids.stages)}
    union all select 'fields', id, name from contact_fields where id = ${all(ids.fields)}`.execute(db)
  const of = (kind: keyof typeof ids) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name]))
  return { tags: of('tags'), users: of('users'), stages: of('stages'), fields: of('fields') }
}

import { sql } from 'kysely'
import type { Image } from '#domain/bulk/undo.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { Doing } from './queries-changes.ts'
import { contactsFor, type OnlyFor } from './queries-list.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Returns which contacts the user may see; `isHeld` locks them until the end of the transaction. */
export async function seenContacts(
  db: Queryable,
  ids: readonly number[],
  { onlyFor, isHeld }: { onlyFor: OnlyFor; isHeld: boolean },
): Promise<number[]> {
  const seen = contactsFor(db, onlyFor)
    .select('contacts.id')
    .where(sql<boolean>`contacts.id = any(${bigints(ids)})`)
  const rows = await (isHeld ? seen.orderBy('contacts.id').forUpdate('contacts') : seen).execute()
  return rows.map(({ id }) => id)
}

/** Increments the revision of contacts changed by a user. */
export async function countChange(db: Tx, ids: readonly number[], { by, now }: Doing): Promise<void> {
  await sql`update contacts set revision = revision + 1, changed_by = ${by}, changed_at = ${now}, updated_at = ${now}
    where id = any(${bigints(ids)})`.execute(db)
}

/** Restores the revisions of contacts after an undo. */
export async function countBack(
  db: Tx,
  counts: readonly ({ readonly id: number } & Pick<Image, 'revision' | 'changedBy' | 'changedAt'>)[],
): Promise<void> {
  await sql`update contacts c set revision = b.revision, changed_by = b."changedBy", changed_at = b."changedAt"
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
      as b (id bigint, revision int, "changedBy" bigint, "changedAt" timestamptz)
    where c.tenant_id = app.tenant() and c.id = b.id and c.id = any(${bigints(counts.map(({ id }) => id))})`.execute(db)
}

/** Returns the fields of contacts that an undo compares and restores. */
export async function contactImages(db: Queryable, ids: readonly number[]): Promise<Map<number, Image>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Image & { id: number }>`
    select c.id, c.revision, '' as mark, c.changed_by as "changedBy", to_jsonb(c.changed_at) as "changedAt",
      jsonb_build_object('blocked', c.blocked, 'chatbot_blocked', c.chatbot_blocked,
        'tags', array(select m.tag_id from contact_tags m where m.tenant_id = c.tenant_id and m.contact_id = c.id
          order by m.tag_id),
        'wallets', array(select m.user_id from contact_wallets m where m.tenant_id = c.tenant_id and m.contact_id = c.id
          order by m.user_id),
        'position', jsonb_build_object('kanban', c.kanban, 'order', c.kanban_order)) as fields
    from contacts c where c.id = any(${bigints(ids)})`.execute(db)
  return new Map(rows.map(({ id, ...image }) => [id, image]))
}

/** Sets a boolean column of contacts. */
export async function setSwitch(
  db: Tx,
  ids: readonly number[],
  column: 'blocked' | 'chatbot_blocked',
  isOn: boolean,
): Promise<void> {
  await sql`update contacts set ${sql.ref(column)} = ${isOn} where id = any(${bigints(ids)})`.execute(db)
}

/** Adds tags or wallets to contacts. */
export async function addTo(
  db: Tx,
  set: 'tags' | 'wallets',
  ids: readonly number[],
  given: readonly number[],
): Promise<void> {
  const contacts = sql`unnest(${bigints(ids)}) as c (id)`
  const chosen = sql`g.id = any(${bigints(given)}) order by c.id, g.id on conflict do nothing`
  await (set === 'tags'
    ? sql`insert into contact_tags (tenant_id, contact_id, tag_id)
        select g.tenant_id, c.id, g.id from ${contacts}, tags g where ${chosen}`
    : sql`insert into contact_wallets (tenant_id, contact_id, user_id)
        select g.tenant_id, c.id, g.id from ${contacts}, users g where g.is_active and ${chosen}`
  ).execute(db)
}

/** Removes tags or wallets from contacts. */
export async function takeFrom(
  db: Tx,
  set: 'tags' | 'wallets',
  ids: readonly number[],
  taken: readonly number[],
): Promise<void> {
  await (set === 'tags'
    ? sql`delete from contact_tags where contact_id = any(${bigints(ids)}) and tag_id = any(${bigints(taken)})`
    : sql`delete from contact_wallets where contact_id = any(${bigints(ids)}) and user_id = any(${bigints(taken)})`
  ).execute(db)
}

import { sql } from 'kysely'
import type { StagePosition } from '#features/ledger/server/ports/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Locks a stage against concurrent inserts until the end of the transaction; returns false if it does not exist. */
export async function lockStage(db: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select from stages where id = ${id} for no key update`.execute(db)
  return rows.length > 0
}

/** Returns contacts' board positions in order of id, locked until the end of the transaction; missing ones are omitted. */
export async function lockPositions(db: Tx, ids: readonly number[]): Promise<(StagePosition & { id: number })[]> {
  const { rows } = await sql<StagePosition & { id: number }>`
    select id, kanban, kanban_order as "order" from contacts where id = any(${[...ids]}::bigint[])
    order by id for no key update`.execute(db)
  return rows
}

/**
 * Returns the order keys around a place before a contact of a stage, or at its end (null); undefined if the contact is not
 * there.
 */
export async function findGap(
  db: Queryable,
  kanban: number,
  { before, moving }: { before: number | null; moving: readonly number[] },
): Promise<{ from: string | null; to: string | null } | undefined> {
  const others = sql`kanban = ${kanban} and id <> all(${[...moving]}::bigint[])`
  const end = await sql<{ key: string }>`
    select kanban_order as key from contacts where ${others} and id = ${before}`.execute(db)
  if (before !== null && end.rows.length === 0) return undefined
  const to = end.rows[0]?.key ?? null
  const { rows } = await sql<{ key: string }>`
    select kanban_order as key from contacts where ${others} ${to === null ? sql`` : sql`and kanban_order < ${to}`}
    order by kanban_order desc limit 1`.execute(db)
  return { from: rows[0]?.key ?? null, to }
}

/** Returns the key that a contact had in a stage if it is free, else one beside it. */
export async function findFree(
  db: Queryable,
  kanban: number,
  key: string,
): Promise<{ isFree: boolean; next: string | null }> {
  const { rows } = await sql<{ key: string }>`
    select kanban_order as key from contacts where kanban = ${kanban} and kanban_order >= ${key}
    order by kanban_order limit 2`.execute(db)
  const isFree = rows[0]?.key !== key
  return { isFree, next: rows[isFree ? 0 : 1]?.key ?? null }
}

/** Returns the first contacts of a stage, in order. */
export async function firstOf(db: Queryable, kanban: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from contacts where kanban = ${kanban} order by kanban_order limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Writes contacts' board positions. */
export async function savePositions(
  db: Tx,
  positions: readonly (StagePosition & { readonly id: number })[],
  now: Date,
): Promise<void> {
  await sql`update contacts c set kanban = p.kanban, kanban_order = p."order", updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(positions)}::jsonb) as p (id bigint, kanban bigint, "order" text)
    where c.tenant_id = app.tenant() and c.id = p.id and c.id = any(${positions.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
}

/** Rewrites the keys of a stage's contacts in order; `keys` has one for each. */
export async function saveKeys(db: Tx, kanban: number, keys: readonly string[]): Promise<void> {
  await sql`update contacts c set kanban_order = n.key
    from (select id, row_number() over (order by kanban_order) as turn from contacts where kanban = ${kanban}) o
    join unnest(${[...keys]}::text[]) with ordinality n (key, turn) using (turn)
    where c.tenant_id = app.tenant() and c.id = o.id`.execute(db)
}

/** Returns the number of contacts in a stage, and its last key. */
export async function extentOf(db: Queryable, kanban: number): Promise<{ count: number; last: string | null }> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    select count(*) as count, max(kanban_order) as last from contacts where kanban = ${kanban}`.execute(db)
  return rows[0]!
}

import { sql } from 'kysely'
import { type TagMerge, withTagMerged } from '#domain/merged-tags.ts'
import type { Tx } from './db/db.ts'

/** Replaces one tag by another in a table of links, without duplicates per `owner` (a column). */
export async function relinkTag(db: Tx, table: string, owner: string, { from, into }: TagMerge): Promise<void> {
  await sql`insert into ${sql.table(table)} (tenant_id, ${sql.ref(owner)}, tag_id)
    select tenant_id, ${sql.ref(owner)}, ${into} from ${sql.table(table)} where tenant_id = app.tenant() and tag_id = ${from}
    order by ${sql.ref(owner)} on conflict do nothing`.execute(db)
  await sql`delete from ${sql.table(table)} where tenant_id = app.tenant() and tag_id = ${from}`.execute(db)
}

/** Replaces one tag by another in columns of JSON, in all rows of a table. */
export async function renameTagIn(db: Tx, table: string, columns: readonly string[], merge: TagMerge): Promise<void> {
  const { rows } = await sql<{ id: number } & Record<string, unknown>>`
    select id, ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where tenant_id = app.tenant() order by id for update`.execute(db)
  for (const row of rows) {
    const set = columns.map((name) => sql`${sql.ref(name)} = ${JSON.stringify(withTagMerged(row[name], merge))}::jsonb`)
    await sql`update ${sql.table(table)} set ${sql.join(set)} where tenant_id = app.tenant() and id = ${row.id}`.execute(
      db,
    )
  }
}

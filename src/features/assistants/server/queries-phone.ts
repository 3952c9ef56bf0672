import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** The newest ticket of whoever has one of these numbers. */
export async function newestTicketOf(db: Queryable, numbers: readonly string[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select t.id from contacts c join tickets t on t.tenant_id = c.tenant_id and t.contact_id = c.id
    where c.number = any(${[...numbers]}) and not t.is_group order by t.id desc limit 1`.execute(db)
  return rows[0]?.id
}

import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** Checks whether an opportunity was created for a wish of another feature. */
export async function wasOpened(db: Queryable, wish: string): Promise<boolean> {
  const { rows } = await sql`select from opportunities where source = ${wish}`.execute(db)
  return rows.length > 0
}

/** Returns the owner of a ticket and the name of its contact. */
export async function ownerOfTicket(
  db: Queryable,
  ticketId: number,
): Promise<{ userId: number | null; contactName: string }> {
  const { rows } = await sql<{ userId: number | null; contactName: string }>`
    select t.user_id as "userId", c.name as "contactName" from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id where t.id = ${ticketId}`.execute(db)
  return rows[0] ?? { userId: null, contactName: '' }
}

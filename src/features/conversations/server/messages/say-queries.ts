import { sql } from 'kysely'
import type { TemplateSubject } from '#domain/messages/template.ts'
import type { Tx } from '#server/db/db.ts'

/** Whom and what a text in a ticket speaks of. */
export async function findSubject(
  db: Tx,
  ticketId: number,
): Promise<{
  contact: NonNullable<TemplateSubject['contact']>
  user: TemplateSubject['user'] | null
  createdAt: Date
}> {
  const row = await db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 't.tenant_id').onRef('u.id', '=', 't.user_id'))
    .select([
      'c.name',
      'c.number',
      'c.email',
      'c.first_name',
      'c.last_name',
      'c.business_name',
      'u.name as user_name',
      'u.email as user_email',
      't.created_at',
    ])
    .where('t.id', '=', ticketId)
    .executeTakeFirstOrThrow()
  return {
    contact: {
      name: row.name,
      firstName: row.first_name,
      lastName: row.last_name,
      businessName: row.business_name,
      email: row.email,
      phoneNumber: row.number,
    },
    user: row.user_name === null ? null : { name: row.user_name, email: row.user_email ?? '' },
    createdAt: row.created_at,
  }
}

/** Notes that a ticket's customer was told that nobody is there, if that was said less often than `most` times. */
export async function countAbsence(db: Tx, ticketId: number, most: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update tickets set absences = absences + 1 where id = ${ticketId} and absences < ${most}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** The companies that want quiet conversations resolved; as the platform. */
export async function tenantsThatClose(db: Tx): Promise<number[]> {
  const rows = await db
    .selectFrom('settings')
    .innerJoin('tenants', 'tenants.id', 'settings.tenant_id')
    .select('settings.tenant_id')
    .where('settings.key', '=', 'autoClose')
    .where('settings.value', '=', 'enabled')
    .where('tenants.status', '=', 'active')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Holds conversations in which nothing was said since then and nobody waits for us; those that others hold are left. */
export async function quietTickets(db: Tx, since: Date, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where status in ('open', 'pending') and waiting_since is null and not is_group
      and last_message_at < ${since} order by last_message_at limit ${most} for update skip locked`.execute(db)
  return rows.map((row) => row.id)
}

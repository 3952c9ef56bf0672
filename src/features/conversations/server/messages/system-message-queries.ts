import { type SqlBool, sql } from 'kysely'
import type { TemplateSubject } from '#domain/messages/template.ts'
import type { Tx } from '#server/db/db.ts'

/** Whom and what texts in these tickets speak of. */
export async function findSubjects(
  db: Tx,
  ticketIds: readonly number[],
): Promise<Map<number, Pick<TemplateSubject, 'contact' | 'user' | 'ticket'>>> {
  const rows = await db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 't.tenant_id').onRef('u.id', '=', 't.user_id'))
    .select([
      't.id',
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
    .where(sql<SqlBool>`t.id = any(${[...ticketIds]}::bigint[])`)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        contact: {
          name: row.name,
          firstName: row.first_name,
          lastName: row.last_name,
          businessName: row.business_name,
          email: row.email,
          phoneNumber: row.number,
        },
        ...(row.user_name === null ? {} : { user: { name: row.user_name, email: row.user_email ?? '' } }),
        ticket: { id: row.id, createdAt: row.created_at.getTime() },
      },
    ]),
  )
}

/** How often each kind of message was written in these tickets; kinds that were not are left out. */
export const countSent = (db: Tx, ticketIds: readonly number[], sendTypes: readonly string[]) =>
  db
    .selectFrom('messages')
    .select(({ fn }) => ['ticket_id', 'send_type', fn.countAll<number>().as('times')])
    .where('ticket_id', 'in', ticketIds)
    .where('send_type', 'in', sendTypes)
    .where('from_me', '=', true)
    .groupBy(['ticket_id', 'send_type'])
    .execute()

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

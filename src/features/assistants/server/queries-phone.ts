import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { CountedCall } from './queries-costs.ts'

/** Returns the newest ticket of a contact with one of these numbers. */
export async function newestTicketOf(db: Queryable, numbers: readonly string[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select t.id from contacts c join tickets t on t.tenant_id = c.tenant_id and t.contact_id = c.id
    where c.number = any(${[...numbers]}) and not t.is_group order by t.id desc limit 1`.execute(db)
  return rows[0]?.id
}

/** Finds the contact of a ticket, for a phone call. */
export async function findCalled(
  db: Queryable,
  ticketId: number,
): Promise<{ number: string | null; name: string } | undefined> {
  const { rows } = await sql<{ number: string | null; name: string }>`
    select c.number, c.name from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where t.id = ${ticketId} and not t.is_group`.execute(db)
  return rows[0]
}

/**
 * Records a phone call before it is made, with `error` until its provider confirms the start; returns false if recorded
 * already.
 */
export async function claimCall(db: Tx, call: CountedCall, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('assistant_calls')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      ...{ id: call.id, purpose: call.purpose, ticket_id: call.ticketId, account_id: call.accountId },
      ...{ provider: call.provider, ms: 0, error: call.error, created_at: now, user_id: call.userId ?? null },
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Records the start of a phone call: its id at the provider, or the error. A report may have arrived earlier. */
export async function noteBegun(
  db: Tx,
  id: string,
  { externalId, error }: { readonly externalId: string | null; readonly error: string | null },
): Promise<void> {
  await sql`
    update assistant_calls set error = ${error}, external_id = case when not exists (
      select from assistant_calls x where x.tenant_id = app.tenant() and x.external_id = ${externalId}) then ${externalId} end
    where tenant_id = app.tenant() and id = ${id}`.execute(db)
}

/** Records the end of a phone call, idempotent for repeated reports; returns the ticket it was started from, if any. */
export async function countEnded(
  db: Tx,
  { externalId, ...call }: CountedCall & { readonly externalId: string },
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ ticketId: number | null }>`
    insert into assistant_calls (tenant_id, id, external_id, purpose, ticket_id, account_id, provider, ms, cost, created_at)
    values (app.tenant(), ${call.id}, ${externalId}, ${call.purpose}, ${call.ticketId},
      (select id from provider_settings where tenant_id = app.tenant() and id = ${call.accountId}),
      ${call.provider}, ${Math.round(call.ms)}, ${String(call.cost)}, ${now})
    on conflict (tenant_id, external_id) where external_id is not null do update set
      ms = excluded.ms, cost = excluded.cost, error = null, ticket_id = coalesce(assistant_calls.ticket_id, excluded.ticket_id)
    returning ticket_id as "ticketId"`.execute(db)
  return firstOf(rows).ticketId
}

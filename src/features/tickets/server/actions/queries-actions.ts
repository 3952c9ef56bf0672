import { sql } from 'kysely'
import type { Named } from '#domain/actions/actions.ts'
import { firstOf } from '#domain/present.ts'
import type { Speaker } from '#features/ledger/server/texts/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Returns which of the records named by actions exist; queues, users and reasons must also be active. */
export async function findThere(
  db: Queryable,
  { tag, queue, user, stage, pipelineStage, reason }: Named,
): Promise<Named> {
  const ids = (all: readonly number[]) => sql`${[...all]}::bigint[]`
  const { rows } = await sql<Record<keyof Named, number[]>>`select
    array(select id from tags where id = any(${ids(tag)})) as tag,
    array(select id from queues where id = any(${ids(queue)}) and is_active) as queue,
    array(select id from users where id = any(${ids(user)}) and is_active) as "user",
    array(select id from stages where id = any(${ids(stage)})) as stage,
    array(select id from pipeline_stages where id = any(${ids(pipelineStage)})) as "pipelineStage",
    array(select id from reasons where id = any(${ids(reason)}) and is_active) as reason`.execute(db)
  return firstOf(rows)
}

/** Loads users with the fields that texts may use as variables. */
export async function findSpeakers(db: Queryable, ids: readonly number[]): Promise<Map<number, Speaker>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'restricted_user as restrictedUser'])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, email, ...one }) => [id, { ...one, email: email ?? '' }]))
}

/** Records the messages that an operation wrote, with their tickets. */
export async function insertBulkMessages(
  db: Tx,
  operationId: string,
  messages: readonly { readonly id: string; readonly ticketId: number }[],
): Promise<void> {
  await sql`insert into bulk_messages (tenant_id, operation_id, ticket_id, message_id)
    select app.tenant(), ${operationId}, m."ticketId", m.id
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m (id uuid, "ticketId" bigint)`.execute(db)
}

/** Current state of a message that an operation wrote: a note, or a text that is waiting, canceled or sent. */
export type BulkMessage = {
  readonly id: string
  readonly ticketId: number
  readonly isNote: boolean
  readonly isDeleted: boolean
  readonly isWaiting: boolean
  readonly hasLeft: boolean
  readonly connection_id: number
  readonly conversation_key: string
}

/** Locks these messages and returns those that still exist. The caller has locked their tickets. */
export async function lockBulkMessages(db: Tx, ids: readonly string[]): Promise<BulkMessage[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BulkMessage>`
    select m.id, m.ticket_id as "ticketId", m.is_note as "isNote", m.is_deleted as "isDeleted", m.connection_id, m.conversation_key,
      (m.status = 'pending' and m.send_at is not null) as "isWaiting",
      (not m.is_note and m.status <> 'canceled' and not (m.status = 'pending' and m.send_at is not null)) as "hasLeft"
    from messages m where m.id = any(${[...ids]}::uuid[]) order by m.id for update of m`.execute(db)
  return rows
}

/** Removes undone messages from their operation. */
export async function forgetBulkMessages(db: Tx, ids: readonly string[]): Promise<void> {
  await sql`delete from bulk_messages where message_id = any(${[...ids]}::uuid[])`.execute(db)
}

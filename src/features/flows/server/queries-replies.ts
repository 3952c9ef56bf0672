import { sql } from 'kysely'
import type { ReplyStep } from '#domain/flow/replies.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { replyTable } from '../reply-table.ts'

/** Row of an auto reply. */
export type ReplyRecord = {
  id: number
  name: string
  action: '0' | '1'
  celularTeste: string
  isActive: boolean
  steps: readonly ReplyStep[]
  createdAt: Date
  updatedAt: Date
}

/** Table access of auto replies. */
export const replyRows = tableOf<ReplyRecord>(replyTable, [sql`steps`])

/** Updates the steps of an auto reply. */
export async function saveSteps(db: Tx, id: number, steps: readonly ReplyStep[]): Promise<void> {
  await db
    .updateTable('auto_replies')
    .set({ steps: JSON.stringify(steps) })
    .where('id', '=', id)
    .execute()
}

/** Allocates ids for new steps and actions. */
export async function newPartIds(db: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval('auto_reply_parts') as id from generate_series(1, ${count}::int)`.execute(db)
  return rows.map(({ id }) => Number(id))
}

/** Returns the auto reply that contains a step or action; undefined if there is none. */
export async function replyOfPart(db: Queryable, kind: 'step' | 'action', id: number): Promise<number | undefined> {
  const path = kind === 'step' ? '$[*].id' : '$[*].actions[*].id'
  const { rows } = await sql<{ id: number }>`
    select id from auto_replies where jsonb_path_exists(steps, (${path} || ' ? (@ == $id)')::jsonpath, jsonb_build_object('id', ${id}::bigint))`.execute(
    db,
  )
  return rows[0]?.id
}

/** Returns the compiled flow of an auto reply; undefined before its first save, and after its conversion. */
export const compiledFlow = (db: Queryable, replyId: number) =>
  db
    .selectFrom('chat_flows')
    .select(['id', 'published_version as version'])
    .where('auto_reply_id', '=', replyId)
    .where('is_deleted', '=', false)
    .executeTakeFirst()

/** Returns the number of conversations that auto replies attend, up to 1,000 each; those without any are missing. */
export async function attendedBy(db: Queryable, replyIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`
    select f.auto_reply_id as id, (select count(*) from (
      select from tickets t where t.tenant_id = f.tenant_id and t.chat_flow_id = f.id and t.status = 'pending' limit 1000) n)::int as n
    from chat_flows f where f.auto_reply_id = any(${[...replyIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** Converts an auto reply's flow to a regular one, active or not. */
export async function handOverFlow(db: Tx, id: number, isActive: boolean, now: Date): Promise<void> {
  await db
    .updateTable('chat_flows')
    .set({ auto_reply_id: null, is_active: isActive, updated_at: now })
    .where('id', '=', id)
    .execute()
}

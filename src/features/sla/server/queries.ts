import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { slaTable } from '../table.ts'

/** Tables of the records in a policy's conditions. */
export const NAMED = {
  queueIds: ['queues', 'queue'],
  connectionIds: ['connections', 'name'],
  tagIds: ['tags', 'tag'],
  walletIds: ['users', 'name'],
} as const

/** Ids in a policy's conditions. */
export type Conditions = { [K in keyof typeof NAMED]: number[] }

/** Row of a policy. */
export type SlaRecord = Conditions & {
  id: number
  name: string
  isActive: boolean
  position: number
  firstMinutes: number | null
  nextMinutes: number | null
  solutionMinutes: number | null
  warnPercent: number
  createdAt: Date
  updatedAt: Date
}

/** Table access to policies. */
export const slaRows = tableOf<SlaRecord>(slaTable, [
  sql`queue_ids as "queueIds"`,
  sql`connection_ids as "connectionIds"`,
  sql`tag_ids as "tagIds"`,
  sql`wallet_ids as "walletIds"`,
])

/** Writes the conditions of a policy. */
export async function saveConditions(db: Tx, id: number, conditions: Conditions): Promise<void> {
  await db
    .updateTable('sla_policies')
    .set({
      queue_ids: conditions.queueIds,
      connection_ids: conditions.connectionIds,
      tag_ids: conditions.tagIds,
      wallet_ids: conditions.walletIds,
    })
    .where('id', '=', id)
    .execute()
}

/** Returns the names of existing records, by id. */
export async function namesOf(
  db: Queryable,
  [table, name]: (typeof NAMED)[keyof Conditions],
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${sql.ref(name)} as name from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Replaces a merged tag in policies. */
export async function mergeTagsOfPolicies({ db }: Ctx, from: number, into: number): Promise<void> {
  await sql`update sla_policies set tag_ids = array_append(array_remove(array_remove(tag_ids, ${into}::bigint), ${from}::bigint), ${into}::bigint)
    where tenant_id = app.tenant() and ${from}::bigint = any(tag_ids)`.execute(db)
}

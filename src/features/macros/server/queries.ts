import { type SqlBool, sql } from 'kysely'
import type { Named } from '#domain/actions/actions.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { macroTable } from '../table.ts'

/** Row of a macro, with the name of its queue. */
export type MacroRecord = {
  id: number
  name: string
  color: string
  audience: 'person' | 'queue' | 'company'
  queueId: number | null
  queue: string | null
  actions: unknown
  createdAt: Date
  updatedAt: Date
}

/** Table access to macros. */
export const macroRows = tableOf<MacroRecord>(macroTable, [
  sql`queue_id as "queueId"`,
  sql`actions`,
  sql`(select q.queue from queues q where q.tenant_id = macros.tenant_id and q.id = macros.queue_id) as queue`,
])

/** Reader of macros; leads see those of every queue. */
export type MacroReader = { readonly id: number; readonly queueIds: readonly number[]; readonly isLead: boolean }

/** SQL filter for macros that a user may use: the company's, those of their queues, their own. */
export const seenBy = ({ id, queueIds, isLead }: MacroReader) => sql<SqlBool>`(audience = 'company'
  or audience = 'person' and user_id = ${id}
  or audience = 'queue' and (${isLead}::boolean or queue_id = any(${[...queueIds]}::bigint[])))`

/** Stores a macro's audience and actions. */
export async function saveMacro(
  db: Tx,
  id: number,
  { queueId, userId, actions }: { queueId: number | null; userId: number; actions: unknown },
): Promise<void> {
  await db
    .updateTable('macros')
    .set({ queue_id: queueId, user_id: userId, actions: JSON.stringify(actions) })
    .where('id', '=', id)
    .execute()
}

/** Deletes the own macros of a user who leaves; shared ones remain without owner. */
export async function forgetMacros(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('macros').where('user_id', '=', id).where('audience', '=', 'person').execute()
  await db.updateTable('macros').set({ user_id: null }).where('user_id', '=', id).execute()
}

/** Returns the names of records in macros by kind; deleted or inactive ones are missing. */
export async function namesOf(
  db: Queryable,
  { tag, queue, user, stage, pipelineStage, reason }: Named,
): Promise<Record<keyof Named, Map<number, string>>> {
  const those = async (rows: Promise<{ id: number; name: string }[]>) =>
    new Map((await rows).map(({ id, name }) => [id, name]))
  const some = (ids: readonly number[]) => [...new Set([0, ...ids])]
  return {
    tag: await those(db.selectFrom('tags').select(['id', 'tag as name']).where('id', 'in', some(tag)).execute()),
    queue: await those(
      db
        .selectFrom('queues')
        .select(['id', 'queue as name'])
        .where('id', 'in', some(queue))
        .where('is_active', '=', true)
        .execute(),
    ),
    user: await those(
      db
        .selectFrom('users')
        .select(['id', 'name'])
        .where('id', 'in', some(user))
        .where('is_active', '=', true)
        .execute(),
    ),
    stage: await those(db.selectFrom('stages').select(['id', 'name']).where('id', 'in', some(stage)).execute()),
    pipelineStage: await those(
      db.selectFrom('pipeline_stages').select(['id', 'name']).where('id', 'in', some(pipelineStage)).execute(),
    ),
    reason: await those(
      db
        .selectFrom('reasons')
        .select(['id', 'name'])
        .where('id', 'in', some(reason))
        .where('is_active', '=', true)
        .execute(),
    ),
  }
}

import { type SqlBool, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** File that flows send. */
export type FlowFile = { id: string; name: string; mime: string; size: number }

const files = (db: Queryable) =>
  db
    .selectFrom('files as f')
    .select(['f.id', 'f.name', 'f.mime', 'f.size'])
    .where(sql<SqlBool>`exists (select from flow_files h where h.tenant_id = f.tenant_id and h.file_id = f.id)`)

/** Returns which of the files belong to a flow of the company, in any version. */
export const findFlowFiles = async (db: Queryable, ids: readonly string[]): Promise<FlowFile[]> =>
  ids.length === 0
    ? []
    : files(db)
        .where(sql<SqlBool>`f.id = any(${[...ids]}::uuid[])`)
        .execute()

/** Links files to a flow, so that they exist as long as it does. */
export async function linkFiles(db: Tx, flowId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`insert into flow_files (tenant_id, chat_flow_id, file_id)
    select app.tenant(), ${flowId}, unnest(${[...ids]}::uuid[]) on conflict do nothing`.execute(db)
}

import { sql } from 'kysely'
import type { Tx } from './db.ts'

/** Records a job of the installation itself (tenant 0 stands in its payload), in a transaction of the platform. */
export async function addPlatformJob(db: Tx, task: string, payload: object): Promise<void> {
  const json = JSON.stringify({ ...payload, tenantId: 0 })
  await sql`select app.add_job(${task}, ${json}::json)`.execute(db)
}

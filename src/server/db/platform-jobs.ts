import { sql } from 'kysely'
import type { z } from 'zod'
import type { Job } from '../job.ts'
import type { Tx } from './db.ts'

/** Enqueues a job of the installation (tenant 0), in a transaction of the platform. */
export async function addPlatformJob<S extends z.ZodObject>(db: Tx, job: Job<S>, payload: z.input<S>): Promise<void> {
  const json = JSON.stringify({ ...payload, tenantId: 0 })
  await sql`select app.add_job(${job.name}, ${json}::json)`.execute(db)
}

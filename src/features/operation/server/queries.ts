import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { JobQueue } from '../contract.ts'

type Kind = Omit<JobQueue, 'oldest'> & { readonly oldest: Date | null }

/** Returns the job counts by kind; requires platform database access. */
export async function listJobKinds(db: Queryable): Promise<Kind[]> {
  const { rows } = await sql<Kind>`
    select name as "queueName", failed as "failedCount", active as "activeCount", waiting as "waitingCount",
      later as "laterCount", oldest
    from app.job_kinds()`.execute(db)
  return rows
}

/** Retries failed jobs of a kind; returns their number; requires platform database access. */
export async function retryFailedJobs(db: Tx, kind: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select app.retry_failed_jobs(${kind}, ${most}) as n`.execute(db)
  return firstOf(rows).n
}

/** Returns the applied migrations, newest first; requires platform database access. */
export async function listApplied(db: Queryable): Promise<{ name: string; at: Date }[]> {
  const { rows } = await sql<{
    name: string
    at: Date
  }>`select name, at from schema_migrations order by at desc, name desc`.execute(db)
  return rows
}

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

/** Returns version, size in bytes, and connections of the database; requires platform database access. */
export async function readDatabase(
  db: Queryable,
): Promise<{ version: string; size: number; connections: number; maxConnections: number }> {
  const { rows } = await sql<{ version: string; size: string; connections: number; maxConnections: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "maxConnections"`.execute(db)
  const row = firstOf(rows)
  return { ...row, size: Number(row.size) }
}

/** Returns the applied migrations, newest first; requires platform database access. */
export async function listApplied(db: Queryable): Promise<{ name: string; at: Date }[]> {
  const { rows } = await sql<{
    name: string
    at: Date
  }>`select name, at from schema_migrations order by at desc, name desc`.execute(db)
  return rows
}

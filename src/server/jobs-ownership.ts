import type pg from 'pg'
import { OWNER_LOCK } from './db/ownership.ts'

/** So many deaths of whoever had a job count as no try of it: most die for another reason. More may be its own doing. */
const FREE_DEATHS = 20

/**
 * Releases the jobs of all workers that own nothing any more, in one statement; answers how many workers those were. How often
 * that happened to a job stands in its `flags`.
 */
export async function releaseDeadWorkers(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ workers: number }>(
    `with owners as (select locked_by as id from graphile_worker._private_jobs where locked_by is not null
        union select locked_by from graphile_worker._private_job_queues where locked_by is not null),
      dead as materialized (select array_agg(id) as ids from owners where pg_try_advisory_xact_lock(hashtextextended(id, $1))),
      died as materialized (select j.id, coalesce((j.flags ->> 'deaths')::int, 0) + 1 as deaths
        from dead, graphile_worker._private_jobs j where j.locked_by = any(dead.ids)),
      jobs as (update graphile_worker._private_jobs j set locked_by = null, locked_at = null,
          attempts = j.attempts - (died.deaths <= $2)::int,
          flags = coalesce(j.flags, '{}') || jsonb_build_object('deaths', died.deaths)
        from dead, died where j.id = died.id and j.locked_by = any(dead.ids)),
      queues as (update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
        from dead where q.locked_by = any(dead.ids))
    select cardinality(ids) as workers from dead where ids is not null`,
    [OWNER_LOCK, FREE_DEATHS],
  )
  return rows[0]?.workers ?? 0
}

/**
 * Takes finished jobs out of the queue; answers of each whether it was this worker's still. What belongs to another one by
 * now has that one's outcome; the queue's own way does not ask whose it is.
 */
export async function completeJobs(pool: pg.Pool, worker: string, ids: readonly string[]): Promise<boolean[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'complete jobs',
    text: `with job as (delete from graphile_worker._private_jobs where id = any($1::bigint[]) and locked_by = $2 returning id, job_queue_id),
      queue as (update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
        from job where q.id = job.job_queue_id and q.locked_by = $2)
    select id from job`,
    values: [ids, worker],
  })
  const completed = new Set(rows.map(({ id }) => String(id)))
  return ids.map((id) => completed.has(String(id)))
}

/** Gives back a job that a worker could not do because it had lost its jobs: the next one has it at once, and no try is counted. */
export async function returnJob(pool: pg.Pool, worker: string, id: string): Promise<void> {
  await pool.query(
    `with job as (update graphile_worker._private_jobs set locked_by = null, locked_at = null, attempts = attempts - 1
        where id = $1 and locked_by = $2 returning job_queue_id)
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
      from job where q.id = job.job_queue_id and q.locked_by = $2`,
    [id, worker],
  )
}

/** Puts the next try of a job off, of which the queue will add its own delay of eⁿ seconds; takes back a try that is not counted. */
export async function postponeJob(
  pool: pg.Pool,
  worker: string,
  id: string,
  seconds: number,
  isCounted: boolean,
): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set attempts = attempts - $4::int,
        run_at = now() + make_interval(secs => $3 - exp(least(attempts - $4::int, 10)))
      where id = $1 and locked_by = $2 and attempts - $4::int < max_attempts`,
    [id, worker, seconds, isCounted ? 0 : 1],
  )
}

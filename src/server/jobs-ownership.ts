import type pg from 'pg'
import { itemAt, lastOf } from '#domain/present.ts'
import { OWNER_LOCK } from './db/ownership.ts'

/** Number of a worker's deaths that do not count as attempts of its jobs: most have another cause. */
const FREE_DEATHS = 20
/** Number of processes that may die while a job is their only work, before it is put aside. */
const MOST_DEATHS_ALONE = 3
const DIED = 'O processo terminou três vezes enquanto trabalhava só nesta tarefa.'

// The history of a job is stored in its `flags`: number of deaths (`deaths`), a death since it last ended (`died`), its
// nth run alone (`alone<n>`), and being put aside (`aside`), which neither upkeep nor enqueueing it again changes.
const ALONE = Array.from({ length: MOST_DEATHS_ALONE }, (_, n) => `alone${n + 1}`)

/** Whether a process has died with this job since it last ran to an end: it runs alone next time. */
export const hasDied = (flags: object | null): boolean => flags !== null && 'died' in flags

/** Whether one more death of a process that does this job alone puts it aside. */
export const isLastChance = (flags: object | null): boolean =>
  hasDied(flags) && flags !== null && itemAt(ALONE, MOST_DEATHS_ALONE - 2) in flags

/** Counts that a job is about to be the only work of this process. */
export async function countAlone(pool: pg.Pool, worker: string, id: string, flags: object | null): Promise<void> {
  const next = ALONE.find((name) => flags === null || !(name in flags)) ?? lastOf(ALONE)
  await pool.query(
    'update graphile_worker._private_jobs set flags = flags || jsonb_build_object($3::text, true) where id = $1 and locked_by = $2',
    [id, worker, next],
  )
}

/** Restores a job's earlier `flags`, because other work runs beside it now. */
export async function takeBackAlone(pool: pg.Pool, worker: string, id: string, flags: object | null): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set flags = $3 where id = $1 and locked_by = $2', [
    id,
    worker,
    flags,
  ])
}

/**
 * Releases the jobs of all dead workers in one statement, and puts aside those that were the only work of too many; returns
 * the number of dead workers.
 */
export async function releaseDeadWorkers(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ workers: number }>(
    `with owners as (select locked_by as id from graphile_worker._private_jobs where locked_by is not null
        union select locked_by from graphile_worker._private_job_queues where locked_by is not null),
      dead as materialized (select array_agg(id) as ids from owners where pg_try_advisory_xact_lock(hashtextextended(id, $1))),
      died as materialized (select j.id, coalesce((j.flags ->> 'deaths')::int, 0) + 1 as deaths,
          coalesce(j.flags ? $3, false) as aside
        from dead, graphile_worker._private_jobs j where j.locked_by = any(dead.ids)),
      jobs as (update graphile_worker._private_jobs j set locked_by = null, locked_at = null,
          attempts = case when died.aside then j.max_attempts else j.attempts - (died.deaths <= $2)::int end,
          last_error = case when died.aside then $4 else j.last_error end,
          flags = coalesce(j.flags, '{}') || jsonb_build_object('deaths', died.deaths, 'died', true)
            || case when died.aside then '{"aside": true}'::jsonb else '{}' end
        from dead, died where j.id = died.id and j.locked_by = any(dead.ids)),
      queues as (update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
        from dead where q.locked_by = any(dead.ids))
    select cardinality(ids) as workers from dead where ids is not null`,
    [OWNER_LOCK, FREE_DEATHS, ALONE.at(-1), DIED],
  )
  return rows[0]?.workers ?? 0
}

/**
 * Removes finished jobs from the queue; returns for each whether this worker still owned it. A job that another worker owns
 * by now gets that worker's outcome; the queue's own function does not check the owner.
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

/**
 * Returns a job to the queue that a worker could not do because it had lost its jobs: the next worker gets it immediately,
 * and no attempt is counted.
 */
export async function returnJob(pool: pg.Pool, worker: string, id: string): Promise<void> {
  await pool.query(
    `with job as (update graphile_worker._private_jobs set locked_by = null, locked_at = null, attempts = attempts - 1
        where id = $1 and locked_by = $2 returning job_queue_id)
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
      from job where q.id = job.job_queue_id and q.locked_by = $2`,
    [id, worker],
  )
}

/**
 * Postpones the next attempt of a job (the queue adds its own eⁿ seconds) and uncounts an attempt that must not count. A job
 * that reached its end did not kill its process.
 */
export async function postponeJob(
  pool: pg.Pool,
  worker: string,
  id: string,
  seconds: number,
  isCounted: boolean,
): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set attempts = attempts - $4::int, flags = flags - $5::text[],
        run_at = now() + make_interval(secs => $3 - exp(least(attempts - $4::int, 10)))
      where id = $1 and locked_by = $2 and attempts - $4::int < max_attempts`,
    [id, worker, seconds, isCounted ? 0 : 1, ['died', ...ALONE]],
  )
}

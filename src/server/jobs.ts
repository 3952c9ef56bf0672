import { Logger, type Runner, run } from 'graphile-worker'
import pg from 'pg'
import { isInfrastructure } from './db/faults.ts'
import type { Log } from './log.ts'
import type { Platform } from './platform.ts'

/** What every job's payload carries; the rest is the task's own. */
export type JobPayload = { tenantId: number } & Record<string, unknown>

/** One kind of job: what to do with its payload, which names the tenant (decision B17). */
export type JobDefinition = {
  readonly task: string
  /**
   * `attempt` counts from 1. A throw is tried again after 5 s · 4ⁿ with jitter, five times in all; then the job stays,
   * visibly failed. An infrastructure error is tried again after 5 s and not counted.
   */
  run(platform: Platform, payload: JobPayload, attempt: number): Promise<void>
}

/** Starts working on the queue; answers how to stop (running jobs end first). */
export async function startJobs(
  platform: Platform,
  definitions: readonly JobDefinition[],
  workerUrl: string,
): Promise<() => Promise<void>> {
  const { log } = platform
  const pool = new pg.Pool({ connectionString: workerUrl, max: 10, application_name: 'guiche worker' })
  const lost = (err: Error) => log.warn({ err }, 'job connection lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  // Holds one advisory lock per worker of this process: whoever finds it free knows that the worker is dead.
  const holder = new pg.Client({ connectionString: workerUrl, application_name: 'guiche worker alive' })
  holder.on('error', lost)
  await holder.connect()
  await freeJobsOfDeadWorkers(holder, log)
  const runner: Runner = await run({
    pgPool: pool,
    concurrency: 8,
    pollInterval: 1000,
    noHandleSignals: true,
    // Its sentences quote errors, which may quote data.
    logger: new Logger(() => (level, _message, meta) => {
      if (level !== 'error' && level !== 'warning') return
      const { job, error } = (meta ?? {}) as { job?: { id: string; task_identifier: string }; error?: unknown }
      log.warn({ queue: level, jobId: job?.id, task: job?.task_identifier, err: error }, 'job queue')
    }),
    taskList: Object.fromEntries(
      definitions.map((definition) => [
        definition.task,
        (payload, { job }) => definition.run(platform, payload as JobPayload, job.attempts),
      ]),
    ),
  })
  runner.events.on('worker:create', ({ worker }) => {
    holder.query('select pg_advisory_lock(hashtextextended($1, 7))', [worker.workerId]).catch(lost)
  })
  runner.events.on('job:complete', ({ job, error }) => {
    if (!error) return
    const counts = isInfrastructure(error) ? 0 : 1
    const seconds = 5 * 4 ** (counts * (job.attempts - 1)) * (0.8 + Math.random() * 0.4)
    pool
      .query(
        `update graphile_worker._private_jobs set run_at = now() + make_interval(secs => $2), attempts = attempts - 1 + $3
         where id = $1 and attempts - 1 + $3 < max_attempts`,
        [job.id, seconds, counts],
      )
      .catch(lost)
  })
  return async () => {
    await runner.stop()
    await holder.end()
    await pool.end()
  }
}

// A killed process leaves its jobs locked; what a dead worker held is worked on again.
async function freeJobsOfDeadWorkers(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ id: string }>(`
    with holders as (select distinct locked_by as id from graphile_worker._private_jobs where locked_by is not null
      union select locked_by from graphile_worker._private_job_queues where locked_by is not null)
    select id from holders where pg_try_advisory_lock(hashtextextended(id, 7))`)
  if (rows.length === 0) return
  await client.query('select graphile_worker.force_unlock_workers($1::text[])', [rows.map((row) => row.id)])
  await client.query('select pg_advisory_unlock_all()')
  log.warn({ workers: rows.length }, 'jobs of a stopped process are taken up again')
}

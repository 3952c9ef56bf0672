import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'

/** Waiting jobs, as rows without the queue's numbering. A running job is written as if it had not begun. */
export const JOBS = `
  select t.identifier, q.queue_name, j.payload::text, j.priority, j.run_at,
    case when j.locked_at is null then j.attempts else greatest(j.attempts - 1, 0) end as attempts,
    j.max_attempts, j.last_error, j.created_at, j.key, j.flags::text
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by j.id`

/** Replaces the queue's content with such rows, in their order, in this version's format. */
export async function loadJobs(client: pg.Client, data: AsyncIterable<Buffer>): Promise<void> {
  await client.query(`
    create temporary table restored_jobs (n bigint generated always as identity, identifier text, queue_name text, payload json,
      priority int2, run_at timestamptz, attempts int2, max_attempts int2, last_error text, created_at timestamptz, key text,
      flags jsonb) on commit drop`)
  const columns =
    'identifier, queue_name, payload, priority, run_at, attempts, max_attempts, last_error, created_at, key, flags'
  await pipeline(Readable.from(data), client.query(from(`copy restored_jobs (${columns}) from stdin`)))
  await client.query(`
    delete from graphile_worker._private_jobs;
    insert into graphile_worker._private_tasks (identifier) select distinct identifier from restored_jobs
      on conflict do nothing;
    insert into graphile_worker._private_job_queues (queue_name) select distinct queue_name from restored_jobs
      where queue_name is not null on conflict do nothing;
    insert into graphile_worker._private_jobs
        (task_id, job_queue_id, payload, priority, run_at, attempts, max_attempts, last_error, created_at, key, flags)
      select t.id, q.id, r.payload, r.priority, r.run_at, r.attempts, r.max_attempts, r.last_error, r.created_at, r.key, r.flags
      from restored_jobs r join graphile_worker._private_tasks t using (identifier)
        left join graphile_worker._private_job_queues q using (queue_name) order by r.n`)
}

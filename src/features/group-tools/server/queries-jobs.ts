import { sql } from 'kysely'
import type { GroupItemState, GroupJobKind, GroupJobStatus, NumberOutcome } from '#domain/groups/tools.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Parameters of a job by its kind: the text to write, or the numbers. */
export type JobParams = {
  readonly text?: string
  readonly isOn?: boolean
  readonly numbers?: readonly string[]
}

/** Row of a job with its progress. */
export type StoredJob = {
  readonly id: number
  readonly kind: GroupJobKind
  readonly connectionId: number
  readonly connectionName: string
  readonly params: JobParams
  readonly status: GroupJobStatus
  readonly reason: string
  readonly userId: number | null
  readonly userName: string | null
  readonly counts: Partial<Record<GroupItemState, number>>
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

const jobs = sql`
  select j.id, j.kind, j.connection_id as "connectionId", c.name as "connectionName", j.params, j.status, j.reason,
    j.user_id as "userId", u.name as "userName", j.created_at as "createdAt", j.finished_at as "finishedAt",
    (select coalesce(jsonb_object_agg(state, n), '{}') from (select i.state, count(*)::int as n from group_job_items i
      where i.tenant_id = j.tenant_id and i.job_id = j.id group by i.state) counted) as counts
  from group_jobs j join connections c on c.tenant_id = j.tenant_id and c.id = j.connection_id
  left join users u on u.tenant_id = j.tenant_id and u.id = j.user_id`

const listed = (kinds: readonly string[] | null) =>
  sql`j.tenant_id = app.tenant() and (${kinds === null} or j.kind = any(${[...(kinds ?? [])]}::text[]))`

/** Returns a page of jobs, newest first. */
export async function listJobs(
  db: Queryable,
  kinds: readonly string[] | null,
  { after, offset, limit }: PageStart<readonly [number]>,
): Promise<StoredJob[]> {
  const { rows } = await sql<StoredJob>`${jobs} where ${listed(kinds)}
    and (${after?.[0] ?? null}::bigint is null or j.id < ${after?.[0] ?? null})
    order by j.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts jobs, up to `most`. */
export async function countJobs(db: Queryable, kinds: readonly string[] | null, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from group_jobs j where ${listed(kinds)} limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/** Finds one job. */
export async function findJob(db: Queryable, id: number): Promise<StoredJob | undefined> {
  const { rows } = await sql<StoredJob>`${jobs} where j.tenant_id = app.tenant() and j.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a job; returns its status. */
export async function lockJob(db: Tx, id: number): Promise<GroupJobStatus | undefined> {
  const { rows } = await sql<{ status: GroupJobStatus }>`
    select status from group_jobs where tenant_id = app.tenant() and id = ${id} for no key update`.execute(db)
  return rows[0]?.status
}

/** Stores a job with its groups; returns its id. */
export async function insertJob(
  db: Tx,
  job: {
    readonly kind: GroupJobKind
    readonly connectionId: number
    readonly params: JobParams
    readonly fileId?: string | null
    readonly userId: number
    readonly groups: readonly { readonly key: string; readonly name: string }[]
  },
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into group_jobs (tenant_id, kind, connection_id, params, file_id, user_id, created_at)
    values (app.tenant(), ${job.kind}, ${job.connectionId}, ${JSON.stringify(job.params)}::jsonb, ${job.fileId ?? null},
      ${job.userId}, ${now}) returning id`.execute(db)
  const { id } = firstOf(rows)
  await sql`
    insert into group_job_items (tenant_id, job_id, key, name)
    select app.tenant(), ${id}, g.key, g.name from jsonb_to_recordset(${JSON.stringify(job.groups)}::jsonb) as g (key text, name text)`.execute(
    db,
  )
  return id
}

/** Updates a job. */
export async function updateJob(
  db: Tx,
  id: number,
  values: { status?: GroupJobStatus; reason?: string; finished_at?: Date | null; waits_until?: Date | null },
): Promise<void> {
  await db.updateTable('group_jobs').set(values).where('id', '=', id).execute()
}

/** Row of a job's group with its result. */
export type StoredItem = {
  readonly id: number
  readonly groupId: string
  readonly name: string
  readonly state: GroupItemState
  readonly reason: string
  readonly at: Date | null
}

const ofJob = (jobId: number, states: readonly string[] | null) => sql`tenant_id = app.tenant() and job_id = ${jobId}
  and (${states === null} or state = any(${[...(states ?? [])]}::text[]))`

/** Returns a page of a job's groups, in order. */
export async function listItems(
  db: Queryable,
  jobId: number,
  states: readonly string[] | null,
  { after, offset, limit }: PageStart<readonly [number]>,
): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`
    select id, key as "groupId", name, state, reason, done_at as at from group_job_items where ${ofJob(jobId, states)}
      and id > ${after?.[0] ?? 0} order by id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the groups of a job, up to `most`. */
export async function countItems(
  db: Queryable,
  jobId: number,
  states: readonly string[] | null,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n
    from (select from group_job_items where ${ofJob(jobId, states)} limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/** Skips the groups of a job that were not changed yet. */
export async function skipWaiting(db: Tx, jobId: number, reason: string, now: Date): Promise<void> {
  await sql`update group_job_items set state = 'skipped', reason = ${reason}, done_at = ${now}
    where tenant_id = app.tenant() and job_id = ${jobId} and state = 'waiting'`.execute(db)
}

/** Resets the failed groups of a job to waiting; returns their number. */
export async function retryFailed(db: Tx, jobId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update group_job_items set state = 'waiting', reason = '', outcomes = '[]', done_at = null
    where tenant_id = app.tenant() and job_id = ${jobId} and state in ('failed', 'partial')`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Next group to change on a connection. */
export type NextItem = {
  readonly id: number
  readonly jobId: number
  readonly kind: GroupJobKind
  readonly params: JobParams
  readonly filePath: string | null
  readonly key: string
  readonly name: string
  readonly state: 'waiting' | 'doing'
  readonly waitsUntil: Date | null
}

/** Returns the next group of a connection's jobs in order, locked; those of a dead process come first. */
export async function nextItem(db: Tx, connectionId: number): Promise<NextItem | undefined> {
  const { rows } = await sql<NextItem>`
    select i.id, i.job_id as "jobId", j.kind, j.params, i.key, i.name, i.state, j.waits_until as "waitsUntil",
      (select f.path from files f where f.tenant_id = j.tenant_id and f.id = j.file_id) as "filePath"
    from group_jobs j join group_job_items i on i.tenant_id = j.tenant_id and i.job_id = j.id and i.state in ('waiting', 'doing')
    where j.tenant_id = app.tenant() and j.connection_id = ${connectionId} and j.status = 'processing'
    order by j.id, i.state, i.id limit 1 for no key update of i`.execute(db)
  return rows[0]
}

/** Updates a group of a job. */
export async function updateItem(
  db: Tx,
  id: number,
  values: {
    state: GroupItemState
    reason?: string
    key?: string
    outcomes?: readonly NumberOutcome[]
    done_at?: Date | null
  },
): Promise<void> {
  const { outcomes, ...rest } = values
  await db
    .updateTable('group_job_items')
    .set({ ...rest, ...(outcomes ? { outcomes: JSON.stringify(outcomes) } : {}) })
    .where('id', '=', id)
    .execute()
}

/** Completes a job without remaining groups; returns whether it did. */
export async function finishIfDone(db: Tx, jobId: number, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update group_jobs j set status = 'completed', reason = '', finished_at = ${now}
    where j.tenant_id = app.tenant() and j.id = ${jobId} and j.status in ('processing', 'paused') and not exists (
      select from group_job_items i where i.tenant_id = j.tenant_id and i.job_id = j.id and i.state in ('waiting', 'doing'))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}

/** Locks a connection's lane for group changes; returns the time of its number's last change. */
export async function lockLane(db: Tx, connectionId: number): Promise<Date | null> {
  await sql`insert into group_lanes (tenant_id, connection_id, acted_at) values (app.tenant(), ${connectionId}, to_timestamp(0))
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ at: Date }>`select acted_at as at from group_lanes
    where tenant_id = app.tenant() and connection_id = ${connectionId} for update`.execute(db)
  return firstOf(rows).at.getTime() === 0 ? null : firstOf(rows).at
}

/** Records that a connection's number changes a group now. */
export async function moveLane(db: Tx, connectionId: number, now: Date): Promise<void> {
  await db.updateTable('group_lanes').set({ acted_at: now }).where('connection_id', '=', connectionId).execute()
}

/** Returns connections with active jobs that may have been abandoned; requires platform database access. */
export async function connectionsAtWork(
  db: Queryable,
  before: Date,
): Promise<{ tenantId: number; connectionId: number }[]> {
  const { rows } = await sql<{ tenantId: number; connectionId: number }>`
    select distinct j.tenant_id as "tenantId", j.connection_id as "connectionId" from group_jobs j
    left join group_lanes l on l.tenant_id = j.tenant_id and l.connection_id = j.connection_id
    where j.status = 'processing' and j.created_at < ${before} and (l.acted_at is null or l.acted_at < ${before})
      and (j.waits_until is null or j.waits_until < ${before})`.execute(db)
  return rows
}

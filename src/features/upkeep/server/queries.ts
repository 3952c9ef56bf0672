import { type RawBuilder, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { uuidv7 } from '#server/ids.ts'

/** Deletes at most `most` rows that are older than a time, and answers how many; fewer than `most`: that was all. */
export type Removal = (db: Tx, before: Date, most: number) => Promise<number>

/** The same for one company; as the platform, because the application may not forget what happened to a message. */
export type CompanyRemoval = (db: Tx, before: Date, most: number, tenantId: number) => Promise<number>

const amountOf = async (db: Queryable, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n)

/** Every company. */
export async function listTenants(db: Tx): Promise<number[]> {
  return (await db.selectFrom('tenants').select('id').orderBy('id').execute()).map(({ id }) => id)
}

/** Processed events, never one that was put aside; their ids are in the order of time. Whoever repeats one so late is known by the message's own id. */
export const removeJournal: CompanyRemoval = (db, before, most, tenantId) =>
  amountOf(
    db,
    sql`delete from journal where tenant_id = ${tenantId} and id in (
      select id from journal where tenant_id = ${tenantId} and id < ${uuidv7(before.getTime())}::uuid and processed_at < ${before} and set_aside_at is null order by id limit ${most})`,
  )

/** Steps of messages: the first of them are the oldest, so that nothing behind a young one is looked at. */
export const removeTrail: CompanyRemoval = (db, before, most, tenantId) =>
  amountOf(
    db,
    sql`delete from message_trail where tenant_id = ${tenantId} and at < ${before} and id in (
      select id from message_trail where tenant_id = ${tenantId} order by id limit ${most})`,
  )

/** The beginning of the changes feed; who comes from before it reads everything again. */
export const removeChanges: CompanyRemoval = (db, before, most, tenantId) =>
  amountOf(
    db,
    sql`delete from changes where tenant_id = ${tenantId} and at < ${before} and seq in (
      select seq from changes where tenant_id = ${tenantId} order by seq limit ${most})`,
  )

/** Answers that were kept for repeated requests. */
export const removeIdempotencyKeys: CompanyRemoval = (db, before, most, tenantId) =>
  amountOf(
    db,
    sql`delete from idempotency_keys where tenant_id = ${tenantId} and (user_id, key) in (
      select user_id, key from idempotency_keys where tenant_id = ${tenantId} and created_at < ${before} limit ${most})`,
  )

/** Sessions that were ended, or ended by themselves. */
export const removeSessions: CompanyRemoval = (db, before, most, tenantId) =>
  amountOf(
    db,
    sql`delete from sessions where tenant_id = ${tenantId} and id in (
      select id from sessions where tenant_id = ${tenantId} and least(revoked_at, expires_at) < ${before} limit ${most})`,
  )

/** Keys of the directory that are over, of every company: refresh tokens, invitations, codes, challenges. */
export const removeKeys: Removal = (db, before, most) =>
  amountOf(
    db,
    sql`delete from directory where (kind, key_hash) in (
      select kind, key_hash from directory where expires_at < ${before} order by expires_at limit ${most})`,
  )

/** Shared counters that are over. */
export const removeLimits: Removal = (db, before, most) =>
  amountOf(
    db,
    sql`delete from rate_limits where key in (
      select key from rate_limits where expire < ${before.getTime()} order by expire limit ${most})`,
  )

/** Jobs that failed for good; the queue itself forgets those that succeeded. */
export const removeJobs: Removal = async (db, before, most) =>
  (await sql<{ amount: number }>`select app.forget_jobs(${before}::timestamptz, ${most}) as amount`.execute(db))
    .rows[0]!.amount

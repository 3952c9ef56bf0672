import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import { present } from '#domain/present.ts'
import type { Attendee, RemoteEvent } from '#providers/calendars/port.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

type Columns = Omit<Selectable<DB['calendar_events']>, 'tenant_id' | 'attendees' | 'theirs'>

/** Row of an event. */
export type EventRow = Columns & { readonly attendees: readonly Attendee[]; readonly theirs: Theirs | null }

/** Provider's version of an event that was changed there too; null: deleted. */
export type Theirs = { readonly event: RemoteEvent | null }

type Change = Omit<Updateable<DB['calendar_events']>, 'tenant_id' | 'id' | 'attendees' | 'theirs'> & {
  readonly attendees?: readonly Attendee[]
  readonly theirs?: Theirs | null
}

const columns = [
  ...(['id', 'account_id', 'remote_id', 'etag', 'round', 'starts_at', 'ends_at'] as const),
  ...(['summary', 'description', 'location', 'attendees', 'reminder_minutes', 'has_meet', 'meet_url', 'url'] as const),
  ...(['is_private', 'is_recurring', 'is_editable', 'wanted', 'notifies', 'stamp', 'known_stamp', 'push_at'] as const),
  ...(['tries', 'problem', 'theirs', 'user_id', 'created_at', 'updated_at'] as const),
  sql<string | null>`first_day::text`.as('first_day'),
  sql<string | null>`last_day::text`.as('last_day'),
] as const

/** Returns events that overlap a period, earliest first, after a start and id (`after`); without those to be removed. */
export async function listEvents(
  db: Queryable,
  of: {
    readonly accountId?: number | undefined
    readonly from: Date
    readonly to: Date
    readonly after?: readonly [Date, string] | null
    readonly limit: number
  },
): Promise<EventRow[]> {
  const { accountId, from, to, after, limit } = of
  const rows = await db
    .selectFrom('calendar_events')
    .select(columns)
    .where('starts_at', '<', to)
    .where(sql<boolean>`(ends_at > ${from} or starts_at >= ${from})`)
    // Events of many days may have begun long before: at most as long as one may last.
    .where('starts_at', '>=', new Date(from.getTime() - LONGEST_MS))
    .where(sql<boolean>`wanted is distinct from 'remove'`)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .$if(after != null, (query) =>
      query.where(sql<boolean>`(starts_at, id) > (${present(after)[0]}, ${present(after)[1]}::uuid)`),
    )
    .orderBy('starts_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows as unknown as EventRow[]
}

const LONGEST_MS = 367 * 86_400_000

/** Finds an event. */
export const findEvent = (db: Queryable, id: string): Promise<EventRow | undefined> =>
  db.selectFrom('calendar_events').select(columns).where('id', '=', id).executeTakeFirst() as Promise<
    EventRow | undefined
  >

/** Finds an event, locked until the transaction ends. */
export const lockEvent = (db: Tx, id: string): Promise<EventRow | undefined> =>
  db.selectFrom('calendar_events').select(columns).where('id', '=', id).forUpdate().executeTakeFirst() as Promise<
    EventRow | undefined
  >

/** Inserts an event; returns false if its id exists. */
export async function insertEvent(
  db: Tx,
  {
    attendees,
    ...row
  }: Omit<Insertable<DB['calendar_events']>, 'tenant_id' | 'attendees'> & {
    readonly attendees: readonly Attendee[]
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('calendar_events')
    .values({ tenant_id: sql<number>`app.tenant()`, ...row, attendees: JSON.stringify(attendees) })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Updates an event. */
export async function updateEvent(db: Tx, id: string, { attendees, theirs, ...change }: Change): Promise<void> {
  await db
    .updateTable('calendar_events')
    .set({
      ...change,
      ...(attendees ? { attendees: JSON.stringify(attendees) } : {}),
      ...(theirs === undefined ? {} : { theirs: theirs && JSON.stringify(theirs) }),
    })
    .where('id', '=', id)
    .execute()
}

/** Removes an event. */
export const deleteEvent = (db: Tx, id: string) => db.deleteFrom('calendar_events').where('id', '=', id).execute()

/** Removes an account's events by their ids at the provider, unless a local change is pending. */
export async function deleteRemote(db: Tx, accountId: number, remoteIds: readonly string[]): Promise<number> {
  const { rows } = await sql`
    delete from calendar_events where tenant_id = app.tenant() and account_id = ${accountId} and wanted is null
      and remote_id = any(${[...remoteIds]}::text[]) returning 1`.execute(db)
  return rows.length
}

/** Removes an account's events that the latest reading did not find; those with pending changes remain. */
export async function deleteUnseen(db: Tx, accountId: number, round: number): Promise<number> {
  const { rows } = await sql`
    delete from calendar_events where tenant_id = app.tenant() and account_id = ${accountId} and wanted is null
      and round < ${round} returning 1`.execute(db)
  return rows.length
}

/** Row of a provider's event. */
export type RemoteRow = {
  readonly id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly first_day: string | null
  readonly last_day: string | null
  readonly event: RemoteEvent
}

/** Upserts a provider's events; those with pending local changes remain unchanged. */
export async function upsertRemote(
  db: Tx,
  { accountId, round, now }: { readonly accountId: number; readonly round: number; readonly now: Date },
  rows: readonly RemoteRow[],
): Promise<number> {
  if (rows.length === 0) return 0
  const given = rows.map(({ event, ...row }) => ({ ...row, ...columnsOf(event) }))
  const { rows: written } = await sql`
    insert into calendar_events as e (tenant_id, id, account_id, round, created_at, updated_at, starts_at, ends_at, first_day,
      last_day, ${sql.raw(REMOTE.join(', '))})
    select app.tenant(), r.id, ${accountId}, ${round}, ${now}, ${now}, r.starts_at, r.ends_at, r.first_day, r.last_day,
      ${sql.raw(REMOTE.map((name) => `r.${name}`).join(', '))}
    from jsonb_populate_recordset(null::calendar_events, ${JSON.stringify(given)}::jsonb) r
    on conflict (tenant_id, account_id, remote_id) do update set
      round = excluded.round, updated_at = excluded.updated_at, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      first_day = excluded.first_day, last_day = excluded.last_day,
      ${sql.raw(REMOTE.map((name) => `${name} = excluded.${name}`).join(', '))}
    where e.wanted is null
    returning 1`.execute(db)
  return written.length
}

const REMOTE = [
  ...['remote_id', 'etag', 'summary', 'description', 'location', 'attendees', 'reminder_minutes', 'has_meet'],
  ...['meet_url', 'url', 'is_private', 'is_recurring', 'is_editable', 'known_stamp'],
]

/** Maps a provider's event to columns; of a private one only its existence. */
export function columnsOf(event: RemoteEvent) {
  const { isPrivate } = event
  return {
    ...{ remote_id: event.remoteId, etag: event.etag, url: event.url },
    ...{ summary: isPrivate ? 'Ocupado' : event.summary, description: isPrivate ? '' : event.description },
    ...{ location: isPrivate ? '' : event.location, attendees: isPrivate ? [] : event.attendees },
    reminder_minutes: event.reminderMinutes,
    ...{ meet_url: isPrivate ? '' : event.meetUrl, has_meet: !isPrivate && event.meetUrl !== '' },
    ...{ is_private: isPrivate, is_recurring: event.isRecurring, is_editable: event.isEditable && !isPrivate },
    known_stamp: event.stamp ?? 0,
  }
}

/** Returns the events of all companies with a due change to send; requires platform database access. */
export async function eventsToPush(db: Queryable, now: Date, most: number) {
  const { rows } = await sql<{ tenantId: number; id: string }>`
    select e.tenant_id as "tenantId", e.id from calendar_events e
    join calendar_syncs s on s.tenant_id = e.tenant_id and s.account_id = e.account_id and s.status = 'ok'
    join provider_settings p on p.tenant_id = e.tenant_id and p.id = e.account_id and p.is_active
    where e.wanted is not null and e.push_at <= ${now} order by e.push_at limit ${most}`.execute(db)
  return rows
}

/** Claims the next attempt of an event until `until`; returns false if already claimed, or nothing is pending. */
export async function claimPush(db: Tx, id: string, now: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    update calendar_events set push_at = ${until} where tenant_id = app.tenant() and id = ${id}::uuid
      and wanted is not null and push_at <= ${now} returning 1`.execute(db)
  return rows.length > 0
}

/** Makes the pending changes of an account due at once. */
export async function wakePushes(db: Tx, accountId: number, now: Date): Promise<void> {
  await sql`update calendar_events set push_at = ${now} where tenant_id = app.tenant() and account_id = ${accountId}
    and wanted is not null and push_at is not null`.execute(db)
}

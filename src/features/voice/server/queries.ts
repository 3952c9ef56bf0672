import { type SqlBool, sql } from 'kysely'
import type { Direction } from '#domain/voice/calls.ts'
import type { StoredSecrets } from '#kit/provider.ts'
import { countUpTo } from '#server/db/count.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'
import { tableOf } from '#server/table.ts'
import { deviceTable } from '../table.ts'

/** Row of a voice device; the token encrypted. */
export type DeviceRow = {
  readonly id: number
  readonly name: string
  readonly number: string
  readonly isActive: boolean
  readonly secrets: StoredSecrets
}

/** Table of voice devices. */
export const deviceRows = tableOf<DeviceRow>(deviceTable, [sql`secrets`])

/** Stores the token of a device. */
export const storeSecrets = (db: Tx, id: number, secrets: StoredSecrets) =>
  db
    .updateTable('voice_devices')
    .set({ secrets: JSON.stringify(secrets) })
    .where('id', '=', id)
    .execute()

/** Returns the active devices by name. */
export const activeDevices = async (db: Queryable): Promise<DeviceRow[]> =>
  db
    .selectFrom('voice_devices')
    .select(['id', 'name', 'number', 'is_active as isActive', 'secrets'])
    .where('is_active', '=', true)
    .orderBy('name')
    .execute()

/** Returns the ids of the keys that encrypt tokens of devices; platform role. */
export async function keysOfDevices(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(secret.value ->> 'encrypted', '.', 1) as key
    from voice_devices, jsonb_each(voice_devices.secrets) secret`.execute(db)
  return rows.map(({ key }) => key)
}

/** Call that begins. */
export type NewCall = {
  readonly tenantId: number
  readonly id: string
  readonly device: DeviceRow
  readonly direction: Direction
  readonly number: string
  readonly name: string
  readonly contactId: number | null
  readonly userId: number | null
}

/** Time (ms) within which two processes report the same incoming call. */
const SAME_CALL_MS = 15_000

/**
 * Records a call that begins and returns its id: that of the open call if another process has just recorded it. A call of
 * the device whose end was missed is closed, with no duration. Null if the device is gone.
 */
export async function openCall(db: Tx, call: NewCall, now: Date): Promise<string | null> {
  const { device, direction, number } = call
  const known = await db
    .selectFrom('voice_devices')
    .select('id')
    .where('id', '=', device.id)
    .forUpdate()
    .executeTakeFirst()
  if (!known) return null
  const same = await db
    .selectFrom('calls')
    .select('id')
    .where('device_id', '=', device.id)
    .where('ended_at', 'is', null)
    .where('direction', '=', direction)
    .where('number', '=', number)
    .where('created_at', '>', new Date(now.getTime() - SAME_CALL_MS))
    .executeTakeFirst()
  if (same && direction === 'incoming') return same.id
  await db
    .updateTable('calls')
    .set({ ended_at: sql`coalesce(answered_at, created_at)` })
    .where('device_id', '=', device.id)
    .where('ended_at', 'is', null)
    .execute()
  await db
    .insertInto('calls')
    .values({
      tenant_id: call.tenantId,
      id: call.id,
      device_id: device.id,
      device_name: device.name,
      device_number: device.number.replace(/\D/g, ''),
      direction,
      number,
      name: call.name,
      contact_id: call.contactId,
      user_id: call.userId,
      created_at: now,
    })
    .execute()
  return call.id
}

/** Records who answered a call, or made one that was answered; it prevails over an answer elsewhere. */
export const answerCall = (db: Tx, id: string, userId: number, now: Date) =>
  db
    .updateTable('calls')
    .set({ answered_at: now, ended_at: null, user_id: userId })
    .where('id', '=', id)
    .where((w) => w.or([w('ended_at', 'is', null), w('user_id', 'is', null)]))
    .execute()

/** Records that a call was answered elsewhere, such as on the phone, which does not report its end. */
export const answerElsewhere = (db: Tx, id: string, now: Date) =>
  db
    .updateTable('calls')
    .set({ answered_at: now, ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('user_id', 'is', null)
    .execute()

/** Records the end of a call; no effect if it is recorded already. */
export const closeCall = (db: Tx, id: string, now: Date) =>
  db.updateTable('calls').set({ ended_at: now }).where('id', '=', id).where('ended_at', 'is', null).execute()

/** Erases numbers and names of forgotten contacts from the log. */
export const eraseCalls = (db: Tx, contactIds: readonly number[]) =>
  db.updateTable('calls').set({ number: '', name: '' }).where('contact_id', 'in', contactIds).execute()

/** Filters of the log; days are of `zone`. */
export type Wanted = {
  readonly search: string | undefined
  readonly direction: Direction | undefined
  readonly unanswered: boolean
  readonly from: string | undefined
  readonly to: string | undefined
  readonly zone: string
}

function matching({ search, direction, unanswered, from, to, zone }: Wanted) {
  const all = [sql<SqlBool>`true`]
  if (search)
    all.push(
      sql`app.fold(concat_ws(' ', c.name, c.number, c.device_name, u.name)) like app.fold(${patternOf(search)}::text)`,
    )
  if (direction) all.push(sql`c.direction = ${direction}`)
  if (unanswered) all.push(sql`c.answered_at is null and c.ended_at is not null`)
  if (from) all.push(sql`c.created_at >= (${from}::timestamp at time zone ${zone})`)
  if (to) all.push(sql`c.created_at < ((${to}::date + 1)::timestamp at time zone ${zone})`)
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

const all = (db: Queryable) =>
  db
    .selectFrom('calls as c')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'c.tenant_id').onRef('u.id', '=', 'c.user_id'))

/** Returns a page of calls, newest first. */
export function listCalls(db: Queryable, wanted: Wanted, { after, offset, limit }: PageStart<[string]>) {
  let query = all(db)
    .select([
      'c.id',
      'c.direction',
      'c.device_name',
      'c.device_number',
      'c.number',
      'c.name',
      'c.contact_id',
      'c.user_id',
    ])
    .select(['c.created_at', 'c.answered_at', 'c.ended_at', 'u.name as user_name'])
    .where(matching(wanted))
  if (after) query = query.where('c.id', '<', after[0])
  return query.orderBy('c.id', 'desc').limit(limit).offset(offset).execute()
}

/** Counts calls, up to `most`. */
export const countCalls = (db: Queryable, wanted: Wanted, most: number): Promise<number> =>
  countUpTo(db, all(db).select('c.id').where(matching(wanted)), most)

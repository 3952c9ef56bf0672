import { sql } from 'kysely'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { DistributionMode } from '#domain/distribution/distribute.ts'
import type { AUTO_CLOSE_TIMES } from '#domain/tickets/auto-close.ts'
import type { Queryable } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { queueTable } from '../table.ts'

/** Row of a queue, with its number of active users. */
export type QueueRecord = {
  id: number
  queue: string
  color: string
  isActive: boolean
  businessHours: BusinessDay[] | null
  messageBusinessHours: string
  autoClose: 'company' | 'own' | 'never'
  autoCloseTime: keyof typeof AUTO_CLOSE_TIMES
  autoCloseMessage: string
  distribution: DistributionMode | null
  overflowQueueId: number | null
  overflowMinutes: number | null
  userCount: number
  createdAt: Date
  updatedAt: Date
}

/** Table access to queues. */
export const queueRows = tableOf<QueueRecord>(queueTable, [
  sql`(select count(*) from user_queues m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where m.tenant_id = queues.tenant_id and m.queue_id = queues.id and u.is_active) as "userCount"`,
])

/** Whether any ticket is in the queue. */
export async function queueHasTickets(db: Queryable, id: number): Promise<boolean> {
  const ticket = await db.selectFrom('tickets').select('id').where('queue_id', '=', id).limit(1).executeTakeFirst()
  return ticket !== undefined
}

/** Returns the users of a queue. */
export async function usersOfQueue(db: Queryable, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('user_queues')
    .select('user_id')
    .where('queue_id', '=', id)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

import type { ConnectionRow } from '../contract.ts'
import type { StoredConnection } from './queries.ts'

/** What pickers and details have in common. */
export const shownRow = (row: StoredConnection) => ({
  id: row.id,
  name: row.name,
  type: row.type,
  status: row.status as ConnectionRow['status'],
  number: row.number,
  isDefault: row.is_default,
  queueId: row.queue_id,
  updatedAt: row.updated_at,
})

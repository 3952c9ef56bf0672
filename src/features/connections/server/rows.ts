import type { StoredConnection } from './queries.ts'

/** Code for linking a connection, and its expiry. */
export type Code = Pick<StoredConnection, 'qrcode' | 'pairing_code' | 'code_expires_at'>

/** Empty code. */
export const NO_CODE: Code = { qrcode: null, pairing_code: null, code_expires_at: null }

/** Whether a code is not expired and may be shown. */
export const isCodeShown = ({ code_expires_at: until }: Code, now: Date): boolean => until !== null && until > now

/** Returns the fields that list rows and details of a connection share. */
export const shownRow = (row: StoredConnection) => ({
  id: row.id,
  name: row.name,
  type: row.type,
  status: row.status,
  cause: row.cause,
  number: row.number,
  isDefault: row.is_default,
  queueId: row.queue_id,
  wasConnected: row.first_connected_at !== null,
  slowUntil: row.slow_until?.getTime() ?? null,
  updatedAt: row.updated_at,
})

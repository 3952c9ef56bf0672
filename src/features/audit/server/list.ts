import type { z } from 'zod'
import { ownMember } from '#domain/keys.ts'
import { lastOf } from '#domain/present.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { errorCatalogue, fail } from '#kit/errors.ts'
import type { AuditRecord } from '#server/audit-chain.ts'
import type { Queryable } from '#server/db/db.ts'
import { exactPageStartOf } from '#server/paging.ts'
import type { AuditRow, audit } from '../contract.ts'
import { countRecords, type Log, listRecords, readOptions } from './queries.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000
/** Number of users in one page of options. */
const PEOPLE = 500

/** Returns a page of a log; `zone` defines its days. */
export async function listAudit(
  db: Queryable,
  log: Log,
  query: z.output<typeof audit.list.query>,
  zone: string,
): Promise<z.input<typeof audit.list.returns>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const { user, action, from, to, result, searchParam: search } = query
  const filter = { user, action, from, to, result, search, zone }
  const before = query.cursor ? Number(decodeCursor(query.cursor, 1)[0]) : null
  const skip = before === null ? (query.pageNumber - 1) * PAGE : 0
  const rows = await listRecords(db, log, filter, { before, skip, limit: PAGE + 1 })
  const count = await countRecords(db, log, filter, COUNTED + 1)
  const records = rows.slice(0, PAGE)
  const hasMore = rows.length > PAGE
  return {
    records: records.map(serialize),
    count: Math.min(count, COUNTED),
    countIsCapped: count > COUNTED,
    hasMore,
    nextCursor: hasMore ? encodeCursor([lastOf(records).seq]) : null,
  }
}

/** Returns the next users in a log and, with the first page, its actions. */
export async function listOptions(
  db: Queryable,
  log: Log,
  { cursor }: z.output<typeof audit.options.query>,
): Promise<z.input<typeof audit.options.returns>> {
  const { after } = exactPageStartOf<[number]>({ pageNumber: 1, cursor }, 1)
  const { users: found, actions } = await readOptions(db, log, after?.[0] ?? null, PEOPLE + 1)
  const users = found.slice(0, PEOPLE)
  const last = users.at(-1)
  return { users, actions, nextCursor: found.length > PEOPLE && last ? encodeCursor([last.id]) : null }
}

const serialize = (row: AuditRecord): Omit<AuditRow, 'at'> & { at: Date } => ({
  seq: row.seq,
  at: row.at,
  action: row.action,
  summary: row.summary,
  result: row.result,
  refusal: ownMember(errorCatalogue, row.result)?.text ?? null,
  userId: row.user_id,
  userName: row.user_name,
  profile: row.profile,
  isSupport: row.is_support,
  method: row.method,
  ip: row.ip,
  userAgent: row.user_agent,
  requestId: row.request_id,
  target: row.target,
  changes: row.changes,
})

import { itemAt, lookUp } from '#domain/present.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { type contacts, duplicateReason } from '../../contract.ts'
import { onlyFor } from '../list.ts'
import { loadContacts } from '../queries.ts'
import { serializeContact } from '../serializer.ts'
import { findDuplicates } from './queries-duplicates.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const reasons = duplicateReason.options

type Viewing = Pick<ReadCtx, 'platform' | 'settings'> & { db: Queryable; user: Actor }

/**
 * Returns a page of contacts that may be one person, strong reasons first; each with the oldest contact that shares the
 * value.
 */
export async function listDuplicates(
  ctx: Viewing,
  { cursor, pageNumber }: Input<typeof contacts.duplicates>['query'],
): Promise<Returned<typeof contacts.duplicates>> {
  if (pageNumber > LAST_NUMBERED_PAGE && !cursor) fail('ERR_PAGE_TOO_FAR')
  const start = cursor ? cursorParts(cursor, ['number', 'string', 'number']) : null
  if (start && !reasons[start[0]]) fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
  const found: { reason: number; key: string; id: number; first: number }[] = []
  let skip = cursor ? 0 : (pageNumber - 1) * PAGE
  for (let reason = start?.[0] ?? 0; reason < reasons.length && found.length <= PAGE; reason++) {
    const after = start && reason === start[0] ? { key: start[1], id: start[2] } : null
    const most = PAGE + 1 - found.length + skip
    const rows = await findDuplicates(ctx.db, itemAt(reasons, reason), { after, most, onlyFor: onlyFor(ctx) })
    found.push(...rows.slice(skip).map((row) => ({ reason, ...row })))
    skip = Math.max(0, skip - rows.length)
  }
  const page = found.slice(0, PAGE)
  const ids = [...new Set(page.flatMap(({ id, first }) => [id, first]))]
  const rows = new Map((await loadContacts(ctx.db, ids)).map((row) => [row.id, serializeContact(ctx.platform, row)]))
  const last = page.at(-1)
  const hasMore = found.length > PAGE
  return {
    duplicates: page.map(({ reason, id, first }) => ({
      reason: itemAt(reasons, reason),
      isStrong: reasons[reason] !== 'name',
      contact: lookUp(rows, first),
      other: lookUp(rows, id),
    })),
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.reason, last.key, last.id]) : null,
  }
}

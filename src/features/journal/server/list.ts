import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { uuid } from '#kit/fields.ts'
import type { Queryable } from '#server/db/db.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { EVENT_KINDS, type journal } from '../contract.ts'
import { countSetAside, listSetAside, type SetAsideRow } from './queries.ts'

/** Returns a page of set-aside events: the company's, or (`ofAll`, requires platform database access) every company's. */
export async function listEvents(
  db: Queryable,
  query: Input<typeof journal.list>['query'],
  ofAll = false,
): Promise<Returned<typeof journal.list>> {
  const start = pageStartOf<[number, string]>(query, 2)
  if (start.after && !(Number.isSafeInteger(start.after[0]) && uuid.safeParse(start.after[1]).success))
    fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
  const filter = { search: query.searchParam, fault: query.fault, ofAll }
  const { rows, paging } = pageOf(await listSetAside(db, filter, start), (row) => [row.position, row.id])
  return {
    events: rows.map((row) => shown(row, ofAll)),
    ...countOf(await countSetAside(db, filter, COUNTED)),
    ...paging,
  }
}

// Data quoted by an error is shown within its company only.
const shown = (row: SetAsideRow, ofAll: boolean) => ({
  id: row.id,
  kind: EVENT_KINDS.find((kind) => kind === row.kind) ?? 'other',
  fault: row.fault,
  code: row.code,
  detail: ofAll ? null : row.detail,
  attempts: row.attempts,
  task: row.task,
  connection:
    row.connection_id === null
      ? null
      : { id: row.connection_id, name: row.connection_name!, type: row.connection_type! },
  receivedAt: row.received_at,
  setAsideAt: row.set_aside_at,
  tenant: ofAll ? { id: row.tenant_id, name: row.tenant_name } : null,
})

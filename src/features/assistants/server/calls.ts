import type { Input, Returned } from '#kit/contract.ts'
import type { ReadCtx } from '#server/context.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import type { assistants } from '../contract.ts'
import { periodOf } from './costs.ts'
import { countCalls, listCalls } from './queries-calls.ts'

/** Returns a page of assistants' calls, newest first. */
export async function readCalls(
  { db, now, settings: { timezone } }: ReadCtx,
  query: Input<typeof assistants.calls>['query'],
): Promise<Returned<typeof assistants.calls>> {
  const { from, to, assistantId, use, searchParam: search } = query
  const filter = { ...periodOf({ from, to }, now, timezone), assistantId, use, search }
  const found = await listCalls(db, filter, pageStartOf<[number, string]>(query, 2))
  const { rows, paging } = pageOf(found, ({ micros, id }) => [micros, id])
  const counted = await countCalls(db, filter, COUNTED)
  return { calls: rows.map(({ micros: _, ...row }) => row), ...countOf(counted), ...paging }
}

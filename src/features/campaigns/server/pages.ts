import type { ReadCtx } from '#server/context.ts'
import { type Asked, COUNTED, countOf, exactPageStartOf, pageOf } from '#server/paging.ts'
import { countDispatches, type Listed, listDispatches } from './queries.ts'
import { countItems, type ListedItems, listItems } from './queries-items.ts'
import { serializeCampaign, serializeItems } from './stored.ts'

type Asking = Pick<ReadCtx, 'db' | 'platform' | 'tenantId'>

/** Returns a page of campaigns, or of messages to lists, and their number. */
export async function pageOfDispatches(ctx: Asking, which: Listed, asked: Asked) {
  const found = await listDispatches(ctx.db, which, exactPageStartOf<[number]>(asked, 1))
  const { rows, paging } = pageOf(found, ({ id }) => [id])
  return {
    dispatches: rows.map((row) => serializeCampaign(ctx, row)),
    ...countOf(await countDispatches(ctx.db, which, COUNTED)),
    ...paging,
  }
}

/** Returns a page of the contacts of a dispatch, and their number. */
export async function pageOfItems(ctx: Asking, which: ListedItems, asked: Asked) {
  const found = await listItems(ctx.db, which, exactPageStartOf<[number]>(asked, 1))
  const { rows, paging } = pageOf(found, ({ id }) => [id])
  return {
    contacts: await serializeItems(ctx, rows),
    ...countOf(await countItems(ctx.db, which, COUNTED)),
    ...paging,
  }
}

import { expect } from 'vitest'
import { tickets } from '#features/tickets/contract.ts'
import { call } from '#test/server.ts'
import type { World } from './world.ts'

/** Checks that a contact from an ad may be written to without charge for `hours`, and that the ticket shows until when. */
export async function adCheck({ product, tenantId, token, ticketId }: World, hours: number | null): Promise<void> {
  const detail = async () => (await call(product, tickets.get, token, { params: { id: ticketId } })).body
  const cameBy = (data: object | null) =>
    product.platform.db.write(tenantId, (db) =>
      db
        .updateTable('messages')
        .set({ data: data && JSON.stringify(data) })
        .where('ticket_id', '=', ticketId)
        .where('from_me', '=', false)
        .where('media_type', '=', 'text')
        .returning('timestamp')
        .execute(),
    )
  expect(await detail()).toMatchObject({ freeUntil: null })
  const came = await cameBy({ ad: {} })
  const last = Math.max(...came.map(({ timestamp }) => timestamp.getTime()))
  expect(await detail()).toMatchObject({ freeUntil: last + hours! * 3_600_000 })
  await cameBy(null)
}

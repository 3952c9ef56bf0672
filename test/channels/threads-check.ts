import { expect } from 'vitest'
import { arrives, patient, received, rowOf } from './talk.ts'
import type { World } from './world.ts'

/** Checks that each subject of a contact has a separate conversation, which later messages of it continue. */
export async function threadsCheck(world: World): Promise<void> {
  const { product, tenantId, ticketId } = world
  const tickets = () =>
    product.platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['id', 'contact_id', 'status', 'last_message']).orderBy('id').execute(),
    )
  const before = await tickets()
  await world.end.openThread!('Outra coisa')
  await patient(world, async () => (await tickets()).length === before.length + 1)
  const after = await tickets()
  expect(new Set(after.map(({ contact_id }) => contact_id)).size).toBe(1)
  expect(after.at(-1)).toMatchObject({ status: 'pending', last_message: 'Outra coisa' })
  // Messages of the first conversation remain there, on both sides.
  const ours = await arrives(world, { body: 'Sobre o primeiro' })
  const theirs = await received(world, world.fixtures['text']!, ours.id)
  for (const id of [ours.messageId, theirs.id]) expect(await rowOf(world, id)).toMatchObject({ ticket_id: ticketId })
}

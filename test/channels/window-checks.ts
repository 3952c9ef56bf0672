import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { call } from '#test/server.ts'
import { answer, arrivesSpecial, backdate, patient, received, refusedAs } from './talk.ts'
import type { World } from './world.ts'

const DAY_MS = 86_400_000

// Backdates the contact's messages.
const backdateInbound = ({ product, tenantId, end }: World, ms: number) => {
  end.silentFor!(ms)
  return product.platform.db.write(tenantId, (db) =>
    db
      .updateTable('tickets')
      .set({ last_message_received_at: new Date(product.platform.now().getTime() - ms) })
      .execute(),
  )
}

/** Outside of the window a person still writes for so many days, marked as one. */
export async function humanAgentCheck(world: World, days: number | null): Promise<void> {
  const { ticketId } = world
  await backdateInbound(world, days! * DAY_MS - 3_600_000)
  expect((await answer(world, { body: 'Tarde' })).body).toMatchObject({ error: 'ERR_WINDOW_CLOSED' })
  const late = { params: { ticketId }, body: { body: 'Sou eu', idFront: randomUUID(), isHumanAgent: true } }
  expect((await arrivesSpecial(world, messages.send, late)).body).toBe('Sou eu')
  await backdateInbound(world, days! * DAY_MS)
  const tooLate = { params: { ticketId }, body: { body: 'Nunca', idFront: randomUUID(), isHumanAgent: true } }
  expect(await refusedAs(world, messages.send, tooLate)).toBe('ERR_WINDOW_CLOSED')
  await received(world, world.fixtures['text']!)
}

/** A comment is answered once, in private, for so many days, and opens no window. */
export async function commentCheck(world: World, days: number | null): Promise<void> {
  const { ticketId, product, token, tenantId } = world
  const comments = () =>
    product.platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where(sql`data ? 'comment'`.$castTo<boolean>(), '=', true)
        .orderBy('seq', 'desc')
        .execute(),
    )
  const comment = async () => {
    const before = (await comments()).length
    await world.end.comment!('Tem em azul?')
    await patient(world, async () => (await comments()).length > before)
    return (await comments())[0]!
  }
  const answerText = `Tem, sim: ${randomUUID()}`
  const say = (quotedMsgId: string, body = answerText) => ({
    params: { ticketId },
    body: { body, idFront: randomUUID(), quotedMsgId },
  })
  await backdateInbound(world, 30 * DAY_MS)
  const { id } = await comment()
  // A comment opens no window.
  expect((await answer(world, { body: 'Oi' })).body).toMatchObject({ error: 'ERR_WINDOW_CLOSED' })
  const twice = await Promise.all(
    [say(id), say(id)].map((input) => call(product, messages.send, token, input as never)),
  )
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  await patient(world, async () => (await world.end.arrived()).some(({ body }) => body === answerText))
  const { id: old } = await comment()
  await backdate(world, old, days! * DAY_MS)
  expect(await refusedAs(world, messages.send, say(old))).toBe('ERR_WINDOW_CLOSED')
  await received(world, world.fixtures['text']!)
}

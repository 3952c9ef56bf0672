import { expect } from 'vitest'
import { lockLedgerTickets } from '#features/ledger/server/ticket/queries.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/system-message.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { call } from '#test/server.ts'
import { arrives, patient, received } from './talk.ts'
import type { World } from './world.ts'

/** Checks that the conversation's capabilities include counting text messages. */
export async function partsCheck({ product, token, ticketId }: World): Promise<void> {
  const { body } = await call(product, tickets.get, token, { params: { id: ticketId } })
  expect(body).toMatchObject({ capabilities: { smsParts: true } })
}

/** Checks the opt-out word: it is confirmed once, ends automatic messages, and leaves those of people. */
export async function optOutCheck(world: World): Promise<void> {
  const { product, tenantId, ticketId, end, fixtures } = world
  const { payload, becomes } = fixtures['text']!
  const word = (body: string) => ({
    payload: JSON.parse(JSON.stringify(payload).replaceAll(JSON.stringify(becomes.body).slice(1, -1), body)) as never,
    becomes: { ...becomes, body },
  })
  const automatic = (text: string) =>
    unit(product.platform, { tenantId, user: null }, async (ctx) => {
      const [ticket] = await lockLedgerTickets(ctx.db, [ticketId])
      await sendSystemMessages(ctx, [{ ticket: ticket!, text, sendType: 'absence' }])
    })
  const row = (body: string) =>
    product.platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').selectAll().where('body', '=', body).where('from_me', '=', true).executeTakeFirst(),
    )
  const has = async (text: string) => (await end.arrived()).filter(({ body }) => body.includes(text)).length
  await automatic('Voltamos às 8h')
  await patient(world, async () => (await has('Voltamos às 8h')) === 1)
  expect((await received(world, word('Quero SAIR do plano'))).body).toBe('Quero SAIR do plano')
  await automatic('Ainda vale')
  await patient(world, async () => (await has('Ainda vale')) === 1)
  await received(world, word('sair'))
  await patient(world, async () => (await has('não receberá mais')) === 1)
  await received(world, word(' PARAR. '))
  await automatic('Nunca chega')
  await patient(world, async () => (await row('Nunca chega'))?.status === 'failed')
  expect(await row('Nunca chega')).toMatchObject({ error_code: 'ERR_OPTED_OUT' })
  expect((await arrives(world, { body: 'Uma pessoa responde' })).body).toBe('Uma pessoa responde')
  expect(await has('não receberá mais')).toBe(1)
  expect(await has('Nunca chega')).toBe(0)
}

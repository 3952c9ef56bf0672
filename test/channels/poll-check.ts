import { expect } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { until } from '#test/until.ts'
import type { Arrived } from './contact-end.ts'
import type { World } from './world.ts'

type Arrives = (world: World, operation: Operation, input: object) => Promise<Arrived>

/**
 * Checks that a poll arrives with all options, one or several of which can be chosen, and that the contact's choice is
 * recorded.
 */
export async function pollCheck(
  world: World,
  limits: { max: number; chars: number } | null,
  arrives: Arrives,
): Promise<void> {
  const { ticketId, end, product, tenantId } = world
  const options = Array.from({ length: limits!.max }, (_, n) => `${n}`.padEnd(limits!.chars, 'x'))
  const form = { ticketId, body: 'Qual dia?', options }
  expect(await arrives(world, messages.poll, { body: form })).toMatchObject({
    body: 'Qual dia?',
    data: { poll: { options, many: false } },
  })
  const several = await arrives(world, messages.poll, { body: { ...form, options: ['Sábado', 'Domingo'], many: true } })
  expect(several.data).toEqual({ poll: { options: ['Sábado', 'Domingo'], many: true } })
  const said = (body: string) =>
    product.platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages as m')
        .innerJoin('messages as q', 'q.id', 'm.quoted_id')
        .select('q.provider_id')
        .where('m.body', '=', body)
        .executeTakeFirst(),
    )
  for (const [chosen, told] of [
    [['Domingo'], 'Votou: Domingo'],
    [['Sábado', 'Domingo'], 'Votou: Sábado, Domingo'],
    [[], 'Retirou o voto.'],
  ] as const) {
    await end.vote!(several.id, chosen)
    await until(async () => (await said(told)) !== undefined, world.patienceMs)
    expect(await said(told)).toEqual({ provider_id: several.id })
  }
}

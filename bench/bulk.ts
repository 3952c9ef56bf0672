import { setTimeout } from 'node:timers/promises'
import { bulk } from '#features/bulk/contract.ts'
import { ticketsBulk } from '#features/tickets/bulk-contract.ts'
import { call, type Product } from '#test/product.ts'
import type { BenchTenant } from './data.ts'
import { type Measure, percentiles } from './loop.ts'

const ROUNDS = 3
const LOOK_EVERY_MS = 20

/**
 * Measures the transfer of `count` tickets (as many as exist, at most 1,000), from the request to the last ticket. Transfers
 * them back unmeasured, so that each round begins alike; `perSecond` counts tickets.
 */
export async function measureBulk(product: Product, tenant: BenchTenant, count: number): Promise<Measure> {
  const { ids, queueId } = await product.platform.db.read(tenant.tenantId, async (db) => {
    const rows = await db.selectFrom('tickets').select(['id']).orderBy('id', 'desc').limit(count).execute()
    const queue = await db.selectFrom('queues').select('id').orderBy('id').executeTakeFirstOrThrow()
    return { ids: rows.map(({ id }) => id), queueId: queue.id }
  })
  const ask = async <T>(reply: Promise<{ status: number; body: unknown }>): Promise<T> => {
    const { status, body } = await reply
    if (status !== 200) throw new Error(`a bulk operation was refused: ${status} ${JSON.stringify(body)}`)
    return body as T
  }
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    const body = { ids, action: 'transfer', args: { queueId } } as const
    let now = await ask<{ id: string; status: string }>(call(product, ticketsBulk.start, tenant.adminToken, { body }))
    const of = { params: { id: now.id } }
    while (now.status === 'running') {
      await setTimeout(LOOK_EVERY_MS)
      now = await ask(call(product, bulk.get, tenant.adminToken, of))
    }
    took.push(performance.now() - began)
    await ask(call(product, bulk.undo, tenant.adminToken, of))
  }
  const mean = took.reduce((sum, one) => sum + one, 0) / took.length
  return { perSecond: (ids.length / mean) * 1000, ...percentiles(took) }
}

import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { messages } from '#features/messages/contract.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, type Product } from '#test/product.ts'
import type { BenchTenant } from './data.ts'
import { type Measure, percentiles } from './loop.ts'

const EVERY_MS = 100

/**
 * The delay of live messages, from the request to the channel, while `count` scheduled ones, of as many conversations as
 * there are, are due; `perSecond` is how many of these leave.
 */
export const measureSchedules = (product: Product, tenant: BenchTenant, count: number): Promise<Measure> =>
  measureBeside(product, tenant, count, async (body) => {
    await product.platform.db.write(tenant.tenantId, (db) =>
      sql`insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, body, status, send_type, timestamp, schedule_date, send_at)
      select t.tenant_id, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key, true, ${body}, 'pending', 'schedule', app.now(), app.now(), app.now()
      from generate_series(1, ${count}) n
      join (select *, row_number() over (order by id) - 1 as r, count(*) over () as total from tickets where connection_id = ${tenant.connectionId}) t
        on t.r = n % t.total`.execute(db),
    )
  })

/** The delay of live messages, from the request to the channel, while `count` others leave that `begin` makes due with a text. */
export async function measureBeside(
  product: Product,
  tenant: BenchTenant,
  count: number,
  begin: (body: string) => Promise<void>,
): Promise<Measure> {
  const waiting = new Map<string, (at: number) => void>()
  let gone = 0
  testChannel(product.platform).behave(async ({ messageId, body }) => {
    if (body === DUE) gone++
    waiting.get(body)?.(performance.now())
    return { providerId: messageId }
  })
  await begin(DUE)
  const began = performance.now()
  const delays: number[] = []
  const live: Promise<void>[] = []
  for (let n = 0; gone < count; n++) {
    live.push(sendLive(n))
    await setTimeout(EVERY_MS)
  }
  const perSecond = (count / (performance.now() - began)) * 1000
  await Promise.all(live)
  return { perSecond, ...percentiles(delays) }

  async function sendLive(n: number): Promise<void> {
    const body = `${LIVE} ${began} ${n}`
    const asked = performance.now()
    const sent = new Promise<number>((resolve) => waiting.set(body, resolve))
    const { status } = await call(product, messages.send, tenant.adminToken, {
      params: { ticketId: tenant.live[n % tenant.live.length]!.ticketId },
      body: { idFront: crypto.randomUUID(), body, isNote: false },
    })
    // Half of these tickets have no owner yet, so that no reply is allowed there.
    if (status === 200) delays.push((await sent) - asked)
  }
}

const DUE = 'Na vez'
const LIVE = 'Ao vivo'

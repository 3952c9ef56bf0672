import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import { asOwner } from './database.ts'
import { httpLoad } from './http-load.ts'
import type { Measure } from './loop.ts'

/** Number of opportunities, and of private messages, of the company. */
const AMOUNT = 100_000
const CONTACTS = 20_000
const SELLERS = 20
const STAGES = 6

/** Company with a full funnel: tokens, a pipeline, and a seller of it. */
type FunnelTenant = {
  tenantId: number
  email: string
  adminToken: string
  sellerToken: string
  pipelineId: number
  peerId: number
}

/** Makes a company of 100,000 opportunities in six stages, each fifth with a task, and a chat of 100,000 private messages. */
async function fillFunnel({ platform }: Product, ownerUrl: string): Promise<FunnelTenant> {
  const m = make(platform)
  const tenantId = await m.tenant(`Funil ${Date.now()}`)
  const [admin, ...sellers] = [
    await m.user(tenantId, { profile: 'admin' }),
    ...(await Promise.all(Array.from({ length: SELLERS }, () => m.user(tenantId)))),
  ] as const
  const ids = sellers.map(({ id }) => id)
  const times = { created_at: platform.now(), updated_at: platform.now() }
  const pipelineId = await m.insert('pipelines', tenantId, { name: 'Vendas', ...times })
  for (let position = 1; position <= STAGES; position++)
    await m.insert('pipeline_stages', tenantId, {
      ...{ pipeline_id: pipelineId, name: `Etapa ${position}`, color: '#4A90E2', position, stale_days: 15 },
      ...{ chance: position * 15, ...times },
    })
  const peer = sellers[0]!
  const conversation = `u:${Math.min(admin.id, peer.id)}:${Math.max(admin.id, peer.id)}`
  await asOwner(ownerUrl, async (client) => {
    const run = (text: string, ...given: unknown[]) => client.query(text, [tenantId, ...given])
    await run(
      `insert into contacts (tenant_id, name, number) select $1, 'Cliente ' || i, '55119' || (20000000 + i)
       from generate_series(1, $2::int) i`,
      CONTACTS,
    )
    // The sums are added once, not with each row.
    await client.query('alter table opportunities disable trigger sum_new')
    // Seven of ten are open; the others were won or lost over the last year.
    await run(
      `insert into opportunities (tenant_id, pipeline_id, stage_id, rank, contact_id, responsible_id, name, value,
         closing_forecast, status, reason, stage_since, moved_at, closed_at, created_at, updated_at)
       select $1, $2, s.id, 'a' || lpad(i::text, 8, '0'), c.id,
         case when i % 9 = 0 then null else ($3::bigint[])[1 + i % cardinality($3::bigint[])] end, 'Negócio ' || i,
         (i * 37) % 30000, current_date + (i % 120) - 30, k.status, case k.status when 'lose' then 'Preço' else '' end,
         now() - make_interval(days => i % 40), now() - make_interval(days => i % 12),
         case when k.status = 'open' then null else now() - make_interval(days => i % 365) end,
         now() - make_interval(days => i % 365 + 40), now()
       from generate_series(1, $4::int) i
       cross join lateral (select case when i % 10 < 7 then 'open' when i % 10 < 9 then 'win' else 'lose' end as status) k
       join pipeline_stages s on s.tenant_id = $1 and s.pipeline_id = $2 and s.position = 1 + i % 6
       join (select id, row_number() over (order by id) - 1 as n from contacts where tenant_id = $1) c on c.n = i % $5::int`,
      pipelineId,
      ids,
      AMOUNT,
      CONTACTS,
    )
    await client.query('alter table opportunities enable trigger sum_new')
    await run(
      `insert into pipeline_sums (tenant_id, stage_id, owner_id, status, month, count, value, high_count, high_value)
       select tenant_id, stage_id, coalesce(responsible_id, 0), status, app.forecast_month(status, closing_forecast),
         count(*), sum(value), count(*) filter (where value > 10000), coalesce(sum(value) filter (where value > 10000), 0)
       from opportunities where tenant_id = $1 group by 1, 2, 3, 4, 5`,
    )
    await run(
      `insert into tasks (tenant_id, name, description, limit_date, owner_id, user_id, status, priority, contact_id,
         opportunity_id, created_at, updated_at)
       select $1, 'Ligar', 'Ligar', current_date + (id % 20)::int, $2, $2, 'pending', 'none', contact_id, id, now(), now()
       from opportunities where tenant_id = $1 and id % 5 = 0`,
      admin.id,
    )
    await run(
      `insert into private_messages (tenant_id, id, conversation, sender_id, receiver_id, body, media_type, mentions, sent_at)
       select $1, gen_random_uuid(), $2, case i % 2 when 0 then $3::bigint else $4::bigint end,
         case i % 2 when 0 then $4::bigint else $3::bigint end, 'Mensagem ' || i, 'text', '[]',
         date_trunc('second', now()) - make_interval(secs => i) from generate_series(1, $5::int) i`,
      conversation,
      admin.id,
      peer.id,
      AMOUNT,
    )
    await run(
      `insert into private_positions (tenant_id, user_id, conversation, peer_id, last_at)
       values ($1, $3, $2, $4, now()), ($1, $4, $2, $3, now())`,
      conversation,
      admin.id,
      peer.id,
    )
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  const [adminToken, sellerToken] = [await m.token(admin), await m.token(peer)]
  return { tenantId, email: admin.email, adminToken, sellerToken, pipelineId, peerId: peer.id }
}

let filled: Promise<FunnelTenant> | undefined

/** The company; it is made once. */
export function funnelTenant(product: Product, databaseUrl: string): Promise<FunnelTenant> {
  filled ??= fillFunnel(product, databaseUrl)
  return filled
}

/** Returns the load of one client that repeats these requests. */
const measured =
  (pathOf: (tenant: FunnelTenant) => string, isSeller = false) =>
  async ({ product, databaseUrl }: { product: Product; databaseUrl: string }): Promise<Measure> => {
    const tenant = await funnelTenant(product, databaseUrl)
    const token = isSeller ? tenant.sellerToken : tenant.adminToken
    return httpLoad({ address: product.address, operations: [[{ path: pathOf(tenant) }]], token, clients: 1 })
  }

/** The board of a lead and of a seller, with the next tasks of its cards; the dashboard; the private chat. */
export const funnelMeasures = {
  board: measured(({ pipelineId }) => `/api/opportunities/board?pipelineId=${pipelineId}`),
  seller: measured(({ pipelineId }) => `/api/opportunities/board?pipelineId=${pipelineId}`, true),
  dashboard: measured(({ pipelineId }) => `/api/opportunities/dashboard?pipelineId=${pipelineId}`),
  chat: measured(({ peerId }) => `/api/chat-privado/msg/${peerId}`),
}

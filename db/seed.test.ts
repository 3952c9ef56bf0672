import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { contactImports } from '#features/contacts/imports-contract.ts'
import { flows } from '#features/flows/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { ticketViews } from '#features/tickets/views-contract.ts'
import { part } from '#test/features/samples/demo.ts'
import { withSamples } from '#test/features/samples/product.ts'
import { samples } from '#test/features/samples/samples.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { seedDemo } from './seed.ts'

const product = ownProduct('fills an empty installation', withSamples)

describe('the demo', () => {
  it('fills an empty installation once, and refuses a filled one', async () => {
    expect(await seedDemo(product().platform, { samples: part })).toBe(true)
    expect(await seedDemo(product().platform)).toBe(false)
  }, 180_000)

  it.each(['superadmin', 'admin', 'supervisor', 'ana', 'bia'])(
    'lets %s@demo.test in, who sees tickets with files that open',
    async (name) => {
      const { body } = await call(product(), auth.login, null, {
        body: { email: `${name}@demo.test`, password: 'Demo!2026' },
      })
      const { token } = body as { token: string }
      const page = (await call(product(), tickets.list, token, { query: { tab: 'open' } })).body
      expect(page.tickets.length).toBeGreaterThan(0)
      const first = (
        await call(product(), messages.list, token, {
          params: { ticketId: page.tickets[0]!.id },
        })
      ).body
      expect(first.messages.length).toBeGreaterThan(0)
    },
  )

  it('has the part of a further feature, after those that it needs', async () => {
    const body = { email: 'ana@demo.test', password: 'Demo!2026' }
    const { token } = (await call(product(), auth.login, null, { body })).body as { token: string }
    const { items } = (await call(product(), samples.ops.list, token, {})).body
    expect(items).toMatchObject([
      { name: 'Tecido de Loja Demo', position: 1 },
      { name: 'Verniz', position: 2 },
    ])
  })

  it('has an import that was checked, whose numbers are those that a check of its file finds', async () => {
    const login = await call(product(), auth.login, null, { body: { email: 'admin@demo.test', password: 'Demo!2026' } })
    const { token } = login.body as { token: string }
    const { body } = await call(product(), contactImports.list, token)
    const [{ id }] = (body as { imports: { id: string }[] }).imports as [{ id: string }]
    const read = async () => (await call(product(), contactImports.get, token, { params: { id } })).body
    const { endedAt: _, ...before } = await read()
    expect(before).toMatchObject({ phase: 'check', status: 'done', created: 4, rejected: 4 })
    const columns = before.columns.map(({ use }) => use)
    await call(product(), contactImports.check, token, { params: { id }, body: { columns } as never })
    await until(async () => (await read()).status !== 'running')
    expect(await read()).toMatchObject(before)
  })

  it('has a chat flow that is published without errors, on no connection, and whose eight cases pass', async () => {
    const login = await call(product(), auth.login, null, { body: { email: 'admin@demo.test', password: 'Demo!2026' } })
    const { rows } = await product().platform.db.asPlatform((db) =>
      sql<{
        id: number
        used: boolean
      }>`select f.id, exists (select from connections where chat_flow_id is not null) as used
        from chat_flows f where name = 'Boas-vindas loja'`.execute(db),
    )
    expect(rows).toEqual([{ id: expect.any(Number), used: false }])
    const { body } = await call(product(), flows.get, (login.body as { token: string }).token, {
      params: { id: rows[0]!.id },
    })
    const detail = body as { version: number; problems: unknown[]; cases: { name: string; isPassed: boolean }[] }
    expect([detail.version, detail.problems, detail.cases.length]).toEqual([1, [], 8])
    expect(detail.cases.filter(({ isPassed }) => !isPassed)).toEqual([])
  })

  it('has prepared what acts by itself, and all of it is off', async () => {
    const { rows } = await product().platform.db.asPlatform((db) =>
      sql<{ prepared: Record<string, number>; on: string[] }>`select
        json_build_object('rules', (select count(*) from rules), 'policies', (select count(*) from sla_policies),
          'farewells', (select count(*) from farewells),
          'modes', (select count(*) from settings where key = 'selfDistributeMode')) as prepared,
        array(select 'rule ' || name from rules where is_active
          union all select 'policy ' || name from sla_policies where is_active
          union all select 'birthdays ' || connection_id from birthday_settings where is_on
          union all select 'auto reply ' || name from auto_replies where is_active
          union all select 'queue ' || queue from queues where distribution in ('R', 'B', 'S') or auto_close = 'own'
          union all select key from settings where key in ('selfDistribute', 'returnAbsent', 'autoClose', 'botTicketActive')
            and value not in ('', 'disabled')) as on`.execute(db),
    )
    expect(rows[0]!.on).toEqual([])
    for (const [what, count] of Object.entries(rows[0]!.prepared)) expect(count, what).toBeGreaterThan(0)
  })

  it('shows what is done with messages and tickets, each at least once, and views that can be read', async () => {
    const { rows } = await product().platform.db.asPlatform((db) =>
      sql<Record<string, number>>`select
        count(*) filter (where edition is not null) as edited, count(*) filter (where is_deleted) as revoked,
        count(*) filter (where send_type = 'forward') as forwarded, count(*) filter (where send_type = 'schedule') as scheduled,
        count(*) filter (where reaction is not null) as reacted, count(*) filter (where is_note) as notes,
        count(*) filter (where mentions is not null) as "groupMentions",
        (select count(*) from mentions) as mentions, (select count(*) from pinned_messages) as pinned,
        (select count(*) from ticket_followers) as followed, (select count(*) from group_members) as members,
        (select count(*) from tickets where snoozed_until > ${product().platform.now()}) as snoozed,
        (select count(*) from tickets where paused_at is not null) as paused
      from messages`.execute(db),
    )
    for (const [what, count] of Object.entries(rows[0]!)) expect(Number(count), what).toBeGreaterThan(0)
    const { body } = await call(product(), auth.login, null, {
      body: { email: 'ana@demo.test', password: 'Demo!2026' },
    })
    const listed = await call(product(), ticketViews.list, (body as { token: string }).token)
    const shown = listed.body
    expect(shown.views.map(({ name }) => name)).toEqual([
      'Esperando há mais de 1 hora',
      'Vendas sem responsável',
      'Minhas não lidas',
    ])
    expect(shown.views.every(({ filter }) => Object.keys(filter).length > 0)).toBe(true)
  })

  it('keeps the second company apart', async () => {
    const { body } = await call(product(), auth.login, null, {
      body: { email: 'admin@outra.test', password: 'Demo!2026' },
    })
    const { token, tenantId } = body as { token: string; tenantId: number }
    const page = (await call(product(), tickets.list, token, { query: { showAll: true } })).body
    const ids = new Set(page.tickets.map((ticket) => ticket.id))
    const foreign = await product().platform.db.asPlatform((db) =>
      db.selectFrom('tickets').select('id').where('tenant_id', '!=', tenantId).execute(),
    )
    expect(foreign.some((ticket) => ids.has(ticket.id))).toBe(false)
    expect((await call(product(), tickets.get, token, { params: { id: foreign[0]!.id } })).status).toBe(404)
  })
})

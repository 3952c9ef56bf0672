import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { dayIn } from '#domain/calendar/local-time.ts'
import { dayAfter } from '#domain/reports/days.ts'
import { evaluations } from '#features/ratings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { type ReportProof, reports, statistics, type Totals } from './contract.ts'
import { storeCompany } from './server/index.ts'

const product = withProduct()
const asPlatform = (text: ReturnType<typeof sql>) => product().platform.db.asPlatform((db) => text.execute(db))
let [tenantId, ticketId, reasonId] = [0, 0, 0]
let admin: string
let day: string

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  reasonId = await m.insert('reasons', tenantId, { name: 'Troca' })
  const now = product().platform.now().getTime()
  const at = new Date(now - 5 * 86_400_000)
  day = dayIn('America/Sao_Paulo', at.getTime())
  ticketId = await m.ticket(tenantId, { created_at: at, updated_at: at, status: 'closed', closed_at: at })
})

const totals = async () => {
  const query = { startDate: dayAfter(day, -1), endDate: dayAfter(day, 1) }
  return (await call(product(), statistics.times, admin, { query })).body as unknown as Totals
}
const rated = (evaluation: number | null) =>
  asPlatform(sql`update ticket_evaluations set evaluation = ${evaluation}, answered_at = app.now(),
    status = ${evaluation === null ? 'expired' : 'answered'} where tenant_id = ${tenantId}`)

// Each case: what changes, how, and the resulting totals.
it.each<[string, () => Promise<unknown>, Partial<Totals>]>([
  [
    'a value that is filled in later',
    () => call(product(), tickets.update, admin, { params: { id: ticketId }, body: { value: '150' } }),
    { value: '150.00' },
  ],
  [
    'a question asked later',
    () =>
      asPlatform(sql`insert into ticket_evaluations (tenant_id, ticket_id, contact_id, connection_id, conversation_key,
        closed_at, asked_at, expires_at, status) select tenant_id, id, contact_id, connection_id, 'k', closed_at, closed_at,
        closed_at, 'expired' from tickets where id = ${ticketId}`),
    { asked: 1, rated: 0 },
  ],
  ['a late rating', () => rated(2), { asked: 1, rated: 1, rating: 2 }],
  ['a rating that is given anew', () => rated(5), { asked: 1, rated: 1, rating: 5 }],
  [
    'a rating that is deleted',
    async () => {
      const { ticketEvaluations } = (await call(product(), evaluations.list, admin, { query: {} })).body as unknown as {
        ticketEvaluations: { id: number }[]
      }
      await call(product(), evaluations.remove, admin, { params: { id: ticketEvaluations[0]!.id } })
    },
    { asked: 0, rated: 0, rating: null },
  ],
  [
    'a ticket that is removed',
    () => asPlatform(sql`delete from tickets where id = ${ticketId}`),
    { qtd_total_atendimentos: 0, value: '0.00' },
  ],
])('the day of a ticket is counted anew after %s', async (_, change, expected) => {
  await storeCompany(product().platform, tenantId)
  // Only changes from now on are recorded.
  await asPlatform(sql`delete from report_changes where tenant_id = ${tenantId}`)
  await change()
  expect(await totals()).toMatchObject(expected)
  await storeCompany(product().platform, tenantId)
  expect(await totals()).toMatchObject(expected)
  expect(((await call(product(), reports.prove, admin, {})).body as unknown as ReportProof).differences).toEqual([])
})

it('a changed reason moves a stored ticket from one row to the other', async () => {
  const m = make(product().platform)
  const at = new Date(Date.parse(`${day}T12:00:00-03:00`))
  const id = await m.ticket(tenantId, { created_at: at, updated_at: at, status: 'closed', closed_at: at })
  await storeCompany(product().platform, tenantId)
  await asPlatform(sql`update tickets set reason_id = ${reasonId} where id = ${id}`)
  const query = { startDate: day, endDate: day }
  expect((await call(product(), statistics.reasons, admin, { query })).body).toEqual([
    { id: reasonId, label: 'Troca', qtd: 1 },
  ])
  // Processed changes are deleted.
  await asPlatform(sql`update report_changes set at = at - interval '1 hour' where tenant_id = ${tenantId}`)
  await asPlatform(sql`update report_state set checked_at = app.now() where tenant_id = ${tenantId}`)
  await storeCompany(product().platform, tenantId)
  expect((await asPlatform(sql`select from report_changes where tenant_id = ${tenantId}`)).rows).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { tickets } from '#features/tickets/contract.ts'
import { ratingCompany } from '#test/rating-company.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { evaluations, type RatingRow } from './contract.ts'

const product = withProduct()
const company = () => ratingCompany(product())

describe('the list', () => {
  /** Evaluations of one contact, each with a ticket; the newest last. */
  async function grades(
    { m, tenantId, phone, ana, queueId }: Awaited<ReturnType<typeof company>>,
    given: readonly (number | null)[],
    row: object = {},
  ) {
    const contactId = await m.contact(tenantId, { name: 'Otávio Rezende' })
    const ids: number[] = []
    for (const [n, evaluation] of given.entries()) {
      const at = new Date(Date.UTC(2026, 9, 1 + n, 15))
      const ticketId = await m.ticket(tenantId, {
        contact_id: contactId,
        connection_id: phone.connectionId,
        status: 'closed',
        closed_at: at,
        user_id: ana.id,
        queue_id: queueId,
        ...row,
      })
      await m.insert('ticket_evaluations', tenantId, {
        ticket_id: ticketId,
        contact_id: contactId,
        connection_id: phone.connectionId,
        conversation_key: 'c',
        user_id: ana.id,
        queue_id: queueId,
        closed_at: at,
        asked_at: at,
        expires_at: at,
        evaluation,
        status: evaluation === null ? 'expired' : 'answered',
      })
      ids.push(ticketId)
    }
    return ids
  }
  const shown = (body: { ticketEvaluations: RatingRow[] }) => body.ticketEvaluations.map((row) => row.evaluation)

  it('shows the newest first, says what they amount to, and is read page by page without a gap', async () => {
    const scene = await company()
    await grades(
      scene,
      Array.from({ length: 90 }, (_, n) => (n % 10 === 0 ? null : n % 6)),
    )
    const first = await scene.list()
    expect(first).toMatchObject({ count: 90, hasMore: true, summary: { answered: 81 } })
    expect(first.summary!.average).toBeCloseTo(
      first.summary!.amounts.reduce((sum, n, rating) => sum + n * rating, 0) / 81,
    )
    expect(first.ticketEvaluations[0]).toMatchObject({
      contactName: 'Otávio Rezende',
      user: { name: 'Ana Lima' },
      queue: { queue: 'Vendas' },
      status: 'answered',
    })
    const second = await scene.list({ cursor: first.nextCursor! })
    const third = await scene.list({ cursor: second.nextCursor! })
    const ids = [first, second, third].flatMap((page) => page.ticketEvaluations.map((row) => row.id))
    expect([ids.length, new Set(ids).size, third.hasMore]).toEqual([90, 90, false])
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect((await scene.list({ pageNumber: 2 })).ticketEvaluations.map((row) => row.id)).toEqual(ids.slice(40, 80))
    expect((await call(product(), evaluations.list, scene.token.lead, { query: { pageNumber: 51 } })).status).toBe(400)
    expect((await call(product(), evaluations.list, scene.token.lead, { query: { cursor: 'x' } })).status).toBe(400)
  })

  it('is narrowed by ratings, by days of the company’s zone, by names and by the ticket', async () => {
    const scene = await company()
    const ids = await grades(scene, [5, 4, null, 0])
    expect(shown(await scene.list({ rating: [5, 0] }))).toEqual([0, 5])
    expect(shown(await scene.list({ rating: 4 }))).toEqual([4])
    expect(shown(await scene.list({ answered: true }))).toEqual([0, 4, 5])
    expect(shown(await scene.list({ from: '2026-10-02', to: '2026-10-03' }))).toEqual([null, 4])
    expect((await scene.list({ from: '2026-10-02', to: '2026-10-03' })).summary).toEqual({
      amounts: [0, 0, 0, 0, 1, 0],
      answered: 1,
      average: 4,
    })
    expect(shown(await scene.list({ searchParam: 'otavio' }))).toEqual([0, null, 4, 5])
    expect(shown(await scene.list({ user: scene.ana.id }))).toHaveLength(4)
    expect(shown(await scene.list({ user: scene.ana.id + 1000 }))).toEqual([])
    // A ticket's number that is no part of the customer's number.
    const at = ids.findIndex((id) => !'5519998121001'.includes(String(id)))
    expect(shown(await scene.list({ searchParam: String(ids[at]) }))).toEqual([[5, 4, null, 0][at]])
    expect(await scene.list({ searchParam: 'ninguém' })).toMatchObject({ count: 0, summary: { average: null } })
  })

  it('shows only what the person may see of the tickets', async () => {
    const scene = await company()
    await grades(scene, [5])
    await grades(scene, [1], { queue_id: scene.otherQueueId, user_id: null })
    expect(shown(await scene.list())).toHaveLength(2)
    const limited = await scene.m.user(scene.tenantId, { profile: 'super', queues: [scene.queueId] })
    await scene.platform.db.asPlatform((db) =>
      db
        .insertInto('settings')
        .values([
          { tenant_id: scene.tenantId, key: 'supervisorAdmin', value: 'enabled' },
          { tenant_id: scene.tenantId, key: 'showClosedForAll', value: 'enabled' },
        ])
        .execute(),
    )
    scene.platform.settings.delete(String(scene.tenantId))
    const token = await scene.m.token(limited)
    const seen = await scene.list({}, token)
    expect([shown(seen), seen.summary, seen.count]).toEqual([
      [5],
      { amounts: [0, 0, 0, 0, 0, 1], answered: 1, average: 5 },
      1,
    ])
  })

  it('masks customers for restricted people, who find them by what they read of a name', async () => {
    const scene = await company()
    await grades(scene, [5])
    const restricted = await scene.m.user(scene.tenantId, { profile: 'super' })
    await scene.platform.db.asPlatform((db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
    )
    const token = await scene.m.token(restricted)
    expect((await scene.list({}, token)).ticketEvaluations).toMatchObject([{ contactName: 'Otávi…' }])
    expect(shown(await scene.list({ searchParam: 'otávi' }, token))).toEqual([5])
    expect(shown(await scene.list({ searchParam: 'otávio rezende' }, token))).toEqual([])
  })

  it('is for leads, and only admins delete from it; what is gone no longer counts at its ticket', async () => {
    const scene = await company()
    const [ticketId] = (await grades(scene, [2])) as [number]
    expect((await call(product(), evaluations.list, scene.token.ana, { query: {} })).status).toBe(403)
    const { id } = (await scene.list()).ticketEvaluations[0]!
    const remove = (by: string) => call(product(), evaluations.remove, by, { params: { id } })
    expect((await remove(scene.token.lead)).status).toBe(403)
    const detail = async () =>
      (await call(product(), tickets.get, scene.token.admin, { params: { id: ticketId } })).body.rating
    expect(await detail()).toBe(2)
    expect((await remove(scene.token.admin)).status).toBe(200)
    expect((await remove(scene.token.admin)).status).toBe(404)
    expect([await detail(), shown(await scene.list())]).toEqual([null, []])
  })

  it('tells at a ticket, to whoever sees it, each time that its customer was asked', async () => {
    const scene = await company()
    const id = await scene.asked()
    await scene.say('3')
    await scene.change(id, { status: 'open' })
    await scene.resolve(id)
    await until(async () => (await scene.rows()).length === 2)
    const logs = (by: string) => call(product(), evaluations.logs, by, { params: { ticketId: id } })
    expect((await logs(scene.token.ana)).body).toMatchObject({
      logs: [
        { status: 'asked', evaluation: null, answeredAt: null },
        { status: 'answered', evaluation: 3, user: { name: 'Ana Lima' }, answeredAt: expect.any(String) },
      ],
    })
    const stranger = await scene.m.token(await scene.m.user(scene.tenantId, { queues: [scene.otherQueueId] }))
    expect((await logs(stranger)).status).toBe(404)
  })
})

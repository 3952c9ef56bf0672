import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type Change, replay } from '#domain/funnel/card.ts'
import { sumOf } from '#domain/funnel/money.ts'
import { bulk } from '#features/bulk/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { merge } from '#features/contacts/server/merges/merge.ts'
import { type Task, tasks } from '#features/tasks/tasks.ts'
import { unit } from '#server/context.ts'
import { forgetEverywhere } from '#server/forgetting.ts'
import { funnelBy } from '#test/funnel.ts'
import { make, type Person } from '#test/make.ts'
import { withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { type Opportunity, opportunities } from './contract.ts'
import { pipelineStages, pipelines } from './pipelines-contract.ts'
import { releaseCardsOf } from './server/index.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let boss: Person
let ana: Person
let bia: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  boss = await m().person(tenantId, { profile: 'admin' })
  ana = await m().person(tenantId)
  bia = await m().person(tenantId)
})

const { ask, pipeline, create, board, move, put, historyOf } = funnelBy(product, () => ({ tenantId, boss }))
const rows = <T>(text: (id: number) => string, id: number) =>
  product().platform.db.asPlatform(async (db) => {
    const { sql } = await import('kysely')
    return (await sql.raw<T>(text(id)).execute(db)).rows
  })

it('is made, moved, won and lost, and its history says all of it', async () => {
  const { id: pipelineId, stages } = await pipeline()
  const { status, body: card } = await create(ana, { pipelineId, value: '1290.5', closingForecast: '2030-01-31' })
  expect([status, card]).toMatchObject([
    200,
    { value: '1290.50', status: 'open', stageId: stages[0]!.id, responsibleId: null, closingForecast: '2030-01-31' },
  ])
  expect((await move(ana, card.id, stages[1]!.id)).body.stageId).toBe(stages[1]!.id)
  expect((await put(ana, card.id, { status: 'lose' })).body.details).toEqual({ reason: expect.any(String) })
  expect((await put(ana, card.id, { status: 'lose', reason: 'Preço' })).body).toMatchObject({ reason: 'Preço' })
  expect((await put(ana, card.id, { status: 'open' })).body).toMatchObject({ status: 'open', reason: '' })
  expect((await put(ana, card.id, { status: 'win', value: '900' })).body).toMatchObject({ value: '900.00' })
  const kinds = (await historyOf(card.id)).map(({ kind, after }: Change) => [kind, after])
  expect(kinds).toEqual([
    ['value', '900.00'],
    ['status', 'win'],
    ['status', 'open'],
    ['status', 'lose'],
    ['stage', String(stages[1]!.id)],
    ['forecast', '2030-01-31'],
    ['value', '1290.50'],
    ['status', 'open'],
    ['stage', String(stages[0]!.id)],
    ['created', null],
  ])
  const [first, second] = await board(boss, pipelineId)
  // One advanced to the second stage, and was once lost and once won there.
  expect([first!.advances, second!.advances]).toEqual([100, 50])
  const { body } = await ask(boss, opportunities.board, { query: { pipelineId } })
  expect(body.figures).toMatchObject({ open: '0.00', winRate: 100, average: '900.00' })
})

it('shows the first pipeline where none is named', async () => {
  await pipeline()
  const { id: pipelineId } = (await ask(boss, pipelines.list)).body.data[0]!
  const [named, unnamed] = await Promise.all([
    ask(boss, opportunities.board, { query: { pipelineId } }),
    ask(boss, opportunities.board),
  ])
  expect([unnamed.status, unnamed.body]).toEqual([200, named.body])
})

it('shows an empty board to a company without a pipeline', async () => {
  const newcomer = await m().person(await m().tenant(), { profile: 'admin' })
  const { status, body } = await ask(newcomer, opportunities.board)
  expect([status, body.stages, body.figures.open]).toEqual([200, [], '0.00'])
})

it.each<[string, object, string]>([
  ['a value below nothing', { value: '-1' }, 'value'],
  ['a value that is none', { value: '1.234,50' }, 'value'],
  ['too much', { value: '1234567890123' }, 'value'],
  ['no name', { name: '  ' }, 'name'],
  ['no such day', { closingForecast: '2030-02-30' }, 'closingForecast'],
  ['another state', { status: 'parado' }, 'status'],
])('refuses %s', async (_, body, field) => {
  const { id: pipelineId } = await pipeline()
  expect(await create(ana, { pipelineId, ...body })).toMatchObject({
    status: 400,
    body: { details: { [field]: expect.any(String) } },
  })
})

it('is seen by whose it is, by all while it is nobody’s, and by leads; of another company nothing is found', async () => {
  const { id: pipelineId, stages } = await pipeline()
  const [own, nobodys, other] = await Promise.all([
    create(boss, { pipelineId, responsibleId: ana.id, value: '1' }),
    create(boss, { pipelineId, value: '10' }),
    create(boss, { pipelineId, responsibleId: bia.id, value: '100' }),
  ])
  const sumFor = async (who: Person) => (await board(who, pipelineId))[0]!.value
  expect(await Promise.all([ana, bia, boss].map(sumFor))).toEqual(['11.00', '110.00', '111.00'])
  const id = other.body.id
  expect((await put(ana, id, { name: 'Minha' })).status).toBe(404)
  expect((await move(ana, id, stages[1]!.id)).status).toBe(404)
  expect((await ask(ana, opportunities.history, { params: { id } })).status).toBe(404)
  expect((await ask(ana, opportunities.remove, { params: { id } })).status).toBe(404)
  const { body } = await ask(ana, opportunities.list, { query: { pipelineId } })
  expect(body.data.map((one: Opportunity) => one.id).sort()).toEqual([own.body.id, nobodys.body.id].sort())
  expect(body.total).toBe(2)
  const stranger = await m().person(await m().tenant(), { profile: 'admin' })
  expect((await ask(stranger, opportunities.get, { params: { id } })).status).toBe(404)
  const theirs = await m().contact(stranger.tenantId)
  expect((await create(boss, { pipelineId, contactId: theirs })).body.error).toBe('ERR_NO_CONTACT_FOUND')
  expect((await put(boss, own.body.id, { responsibleId: stranger.id })).status).toBe(400)
  // Given to another owner, it is no longer visible.
  expect((await put(ana, own.body.id, { responsibleId: bia.id })).status).toBe(200)
  expect((await ask(ana, opportunities.get, { params: { id: own.body.id } })).status).toBe(404)
})

it('shows restricted users masked contacts', async () => {
  const { id: pipelineId } = await pipeline()
  const contactId = await m().contact(tenantId, { name: 'Marlene Figueiredo' })
  await create(boss, { pipelineId, contactId })
  const shy = await m().person(tenantId)
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', shy.id).execute(),
  )
  product().platform.bus.stale(`actors ${tenantId}:${shy.id}`)
  const [stage] = await board(shy, pipelineId)
  expect(stage!.cards[0]!.contact).toMatchObject({ name: 'Marle…', number: '•••••••' })
  expect((await board(shy, pipelineId, { searchTerm: 'Figueiredo' }))[0]!.cards).toEqual([])
})

it('stands where it was put; two that are dropped at once both stand, and a neighbour that has gone is refused', async () => {
  const { id: pipelineId, stages } = await pipeline()
  const [first, second] = [stages[0]!, stages[1]!]
  const ids: number[] = []
  for (let n = 0; n < 4; n++) ids.push((await create(boss, { pipelineId })).body.id)
  const [a, b, c, d] = ids as [number, number, number, number]
  const both = await Promise.all([move(boss, d, first.id, b), move(ana, c, first.id, b)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const order = (await board(boss, pipelineId))[0]!.cards.map(({ id }) => id)
  expect([order[0], order[3], order.slice(1, 3).sort()]).toEqual([a, b, [c, d].sort()])
  await move(boss, b, second.id)
  expect(await move(boss, a, first.id, b)).toMatchObject({ status: 409, body: { error: 'ERR_BOARD_CHANGED' } })
})

it('is narrowed, put in order with a cursor each, and exported', async () => {
  const { id: pipelineId, stages } = await pipeline()
  const stageId = stages[0]!.id
  for (const value of ['30', '10', '20']) await create(boss, { pipelineId, name: `Sofá ${value}`, value })
  const values = async (query: object) => (await board(boss, pipelineId, query))[0]!.cards.map(({ value }) => value)
  expect(await values({ ordenacao: 'valor_desc' })).toEqual(['30.00', '20.00', '10.00'])
  expect(await values({ valorMin: '15', ordenacao: 'valor_asc' })).toEqual(['20.00', '30.00'])
  expect(await values({ searchTerm: 'sofa 1' })).toEqual(['10.00'])
  expect(await values({ alert: 'unassigned', periodo: 'hoje' })).toEqual(['30.00', '10.00', '20.00'])
  expect(await values({ alert: 'high' })).toEqual([])
  expect(await values({ alert: 'taskless', responsibleId: 'none' })).toHaveLength(3)
  for (const ordenacao of [undefined, 'valor_desc', 'valor_asc', 'data_desc', 'data_asc', 'fechamento']) {
    const query = { ordenacao, stageId, limit: 1 }
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const { body } = await ask(boss, opportunities.column, { query: cursor ? { ...query, cursor } : query })
      seen.push(...body.cards.map(({ value }: Opportunity) => value))
      cursor = body.nextCursor
    } while (cursor)
    expect(seen).toEqual(await values({ ordenacao }))
  }
  const { status, body: file } = await ask(boss, opportunities.export, { body: { pipelineId, valorMin: '15' } })
  expect([status, (file as string).split('\r\n').filter((row) => row.includes('Sofá'))]).toEqual([
    200,
    [expect.stringContaining('Sofá 20'), expect.stringContaining('Sofá 30')],
  ])
  const wrong = await ask(boss, opportunities.column, { query: { stageId, ordenacao: 'valor_asc', cursor: 'WyJ4Il0' } })
  expect(wrong.status).toBe(400)
})

it('adds up on the dashboard, however it is split, to the whole that the list has', async () => {
  const { id: pipelineId } = await pipeline()
  const status = [undefined, 'win', 'lose', undefined]
  for (const [turn, one] of status.entries())
    await create(boss, {
      ...{ pipelineId, value: String(10 ** turn), responsibleId: turn % 2 ? ana.id : null },
      ...(one ? { status: one, reason: 'Preço' } : { closingForecast: turn === 0 ? '2031-05-09' : null }),
    })
  const { body } = await ask(boss, opportunities.dashboard, { query: { pipelineId } })
  expect(body).toMatchObject({
    created: { count: 4, value: '1111.00' },
    open: { count: 2, value: '1001.00' },
    won: { count: 1, value: '10.00' },
    lost: { count: 1, value: '100.00' },
    ...{ winRate: 50, average: '10.00' },
    forecast: [
      { month: '2031-05', count: 1, value: '1.00', expected: '0.50' },
      { month: null, count: 1, value: '1000.00', expected: '500.00' },
    ],
  })
  for (const split of [body.owners, body.statuses])
    expect(sumOf(split.map(({ value }: { value: string }) => value))).toBe('1111.00')
  expect(body.months.map(({ created, won, lost }: Record<string, number>) => [created, won, lost])).toEqual([[4, 1, 1]])
  const unassigned = body.alerts.find(({ alert }: { alert: string }) => alert === 'unassigned')
  expect(unassigned).toMatchObject({ count: 1, value: '1.00' })
  // One card is active, the other is idle and of high value.
  const [resting, working] = (await ask(boss, opportunities.list, { query: { pipelineId, status: ['open'] } })).body
    .data
  await put(boss, resting.id, { value: '10000.01', closingForecast: '2020-01-01' })
  await rows(
    (
      id,
    ) => `update opportunities set moved_at = moved_at - interval '6 days', stage_since = stage_since - interval '16 days'
      where id = ${id} returning id`,
    resting.id,
  )
  await m().insert('tasks', tenantId, {
    ...{ name: 'Ligar', opportunity_id: working.id, contact_id: working.contactId, limit_date: '2031-01-01' },
    ...{ created_at: new Date(), updated_at: new Date() },
  })
  const { body: later } = await ask(boss, opportunities.dashboard, { query: { pipelineId } })
  for (const { alert, count } of later.alerts as { alert: string; count: number }[]) {
    const { body: list } = await ask(boss, opportunities.list, { query: { pipelineId, alert } })
    expect([alert, count]).toEqual([alert, list.total])
    expect([alert, count]).toEqual([alert, 1])
  }
  const { body: seen } = await ask(bia, opportunities.dashboard, { query: { pipelineId } })
  expect(seen.created).toEqual({ count: 2, value: '101.00' })
})

it('is changed in bulk and back, and goes on without who left', async () => {
  const { id: pipelineId, stages } = await pipeline()
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.push((await create(boss, { pipelineId, value: '5', responsibleId: ana.id })).body.id)
  const start = (action: string, args = {}) => ask(boss, opportunities.bulk, { body: { ids, action, args } })
  expect((await start('lose')).status).toBe(400)
  const { body: operation } = await start('move', { stageId: stages[2]!.id })
  expect(operation).toMatchObject({ status: 'done', done: 3, refusedCount: 0 })
  expect((await board(boss, pipelineId)).map(({ value }) => value)).toEqual(['0.00', '0.00', '15.00'])
  await ask(boss, bulk.undo, { params: { id: operation.id } })
  expect((await board(boss, pipelineId)).map(({ value }) => value)).toEqual(['15.00', '0.00', '0.00'])
  await unit(product().platform, { tenantId, user: null }, (ctx) => releaseCardsOf(ctx, ana.id))
  const [stage] = await board(bia, pipelineId)
  expect([stage!.count, stage!.cards.map(({ responsibleId }) => responsibleId)]).toEqual([3, [null, null, null]])
  expect((await start('win')).body.done).toBe(3)
  expect((await board(boss, pipelineId, { status: 'win' }))[0]!.value).toBe('15.00')
})

it('follows the person that its contact becomes part of, and is emptied with whoever is forgotten', async () => {
  const { id: pipelineId } = await pipeline()
  const [one, other] = [await m().contact(tenantId), await m().contact(tenantId)]
  const { body: card } = await create(boss, { pipelineId, contactId: other, name: 'Cozinha de Rui', value: '7' })
  const { platform } = product()
  await unit(platform, { tenantId, user: null }, (ctx) => merge(ctx, { id: one, otherId: other, proof: 'person' }))
  for (const contactId of [one, other]) {
    const { body } = await ask(boss, opportunities.ofContact, { params: { contactId } })
    expect(body.data.map(({ id, contact }: Opportunity) => [id, contact.id])).toEqual([[card.id, one]])
  }
  expect((await ask(boss, contacts.remove, { params: { id: one } })).body.error).toBe('ERR_CONTACT_OPPORTUNITIES')
  const gone = { contactIds: [one, other], ticketIds: [], identifiers: [], fileIds: [] }
  await unit(platform, { tenantId, user: null }, (ctx) => forgetEverywhere(ctx, gone))
  const { body } = await ask(boss, opportunities.get, { params: { id: card.id } })
  expect(body).toMatchObject({ name: 'Oportunidade', value: '7.00' })
})

it('has stages and pipelines removed once it is said where its cards go', async () => {
  const { id: pipelineId, name, stages } = await pipeline()
  const { id: elsewhere, stages: others } = await pipeline()
  const [first, second] = [stages[0]!, stages[1]!]
  await create(boss, { pipelineId, value: '3' })
  expect((await ask(boss, pipelineStages.remove, { params: { id: first.id } })).body.error).toBe(
    'ERR_PIPELINE_STAGE_IN_USE',
  )
  const fewer = { params: { id: pipelineId }, body: { name, stages: [{ id: second.id, name: 'Proposta' }] } }
  expect((await ask(boss, pipelines.update, fewer)).status).toBe(409)
  const replaced = await ask(boss, pipelineStages.replace, { params: { id: first.id }, body: { stageId: second.id } })
  expect(replaced.body).toEqual({ moved: 1 })
  expect((await ask(boss, pipelines.update, fewer)).body.stages).toHaveLength(1)
  expect((await board(boss, pipelineId)).map(({ value }) => value)).toEqual(['3.00'])
  expect((await ask(boss, pipelines.remove, { params: { id: pipelineId } })).body.error).toBe('ERR_PIPELINE_IN_USE')
  const to = { params: { id: pipelineId }, body: { stageId: others[0]!.id } }
  expect((await ask(boss, pipelines.replace, to)).body).toEqual({ moved: 1 })
  expect((await board(boss, elsewhere))[0]!.value).toBe('3.00')
  expect((await ask(boss, pipelines.get, { params: { id: pipelineId } })).status).toBe(404)
  expect((await ask(ana, pipelines.create, { body: { name: 'Meu', stages: [{ name: 'A' }] } })).status).toBe(403)
  const twice = {
    body: { name: (await ask(boss, pipelines.get, { params: { id: elsewhere } })).body.name, stages: [{ name: 'A' }] },
  }
  expect((await ask(boss, pipelines.create, twice)).body.error).toBe('ERR_DUPLICATED_PIPELINE')
})

type Step = {
  readonly kind: 'create' | 'move' | 'value' | 'win' | 'lose' | 'open' | 'owner' | 'remove'
  readonly n: number
}
const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'move', 'move', 'value', 'win', 'lose', 'open', 'owner', 'remove'),
  n: fc.nat(1000),
}) as fc.Arbitrary<Step>

it('has one truth: board, list, sums and replay agree after every step of four writers at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, step, step, step), { minLength: 2, maxLength: 6 }), async (rounds) => {
      const { id: pipelineId, stages } = await pipeline()
      const contactId = await m().contact(tenantId)
      for (const round of rounds) {
        const known = (await ask(boss, opportunities.list, { query: { pipelineId, limit: 100 } })).body.data
        await Promise.all(round.map((one) => take(one, { pipelineId, contactId, stages, known })))
        await expectOneTruth(pipelineId)
      }
    }),
    { numRuns: breadth(3, 20) },
  )
})

async function take(
  { kind, n }: Step,
  where: { pipelineId: number; contactId: number; stages: { id: number }[]; known: Opportunity[] },
) {
  const { pipelineId, contactId, stages, known } = where
  const card = known[n % Math.max(1, known.length)]
  const stage = stages[n % stages.length]!
  if (kind === 'create' || !card)
    return create(boss, { pipelineId, contactId, stageId: stage.id, value: `${n}.${n % 10}` })
  if (kind === 'move') return move(boss, card.id, stage.id)
  if (kind === 'value')
    return put(boss, card.id, { value: String(n * 500), closingForecast: n % 3 ? `2031-0${1 + (n % 9)}-15` : null })
  if (kind === 'owner') return put(boss, card.id, { responsibleId: n % 2 ? ana.id : null })
  if (kind === 'remove') return ask(boss, opportunities.remove, { params: { id: card.id } })
  return put(boss, card.id, { status: kind, reason: 'Porque sim' })
}

async function expectOneTruth(pipelineId: number) {
  const statuses = ['open', 'win', 'lose']
  const { body } = await ask(boss, opportunities.list, { query: { pipelineId, limit: 100, status: statuses } })
  const listed = body.data as Opportunity[]
  const columns = await board(boss, pipelineId, { status: statuses })
  expect(body.total).toBe(listed.length)
  for (const { id, count, value, cards } of columns) {
    const here = listed.filter(({ stageId }) => stageId === id)
    expect([count, value]).toEqual([here.length, sumOf(here.map((one) => one.value))])
    expect(new Set(cards.map((card) => card.id))).toEqual(new Set(here.map((one) => one.id)))
  }
  const kept = await rows<{ count: number; value: string }>(
    (id) => `select coalesce(sum(m.count), 0)::int as count, coalesce(sum(m.value), 0)::numeric(18,2)::text as value
      from pipeline_sums m join pipeline_stages s on s.id = m.stage_id and s.tenant_id = m.tenant_id where s.pipeline_id = ${id}`,
    pipelineId,
  )
  expect(kept[0]).toEqual({ count: listed.length, value: sumOf(listed.map(({ value }) => value)) })
  // A filter that excludes nothing forces counting card by card instead of stored sums.
  const [stored, counted] = await Promise.all(
    [{}, { valorMin: '0' }].map((filter) => ask(boss, opportunities.dashboard, { query: { pipelineId, ...filter } })),
  )
  expect(stored!.body).toEqual(counted!.body)
  for (const { id, stageId, status, value, responsibleId, closingForecast } of listed) {
    const history = await rows<Change & { entry: number }>(
      (one) => `select kind, before, after, entry from opportunity_history where opportunity_id = ${one} order by id`,
      id,
    )
    expect(replay(history)).toEqual({ stageId, status, value, responsibleId, closingForecast })
    // Each row continues the previous one, and entries are counted one by one.
    for (const [kind, lines] of Map.groupBy(history, (line) => line.kind))
      expect([kind, lines.slice(1).map(({ before }) => before)]).toEqual([
        kind,
        lines.slice(0, -1).map(({ after }) => after),
      ])
    const entries = history.filter(({ kind }) => kind === 'stage').map(({ entry }) => entry)
    expect(entries).toEqual(entries.map((_, index) => index + 1))
  }
}

it('has tasks of its own, which bring its contact along, and shows the next one of them', async () => {
  const { id: pipelineId } = await pipeline()
  const contactId = await m().contact(tenantId)
  const [one, other] = [
    (await create(ana, { pipelineId, contactId, responsibleId: ana.id })).body,
    (await create(ana, { pipelineId, contactId, responsibleId: ana.id })).body,
  ]
  const task = (who: Person, body: object) =>
    ask(who, tasks.ops.create, {
      body: { name: 'Ligar', description: 'Preço', limitDate: '2199-03-02', ownerId: ana.id, ...body },
    })
  const next = async (id: number) =>
    (await ask(ana, opportunities.get, { params: { id } })).body.nextTask?.name as string | undefined
  const { status, body: made } = await task(ana, { opportunityId: one.id, contactId: null })
  expect([status, made]).toMatchObject([200, { opportunityId: one.id, contactId }])
  expect([await next(one.id), await next(other.id)]).toEqual(['Ligar', undefined])
  const taskless = async () => {
    const stages = await board(ana, pipelineId, { alert: 'taskless' })
    return stages.flatMap(({ cards }) => cards.map(({ id }) => id))
  }
  expect(await taskless()).toEqual([other.id])
  // A task of the contact alone is visible to all; the earlier one comes first.
  await task(ana, { name: 'Visita', contactId, limitDate: '2199-03-01' })
  expect([await next(one.id), await next(other.id)]).toEqual(['Visita', 'Visita'])
  const listed = async (who: Person, opportunityId: number) =>
    ((await ask(who, tasks.ops.list, { query: { opportunityId } })).body.items as Task[]).map(({ id }) => id)
  expect([await listed(ana, one.id), await listed(ana, other.id)]).toEqual([[made.id], []])
  expect(await listed(bia, one.id)).toEqual([])
  // Records that its author may not see are not linked, nor those of another company.
  const stranger = await m().person(await m().tenant(), { profile: 'admin' })
  expect(await task(bia, { ownerId: bia.id, opportunityId: one.id })).toMatchObject({
    status: 404,
    body: { error: 'ERR_NO_OPPORTUNITY_FOUND' },
  })
  expect((await task(stranger, { ownerId: stranger.id, opportunityId: one.id })).status).toBe(404)
  const put = (body: object) => ask(ana, tasks.ops.update, { params: { id: made.id }, body })
  expect((await put({ opportunityId: other.id })).body).toMatchObject({ opportunityId: other.id, contactId })
  expect((await put({ status: 'finished' })).body.opportunityId).toBe(other.id)
  expect((await put({ opportunityId: null })).body).toMatchObject({ opportunityId: null, contactId })
  await put({ opportunityId: one.id })
  expect((await ask(ana, opportunities.remove, { params: { id: one.id } })).status).toBe(200)
  expect((await put({ comments: 'Segue' })).body).toMatchObject({ opportunityId: null, contactId, comments: 'Segue' })
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listStarting } from '#features/flows/server/queries.ts'
import { listCases } from '#features/flows/server/queries-cases.ts'
import {
  differentIn,
  findStored,
  flowsToCheck,
  listRecorded,
  newestReplay,
} from '#features/flows/server/queries-replay.ts'
import { attendedBy, compiledFlow } from '#features/flows/server/queries-replies.ts'
import { findClosing } from '#features/flows/server/queries-sessions.ts'
import { countVisits, countWalks, listVisits } from '#features/flows/server/queries-stats.ts'
import { ticketsWhere } from '#features/visibility/server/queries-visibility.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { explainingDatabase, type Plan } from './explaining.ts'
import { company, withoutForeignKeys } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'

const SESSIONS = 25_000
const MINUTE = 60_000
const END = Date.UTC(2026, 10, 20)
const BEGIN = END - SESSIONS * MINUTE
const HOUR = { from: new Date(END - 60 * MINUTE), to: new Date(END) }

let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>
let flowId: number
let replyId: number
let replayId: number
let sessionIds: string[]

/**
 * A company in which 25,000 conversations went through a flow, one a minute, in two versions: 100,000 steps, each with its
 * messages; every one was played again, and one in ten has a ticket that a flow attends.
 */
beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const tenantId = await company(owner, 'Fluxos')
  await withoutForeignKeys(owner, () => fill(tenantId))
  const { rows } = await owner.query<{ session_id: string }>(
    'select session_id from flow_steps where tenant_id = $1 and begins order by at desc limit 200',
    [tenantId],
  )
  sessionIds = rows.map((row) => row.session_id)
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
}, 120_000)

async function fill(tenantId: number): Promise<void> {
  const one = async (text: string, values: readonly unknown[] = []) =>
    Number((await owner.query<{ id: string }>(text, [tenantId, ...values])).rows[0]!.id)
  await owner.query(
    "insert into contacts (tenant_id, name) select $1, 'Cliente ' || n from generate_series(0, $2::int) n",
    [tenantId, SESSIONS],
  )
  const contactId = await one('select min(id) as id from contacts where tenant_id = $1')
  await owner.query(
    `insert into chat_flows (tenant_id, name, definition) select $1, 'Fluxo ' || n, '{}' from generate_series(1, 20) n`,
    [tenantId],
  )
  flowId = await one('select min(id) as id from chat_flows where tenant_id = $1')
  replyId = await one(
    "insert into auto_replies (tenant_id, name, created_at, updated_at) values ($1, 'Recepção', now(), now()) returning id",
  )
  await owner.query('update chat_flows set auto_reply_id = $2 where tenant_id = $1 and id = $3', [
    tenantId,
    replyId,
    flowId + 1,
  ])
  await owner.query(
    `insert into tickets (tenant_id, status, connection_id, contact_id, conversation_key, channel, chat_flow_id, updated_at, closed_at)
     select $1, case when n % 10 = 0 then 'pending' else 'closed' end, x.id, $2 + n, '55119' || lpad(n::text, 8, '0'), 'lab',
       case when n % 10 = 0 then $3 + n / 10 % 20 end, t.at, t.at
     from generate_series(1, $4::int) n, (select min(id) as id from connections where tenant_id = $1) x,
       lateral (select to_timestamp(($5::bigint + n * 60000) / 1000.0) as at) t`,
    [tenantId, contactId, flowId, SESSIONS, BEGIN],
  )
  const inTurn = `(select id, row_number() over (order by id) as n from tickets where tenant_id = $1) t`
  await owner.query(
    `insert into flow_sessions (tenant_id, id, ticket_id, chat_flow_id, version, state, ended_at, created_at, updated_at)
     select $1, gen_random_uuid(), t.id, $2, 1 + t.n % 2, '{"effects": 4}', now(), now(), now() from ${inTurn}`,
    [tenantId, flowId],
  )
  const walked = `(select s.id, s.ticket_id, s.version, row_number() over (order by s.ticket_id) as n from flow_sessions s where s.tenant_id = $1) s`
  const at = `to_timestamp(($2::bigint + s.n * 60000) / 1000.0)`
  await owner.query(
    `insert into flow_steps (tenant_id, session_id, number, node_id, why, at, chat_flow_id, version, begins, is_entry, branch_node, branch)
     select $1, s.id, k, 'n' || k % 2, '', ${at} + k * interval '1 second', $3, s.version, k = 1, k in (1, 3), 'n1', 0
     from ${walked}, generate_series(1, 4) k`,
    [tenantId, BEGIN, flowId],
  )
  await owner.query(
    `insert into flow_events (tenant_id, session_id, event) select $1, s.id, '{"type": "start"}' from ${walked}, generate_series(1, 2)`,
    [tenantId],
  )
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, id_front, send_type, from_me, status, body, timestamp)
     select $1, gen_random_uuid(), s.ticket_id, 1, 1, 'x', s.id || ':' || 2, 'bot', true, 'sent', 'Oi', ${at} from ${walked} where s.n > ${SESSIONS - 1000}`,
    [tenantId, BEGIN],
  )
  await owner.query(
    `insert into flow_cases (tenant_id, chat_flow_id, name, conversation, expect, created_at)
     select $1, $2 + n % 20, 'Caso', '{}', '{}', now() from generate_series(1, 4000) n`,
    [tenantId, flowId],
  )
  await owner.query(
    `insert into flow_replays (tenant_id, chat_flow_id, from_at, to_at, counts, created_at)
     select $1, $2 + n % 20, now(), now(), '{}', now() from generate_series(1, 2000) n`,
    [tenantId, flowId],
  )
  replayId = await one('select max(id) as id from flow_replays where tenant_id = $1')
  await owner.query(
    `insert into flow_replay_sessions (tenant_id, replay_id, session_id, begun_at, outcome)
     select $1, $3 - s.n % 2000, s.id, ${at}, case when s.n % 3 = 0 then 'way' else 'same' end from ${walked}`,
    [tenantId, BEGIN, replayId],
  )
}

afterAll(async () => {
  await eyes.close()
  await owner.end()
})

const readOf = (plans: readonly Plan[], table: string) =>
  plans.reduce((sum, { read }) => sum + (read.get(table) ?? 0), 0)

test('a page of recorded conversations reads those alone, wherever it stands', async () => {
  const page = { chatFlowId: flowId, from: new Date(BEGIN), to: new Date(END), limit: 200 }
  let behind: Awaited<ReturnType<typeof listRecorded>>[number] | null = null
  for (let turn = 0; turn < 3; turn++) {
    const plans = await eyes.plansOf(async () => {
      const rows = await listRecorded(eyes.db, { ...page, behind })
      expect(rows).toHaveLength(200)
      behind = rows.at(-1)!
    })
    expect([readOf(plans, 'flow_steps'), readOf(plans, 'flow_events')]).toEqual([200, 400])
  }
})

test('what is stored of conversations is found by their keys', async () => {
  const plans = await eyes.plansOf(async () => expect((await findStored(eyes.db, sessionIds)).size).toBe(200))
  expect(readOf(plans, 'flow_sessions')).toBe(200)
  expect(readOf(plans, 'flow_steps')).toBe(800)
  expect(readOf(plans, 'messages')).toBe(200)
})

test('figures of an hour read the conversations of that hour', async () => {
  const walks = { chatFlowId: flowId, version: 1, ...HOUR }
  const which = { nodeId: 'n1', way: null, index: null }
  const everybody = ticketsWhere(true)
  const plans = await eyes.plansOf(async () => {
    expect(await countWalks(eyes.db, walks)).toBe(30)
    expect((await countVisits(eyes.db, walks)).length).toBeGreaterThan(0)
    expect(await listVisits(eyes.db, walks, which, everybody, { after: null, offset: 0, limit: 20 })).toHaveLength(20)
  })
  expect(readOf(plans, 'flow_steps')).toBeLessThanOrEqual(30 + 2 * (30 + 4 * 30))
  expect(readOf(plans, 'flow_sessions')).toBeLessThanOrEqual(4 * 30)
  expect(readOf(plans, 'tickets')).toBeLessThanOrEqual(8 * 30)
})

test('cases, replays and what a night found are those of their flow', async () => {
  const plans = await eyes.plansOf(async () => {
    expect(await listCases(eyes.db, flowId)).toHaveLength(200)
    expect(await newestReplay(eyes.db, flowId, true)).toBeDefined()
    expect(await differentIn(eyes.db, replayId)).toBeDefined()
    expect((await flowsToCheck(eyes.db, new Date(0))).length).toBe(0)
  })
  expect(readOf(plans, 'flow_cases')).toBe(200)
  expect(readOf(plans, 'flow_replays')).toBeLessThanOrEqual(2 + 20)
  expect(readOf(plans, 'flow_replay_sessions')).toBeLessThanOrEqual(20)
})

test('auto replies count what they attend among what flows attend, and nobody reads tickets to begin one', async () => {
  const plans = await eyes.plansOf(async () => {
    expect((await attendedBy(eyes.db, [replyId])).get(replyId)).toBe(125)
    expect(await compiledFlow(eyes.db, replyId)).toBeDefined()
    expect(await listStarting(eyes.db)).toHaveLength(20)
  })
  expect(readOf(plans, 'tickets')).toBeLessThanOrEqual(SESSIONS / 10)
  const closing = await eyes.plansOf(async () => {
    const { rows } = await owner.query('select id, contact_id, connection_id from tickets order by id desc limit 1')
    const ticket = { id: 0, contact_id: Number(rows[0].contact_id), connection_id: Number(rows[0].connection_id) }
    await findClosing(eyes.db as never, ticket as never, new Date(BEGIN))
  })
  expect(readOf(closing, 'tickets')).toBeLessThanOrEqual(1)
})

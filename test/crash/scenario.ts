import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inject } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { generateTypes } from '../../scripts/generate-types.ts'
import { addTo, lastOutput, query, run, START_MS, startChild, startPeer, stop } from './processes.ts'

/** Points at which the product may be killed. */
export const crashPoints = [
  'journal committed',
  'after the 200',
  'before ingest commit',
  'processed at once',
  'provider accepted',
  'provider acted',
  'file being written',
  'due messages released',
] as const

/** State after the crashes. */
export type Aftermath = {
  deaths: number
  /** Bodies received per conversation, in the database's order. */
  inbound: Record<string, string[]>
  ticketsPerConversation: number[]
  /** Replies as the provider holds them, by conversation, in order of arrival. */
  replies: Record<string, string[]>
  replyStatuses: string[]
  /** Replies as stored by the product, by conversation. */
  said: Record<string, string[]>
  files: { rows: number; unfinished: number }
  /** Number of events and jobs set aside. */
  aside: number
}

const PEOPLE = ['5531900000001', '5531900000002', '5531900000003']

/** Kills the product `times` times at a point, while contacts write and an agent replies; returns the resulting state. */
export async function crash(point: (typeof crashPoints)[number], times: number): Promise<Aftermath> {
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-crash-'))
  const peer = await startPeer()
  const { tenantId, connectionId, token, tickets } = await prepare(databaseUrl, point)
  let child: { process: ChildProcess; address: string } | null = null
  let deaths = 0
  let starts = 0
  let armed = false
  let ended: Error | null = null

  const start = async (crashAt: string) => {
    const next = await startChild({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PEER_URL: peer.url,
      CRASH_AT: crashAt,
      // Work on which process after process dies alone would be set aside, so the following ones pass the point once or
      // twice.
      CRASH_AFTER: String(starts++ % 3),
    })
    const died = () => {
      child = null
      if (armed) deaths++
    }
    // Work resumed at start may kill it before it listens.
    if (next.address === null) return died()
    child = { process: next.process, address: next.address }
    next.process.once('exit', (code) => {
      // Only a kill is a death: a product that ends with an error would go on like this for ever.
      if (code !== null) ended = new Error(`refused: the product ended with ${code}`)
      died()
    })
  }
  // Repeats a request until a response, as a provider or a browser does.
  const insist = async (path: string, init: RequestInit) => {
    // A start that comes late is followed by another one.
    const end = Date.now() + 2 * START_MS
    for (;;) {
      if (ended) throw ended
      if (Date.now() > end) throw new Error(`refused: no answer from ${path}`)
      if (!child) await start(armed && deaths < times && point !== 'after the 200' ? point : '')
      try {
        const response = await fetch(`${child!.address}${path}`, { ...init, signal: AbortSignal.timeout(10_000) })
        if (response.ok) return await response.json()
        if (response.status < 500) throw new Error(`refused: ${response.status} ${await response.text()}`)
      } catch (error) {
        if ((error as Error).message.startsWith('refused')) throw error
      }
      await setTimeout(20)
    }
  }
  const json = (body: unknown, headers = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const say = (from: string, body: string, at: number) =>
    insist(
      '/test/hook',
      json({ tenantId, connectionId, events: [textEvent({ from, body, id: `${from}-${body}`, at })] }),
    )

  try {
    armed = true
    let round = 0
    while (deaths < times) {
      round++
      const from = PEOPLE[round % PEOPLE.length]!
      await say(from, `m${String(round).padStart(3, '0')}`, round * 1000)
      if (point === 'after the 200') {
        ;(child as { process: ChildProcess } | null)?.process.kill('SIGKILL')
        await until(() => child === null)
      }
      const form = new FormData()
      form.append('idFront', `front-${from}-${round}`)
      // An edited message has another text first.
      const reply = `r${String(round).padStart(3, '0')}`
      form.append('body', point === 'provider acted' ? `antes ${reply}` : reply)
      form.append('isNote', 'false')
      if (point === 'file being written')
        form.append('medias', new Blob(['um texto que é um arquivo']), `nota-${round}.txt`)
      const headers = { authorization: `Bearer ${token}` }
      const sent = await insist(`/api/messages/${tickets.get(from)}`, { method: 'POST', headers, body: form })
      if (point === 'provider acted') {
        const { id: messageId } = (sent as { messages: { id: string }[] }).messages[0]!
        await insist('/api/messages/editMessage', json({ messageId, body: reply, actId: randomUUID() }, headers))
      }
      if (point.startsWith('provider') || point === 'before ingest commit' || point === 'due messages released')
        await until(() => child === null || deaths >= times, 15_000).catch(() => {})
      if (round > times * 6) throw new Error(`died only ${deaths} times in ${round} rounds at ${point}`)
    }
    armed = false
    if (!child) await start('')
    const left = await settle(databaseUrl, tenantId)
    await stop(child)
    const unfinished = readdirSync(join(dataDir, 'files', 'incoming')).length
    return { deaths, ...left, replies: peer.held, files: { ...left.files, unfinished } }
  } finally {
    // Also after a failure: a product that is left behind would keep the test run waiting.
    armed = false
    await stop(child)
    await peer.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepare(databaseUrl: string, point: (typeof crashPoints)[number]) {
  const product = await startProduct({}, databaseUrl)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const user = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(user)
  // Replies wait for the undo period, as scheduled messages do until their time.
  if (point === 'due messages released')
    await product.platform.db.write(tenantId, (db) =>
      db
        .updateTable('users')
        .set({ configs: JSON.stringify({ preferences: { undoSeconds: 1 } }) })
        .where('id', '=', user.id)
        .execute(),
    )
  const started = PEOPLE.map((from, at) => textEvent({ from, body: 'início', id: `${from}-início`, at }))
  await receive(product.platform, { tenantId, connectionId }, started)
  await ingestIdle(product.platform)
  const tickets = await openTickets(databaseUrl, tenantId)
  await product.close()
  return { tenantId, connectionId, token, tickets }
}

async function openTickets(databaseUrl: string, tenantId: number): Promise<Map<string, number>> {
  return query(databaseUrl, async (client) => {
    await until(
      async () =>
        (await client.query('select from tickets where tenant_id = $1', [tenantId])).rowCount === PEOPLE.length,
    )
    const { rows } = await client.query<{ id: string; conversation_key: string }>(
      "update tickets set status = 'open' where tenant_id = $1 returning id, conversation_key",
      [tenantId],
    )
    return new Map(rows.map((row) => [row.conversation_key, Number(row.id)]))
  })
}

async function settle(databaseUrl: string, tenantId: number) {
  return query(databaseUrl, async (client) => {
    await until(async () => {
      const { rows } = await client.query<{ n: number }>(
        `select (select count(*) from journal where processed_at is null)::int
          + (select count(*) from messages where from_me and status in ('pending', 'queued'))::int
          + (select count(*) from message_acts where status in ('pending', 'queued'))::int as n`,
      )
      return rows[0]!.n === 0
    }, 60_000)
    const { rows } = await client.query<{ conversation_key: string; body: string; from_me: boolean; status: string }>(
      'select conversation_key, body, from_me, status from messages where tenant_id = $1 order by timestamp, seq',
      [tenantId],
    )
    const inbound: Record<string, string[]> = {}
    const said: Record<string, string[]> = {}
    for (const row of rows) addTo(row.from_me ? said : inbound, row.conversation_key, row.body)
    const tickets = await client.query<{ n: number }>(
      'select count(*)::int as n from tickets where tenant_id = $1 group by conversation_key',
      [tenantId],
    )
    const files = await client.query<{ n: number }>('select count(*)::int as n from files where tenant_id = $1', [
      tenantId,
    ])
    const aside = await client.query<{ n: number }>(
      `select (select count(*) from journal where set_aside_at is not null)::int
        + (select count(*) from graphile_worker._private_jobs where flags ? 'aside')::int as n`,
    )
    return {
      aside: aside.rows[0]!.n,
      inbound,
      said,
      replyStatuses: rows.filter((message) => message.from_me).map((message) => message.status),
      ticketsPerConversation: tickets.rows.map((row) => row.n),
      files: { rows: files.rows[0]!.n },
    }
  })
}

/** Kills a migration `times` times at random moments, then runs it to the end; returns the resulting schema. */
export async function crashMigration(times: number): Promise<{ deaths: number; types: string }> {
  const owner = inject('postgresUrl')
  const name = `crash_${process.pid}_${Date.now()}`
  await query(owner, (client) => client.query(`create database ${name}`))
  const url = new URL(owner)
  url.pathname = `/${name}`
  let deaths = 0
  for (let n = 0; n < times; n++) {
    await query(url.href, (client) =>
      client
        .query(
          'drop schema if exists app cascade; drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public; grant usage on schema public to public',
        )
        .catch(() => {}),
    )
    const child = run('migrate-child.ts', { DATABASE_URL: url.href })
    const said = lastOutput(child)
    const gone = once(child, 'exit')
    await Promise.race([once(child.stdout!, 'data'), gone])
    await setTimeout(Math.random() * 220)
    if (child.kill('SIGKILL')) deaths++
    else if (child.exitCode !== 0) throw new Error(`the migration did not start: ${said()}`)
    await gone
    const last = run('migrate-child.ts', { DATABASE_URL: url.href })
    const lastSaid = lastOutput(last)
    const [code] = await once(last, 'exit')
    if (code !== 0) throw new Error(`the migration could not go on after death ${deaths}: ${lastSaid()}`)
  }
  return { deaths, types: await generateTypes(url.href) }
}

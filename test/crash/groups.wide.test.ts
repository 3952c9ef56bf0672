import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { expect, it } from 'vitest'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, startPeer, stop } from './processes.ts'

const KEY = '120363000000000001'
const NAMES = ['Ana', 'Bia', 'Caio', 'Duda']
const POINTS = ['journal committed', 'before ingest commit', 'provider accepted', 'before ingest commit'] as const

it('killed between group and record, the product knows who is in it, what each said and whom an answer calls, once', async ({
  onTestFinished,
}) => {
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-groups-'))
  const peer = await startPeer()
  let child: Awaited<ReturnType<typeof startChild>> | null = null
  onTestFinished(async () => {
    await stop(child)
    await peer.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const product = await startProduct({}, databaseUrl)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  await product.close()
  const rows = <R extends pg.QueryResultRow>(text: string) =>
    query(databaseUrl, async (client) => (await client.query<R>(text)).rows)

  let deaths = 0
  const launch = async (crashAt: string) => {
    const next = await startChild({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PEER_URL: peer.url,
      CRASH_AT: crashAt,
    })
    next.process.once('exit', () => {
      if (child === next) child = null
      deaths++
    })
    child = next.address === null ? null : next
    if (next.address === null) deaths++
  }
  // Repeats requests until a response, as a provider and a browser do. The process is killed at the next point each time it
  // starts.
  const insist = async (path: string, body: object) => {
    for (;;) {
      if (!child) await launch(POINTS[deaths] ?? '')
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) }
      const answer = await fetch(`${child?.address}${path}`, request).catch(() => null)
      if (answer?.ok) return
      if (answer && answer.status < 500) throw new Error(`${answer.status} ${await answer.text()}`)
      await setTimeout(20)
    }
  }

  // Membership as the phones know it.
  const members = new Map<string, boolean>()
  const said: string[] = []
  let at = Date.now() - 60_000
  const hear = (event: object) =>
    insist('/test/hook', { tenantId, connectionId, events: [{ conversationKey: KEY, ...event } as ProviderEvent] })
  const change = (name: string, change: 'add' | 'remove' | 'promote') => {
    if (change === 'remove') members.delete(name)
    else members.set(name, change === 'promote')
    const member = { identity: name.toLowerCase(), name, isAdmin: change === 'promote' }
    at += 1000
    return hear({ type: 'participants', dedupeKey: `c${at}`, timestamp: at, change, members: [member] })
  }
  const write = (name: string) => {
    at += 1000
    const body = `${name} ${said.length}`
    said.push(body)
    const { message } = textEvent({ from: KEY, body, id: `m${at}`, at })
    const sender = { identity: name.toLowerCase(), name }
    return hear({ type: 'message', isGroup: true, groupName: 'Obra', dedupeKey: `m${at}`, sender, message })
  }

  await change('Ana', 'promote')
  await write('Ana')
  await until(async () => (await rows('select from tickets')).length === 1).catch(() =>
    insist('/test/hook', { tenantId, connectionId, events: [] }),
  )
  await until(async () => (await rows('select from tickets')).length === 1)
  const [ticket] = await rows<{ id: string }>("update tickets set status = 'open' returning id")
  let answers = 0
  for (let round = 0; deaths < POINTS.length || round < 2; round++) {
    expect(round).toBeLessThan(20)
    const name = NAMES[1 + (round % 3)]!
    await change(name, 'add')
    await write(name)
    const answer = { idFront: `resposta-${round}`, body: `Oi @Ana ${round}`, isNote: 'false' }
    await insist(`/api/messages/${ticket!.id}`, answer)
    answers++
    if (round % 2 === 1) await change(name, 'remove')
    await write('Ana')
    // A process that is about to be killed must be dead before the next request.
    await until(() => child === null, 1500).catch(() => {})
  }
  if (!child) await launch('')
  await until(async () => {
    const waiting =
      "select from journal where processed_at is null union all select from messages where from_me and status in ('pending', 'queued')"
    return (await rows(waiting)).length === 0
  }, 60_000)

  const there = await rows<{ name: string; is_admin: boolean }>(
    'select name, is_admin from group_members where is_member',
  )
  expect(new Map(there.map((row) => [row.name, row.is_admin]))).toEqual(members)
  const texts = await rows<{ body: string; by: string }>(
    "select body, sender ->> 'name' as by from messages where not from_me and media_type = 'text' order by timestamp, seq",
  )
  expect(texts.map(({ body }) => body)).toEqual(said)
  expect(texts.every(({ body, by }) => body.startsWith(by))).toBe(true)
  const own = await rows<{ body: string; status: string; people: string }>(
    "select body, status, mentions #>> '{people,0,identity}' as people from messages where from_me and media_type = 'text' order by seq",
  )
  expect(peer.held[KEY]).toEqual(own.map(({ body }) => body))
  expect(own).toHaveLength(answers)
  expect(own.every(({ status, people }) => status === 'sent' && people === 'ana')).toBe(true)
  expect(await rows('select from tickets')).toHaveLength(1)
  expect(deaths).toBeGreaterThanOrEqual(POINTS.length)
})

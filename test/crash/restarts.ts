import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { isAlive, serversIn, signal, waitUntil } from '#server/postgres/processes.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/product.ts'
import { until } from '#test/until.ts'
import { startChild, startPeer, stop } from './processes.ts'

const PEOPLE = 6

/** Starts a separate PostgreSQL that can be stopped (`SIGINT` fast, `SIGQUIT` immediate) and returns at the same address. */
async function startServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-restart-'))
  const quiet = { info: () => {}, error: () => {} }
  const options = { dataDir, log: quiet, fsync: false, sharedBuffers: '32MB', onCrash: () => {} }
  let server = await startEmbedded(options)
  const port = Number(new URL(server.url).port)
  const main = () => serversIn(join(dataDir, 'postgres'))
  onTestFinished(async () => {
    await server.stop()
    for (const pid of main()) signal(pid, 'SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    url: server.url,
    async end(how: 'SIGINT' | 'SIGQUIT') {
      const [pid] = main().sort((a, b) => a - b)
      signal(pid!, how)
      expect(await waitUntil(() => !isAlive(pid!), 10_000)).toBe(true)
    },
    async start() {
      server = await startEmbedded({ ...options, port })
    },
  }
}

/**
 * Stops and starts a database `times` times, alternately fast and immediate, under load: the product must live, report the
 * outage, and lose nothing.
 */
export async function checkRestarts(times: number): Promise<void> {
  const server = await startServer()
  const databaseUrl = await createDatabase(server.url)
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-restarted-'))
  const peer = await startPeer()
  const before = await startProduct(databaseUrl)
  const m = make(before.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const people = Array.from({ length: PEOPLE }, (_, n) => `553190000010${n}`)
  const tickets: number[] = []
  for (const key of people)
    tickets.push(await m.ticket(tenantId, { channel: 'test', connection_id: connectionId, conversation_key: key }))
  await before.close()
  const child = await startChild({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: peer.url })
  onTestFinished(async () => {
    await stop(child)
    await peer.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { address } = child
  const heard: string[] = []
  const answered: string[] = []
  const refusals = new Set<string>()
  let goesOn = true
  /** Repeats a request until acknowledged, as a provider or a browser does; every refusal must have a Retry-After. */
  const insist = async (path: string, init: () => RequestInit): Promise<void> => {
    for (;;) {
      const response = await fetch(`${address}${path}`, { ...init(), signal: AbortSignal.timeout(15_000) })
      if (response.ok) return void (await response.arrayBuffer())
      refusals.add(`${response.status} ${response.headers.has('retry-after')}`)
      await response.arrayBuffer()
      await pause(100)
    }
  }
  const load = people.map(async (from, index) => {
    for (let n = 0; goesOn; n++) {
      const body = `m-${from}-${n}`
      const events = [textEvent({ from, body, id: body, at: Date.now() })]
      await insist('/test/hook', () => ({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tenantId, connectionId, events }),
      }))
      heard.push(body)
      const reply = `r-${from}-${n}`
      await insist(`/api/messages/${tickets[index]}`, () => {
        const form = new FormData()
        for (const [name, value] of Object.entries({ idFront: reply, body: reply, isNote: 'false' }))
          form.append(name, value)
        return { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form }
      })
      answered.push(reply)
      await pause(60)
    }
  })
  const ready = async () => {
    const response = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(15_000) })
    expect(response.headers.has('retry-after')).toBe(true)
    return response.status
  }
  for (let n = 0; n < times; n++) {
    await until(async () => (await ready()) === 200)
    await pause(400)
    await server.end(n % 2 === 0 ? 'SIGINT' : 'SIGQUIT')
    await until(async () => (await ready()) === 503)
    await pause(n % 3 === 0 ? 2500 : 300)
    await server.start()
    await until(async () => (await ready()) === 200)
    expect([child.process.exitCode, child.process.signalCode]).toEqual([null, null])
  }
  goesOn = false
  await Promise.all(load)
  expect([...refusals]).toEqual(['503 true'])

  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  await until(async () => {
    const { rows } = await owner.query<{ n: number }>(
      `select (select count(*) from journal where processed_at is null)::int
        + (select count(*) from messages where from_me and status in ('pending', 'queued'))::int as n`,
    )
    return rows[0]!.n === 0
  })
  const { rows } = await owner.query<{ body: string; from_me: boolean; status: string }>(
    'select body, from_me, status from messages order by seq',
  )
  const sorted = (list: readonly string[]) => [...list].sort()
  expect(sorted(rows.filter((row) => !row.from_me).map((row) => row.body))).toEqual(sorted(heard))
  expect(sorted(rows.filter((row) => row.from_me).map((row) => row.body))).toEqual(sorted(answered))
  expect(sorted(Object.values(peer.held).flat())).toEqual(sorted(answered))
  expect(new Set(rows.filter((row) => row.from_me).map((row) => row.status))).toEqual(new Set(['sent']))
}

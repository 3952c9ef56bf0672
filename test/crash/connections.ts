import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestContext } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { make } from '#test/make.ts'
import { startStreamServer } from '#test/peers/stream-server.ts'
import { call, createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { startChild, stop } from './processes.ts'

/** A connection is with another process this long after the one that had it was killed or frozen. */
const PEOPLE = ['5531900000001', '5531900000002', '5531900000003']

/** Starts a process that serves people, the far end of a persistent channel, and hosts of connections on request. */
export async function startWorld({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, many = 1) {
  const ends: (() => unknown)[] = []
  onTestFinished(async () => {
    for (const end of ends.reverse()) await end()
  })
  const databaseUrl = await createDatabase()
  const server = await startStreamServer()
  ends.push(() => server.close())
  const web = await startProduct({ env: { ROLES: ['web', 'worker'], OUTBOUND_ALLOW: ['127.0.0.1'] } }, databaseUrl)
  ends.push(() => web.close())
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-hosts-'))
  ends.push(() => rmSync(dataDir, { recursive: true }))
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  ends.push(() => owner.end())

  const m = make(web.platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  await web.platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ max_connections: many }).where('id', '=', tenantId).execute(),
  )
  const accounts: string[] = []
  const tickets = new Map<string, number>()
  for (let n = 1; n <= many; n++) {
    const account = `conta-${n}`
    const { body } = await call(web, connections.create, token, {
      body: { type: 'stream', name: account, config: { port: server.port, account, token: 'segredo' } },
    })
    const { id } = body
    for (const key of PEOPLE) {
      const row = { channel: 'stream', connection_id: id, conversation_key: key, status: 'open', user_id: admin.id }
      tickets.set(`${account} ${key}`, await m.ticket(tenantId, row))
    }
    await call(web, connections.start, token, { params: { id } })
    accounts.push(account)
  }

  let counter = 0
  /** Each contact of each account writes once, and is answered once. */
  const talk = async () => {
    counter++
    const text = String(counter).padStart(4, '0')
    for (const account of accounts)
      for (const person of PEOPLE) {
        server.write(account, person, `m${text}`)
        const body = { body: `r${text}`, idFront: crypto.randomUUID() } as never
        const reply = await call(web, messages.send, token, {
          params: { ticketId: tickets.get(`${account} ${person}`)! },
          body,
        })
        if (reply.status !== 200) throw new Error(`a reply was refused: ${reply.status}`)
      }
  }
  const rows = async <R extends pg.QueryResultRow>(text: string): Promise<R[]> => (await owner.query<R>(text)).rows
  const host = async (name: string, more: Record<string, string> = {}): Promise<ChildProcess> => {
    const { process } = await startChild({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ROLES: 'channels', WORKER: name },
      ...{ OUTBOUND_ALLOW: '127.0.0.1', ...more },
    })
    ends.push(() => stop({ process }))
    return process
  }
  const hosts = async () =>
    Number(
      (
        await rows(
          `select from pg_stat_activity where application_name = 'guiche channels' and datname = current_database()`,
        )
      ).length,
    )
  return {
    ...{ server, accounts, talk, rows, host, hosts },
    isHad: (name: string) => accounts.every((account) => server.session(account)?.worker === name),
    /** Waits until every message has arrived and left; returns those that did not do so once and in order. */
    async books(): Promise<Record<string, unknown>> {
      const isDone = async () =>
        accounts.every((account) => server.waiting(account) === 0) &&
        (
          await rows(
            "select from journal where processed_at is null union all select from messages where from_me and status in ('pending', 'queued')",
          )
        ).length === 0
      await until(isDone, 60_000)
      const all = await rows<{ account: string; key: string; body: string; from_me: boolean; status: string }>(
        `select c.name as account, conversation_key as key, body, from_me, m.status from messages m
         join connections c on c.id = m.connection_id order by m.timestamp, m.seq`,
      )
      const expected = Array.from({ length: counter }, (_, n) => String(n + 1).padStart(4, '0'))
      const wrong: Record<string, unknown> = {}
      for (const account of accounts)
        for (const key of PEOPLE) {
          const of = all.filter((row) => row.account === account && row.key === key)
          const bodies = (isOurs: boolean) =>
            of.filter((row) => row.from_me === isOurs).map((row) => row.body.slice(-4))
          const left = server.sent
            .filter((one) => one.account === account && one.to === key)
            .map(({ text }) => text.slice(-4))
          const same = (list: string[]) => JSON.stringify(list) === JSON.stringify(expected)
          if (!same(bodies(false))) wrong[`${account} ${key} in`] = bodies(false)
          if (!same(left)) wrong[`${account} ${key} out`] = left
        }
      const [journal] = await rows<{ n: number }>('select count(*)::int as n from journal_all')
      if (journal!.n !== counter * accounts.length * PEOPLE.length) wrong['journal'] = journal!.n
      const statuses = new Set(all.filter((row) => row.from_me).map((row) => row.status))
      if ([...statuses].some((status) => status !== 'sent')) wrong['statuses'] = [...statuses]
      if (server.late.length > 0) wrong['late'] = server.late
      return wrong
    },
    /** Waits until every account has a session of another process than this one. */
    isTaken: (from: string) =>
      until(() => accounts.every((account) => (server.session(account)?.worker ?? from) !== from)),
  }
}

/** Points at which the process of a connection may be killed. */
export const hostPoints = ['before emit commit', 'emit committed', 'message claimed', 'provider accepted'] as const

/**
 * Kills hosts at a point, `times` times, while messages come and go; returns the lost or doubled messages, of which there
 * must be none.
 */
export async function checkHostCrash(test: Pick<TestContext, 'onTestFinished'>, point: string, times: number) {
  const world = await startWorld(test)
  for (let n = 0; n < times; n++) {
    // Not at the first, which may bring keys alone.
    const child = await world.host(`h${n}`, { CRASH_AT: point, CRASH_AFTER: '2' })
    await world.talk()
    await until(() => child.signalCode === 'SIGKILL')
  }
  await world.host('last')
  await world.talk()
  return world.books()
}

/** Kills, of two hosts, the one with the connections, and restarts it, `times` times. */
export async function checkTakeovers(test: Pick<TestContext, 'onTestFinished'>, times: number, many: number) {
  const world = await startWorld(test, many)
  let [holder, next] = ['h0', 'h1']
  let process = await world.host(holder)
  await until(() => world.isHad(holder))
  for (let n = 0; n < times; n++) {
    const other = await world.host(next)
    await world.talk()
    process.kill('SIGKILL')
    await world.talk()
    await world.isTaken(holder)
    ;[holder, next, process] = [next, `h${n + 2}`, other]
  }
  return world.books()
}

/** Freezes the host of a connection, at a point or anywhere, and continues it after another has taken over. */
export async function checkFreeze(test: Pick<TestContext, 'onTestFinished'>, point: string) {
  const world = await startWorld(test)
  const frozen = await world.host('frozen', { FREEZE_AT: point })
  await until(() => world.isHad('frozen'))
  await world.talk()
  if (!point) frozen.kill('SIGSTOP')
  await world.host('living')
  await world.talk()
  await world.isTaken('frozen')
  await world.talk()
  frozen.kill('SIGCONT')
  // It runs again, under another name, and leaves the connections alone.
  await until(async () => (await world.hosts()) === 2)
  await world.talk()
  return world.books()
}

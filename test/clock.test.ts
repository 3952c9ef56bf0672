import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Profile } from '#domain/access/profiles.ts'
import { userEvents } from '#features/users/contract.ts'
import { webchat } from '#features/webchat/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { PERMISSIONS, type Permission } from '#kit/permissions.ts'
import { unit } from '#server/context.ts'
import { type Queryable, transactionTime } from '#server/db/db.ts'
import { make } from '#test/make.ts'
import { bodyFor, queryFor, rowMakers } from '#test/operations.ts'
import { call, createDatabase, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webchatOn } from '#test/webchat.ts'

/** Places that read the database's clock, each with its reason. */
const OWN_CLOCKS = {
  'src/server/jobs-ownership.ts': 'the job queue counts by the one clock that all processes share',
  'src/server/db/heartbeat.ts': 'compares with times that the database itself noted of its connections',
  'src/server/db/migrate.ts': 'notes when a migration ran, before there is a clock of ours',
  'src/server/audit-retention.ts': 'the same clock as app.keep_audit, which stands behind it',
}
const OWN_FUNCTIONS = {
  now: 'the one place where a process that says no time gets the database’s',
  add_job: 'the job queue counts by the one clock that all processes share',
  add_jobs: 'the job queue counts by the one clock that all processes share',
  retry_jobs: 'the job queue counts by the one clock that all processes share',
  retry_failed_jobs: 'the job queue counts by the one clock that all processes share',
  job_kinds: 'the job queue counts by the one clock that all processes share',
  keep_audit: 'keeps records from the product itself, so it does not ask the product what time it is',
}
const OWN_DEFAULTS = ['schema_migrations.at']

const CLOCK =
  /(?<![\w.])(?:pg_catalog\.|clock\.)?(?:now|(?:clock|statement|transaction)_timestamp|timeofday)\s*\(|\b(?:current_(?:date|time|timestamp)|localtime(?:stamp)?)\b|'(?:now|today|tomorrow|yesterday)'\s*::/i

test.each([
  ['now()', 'update t set at = now()'],
  ['now ()', 'select NOW ()'],
  ['pg_catalog.now()', 'select pg_catalog.now()'],
  ['clock_timestamp()', 'select clock_timestamp() - at'],
  ['current_date', 'where day = current_date'],
  ['localtimestamp', 'select localtimestamp'],
  ["'now'::", "select 'now'::timestamptz"],
])('%s is a clock of the database', (_, sql) => expect(sql).toMatch(CLOCK))
test.each(['app.now()', 'known()', 'x.now()', 'created_at'])('%s is none', (sql) => expect(sql).not.toMatch(CLOCK))

test('no statement of the product asks the database for the time', () => {
  const root = join(import.meta.dirname, '..')
  const asking = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }))
    // Comments and code may mention it as well; a file without the word need not be parsed.
    .filter(({ source }) => CLOCK.test(source))
    .filter(({ file, source }) => textsOf(file, source).some((text) => CLOCK.test(text)))
    .map(({ file }) => file)
  expect(asking.sort()).toEqual(Object.keys(OWN_CLOCKS).sort())
})

/** Returns the strings and templates of a source. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest))
  return texts
}

// In the past, so that a time of another clock is recognisable; the last moment of a leap day in São Paulo.
const NOW = new Date('2024-02-29T23:59:59.987-03:00')
const product = ownProduct('its clock is set to a day', { now: () => NOW })
let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())
const rowsOf = async <T>(sql: string): Promise<T[]> => (await owner.query(sql)).rows

type Column = { tab: string; col: string; type: 'timestamptz' | null; preset: string | null }
const columns = () =>
  rowsOf<Column>(
    `select c.relname as tab, a.attname as col, case when a.atttypid = 'timestamptz'::regtype then 'timestamptz' end as type, pg_get_expr(d.adbin, d.adrelid) as preset
     from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and (d.oid is not null or a.atttypid = 'timestamptz'::regtype) order by 1, 2`,
  )

describe('the catalogue', () => {
  test('presets no column with the database’s clock', async () => {
    const preset = (await columns()).filter(({ preset }) => preset && CLOCK.test(preset))
    expect(preset.map(({ tab, col }) => `${tab}.${col}`)).toEqual(OWN_DEFAULTS)
    expect((await columns()).filter((one) => one.preset === 'app.now()').length).toBeGreaterThan(30)
  })

  test('has no function that asks the database for the time', async () => {
    const functions = await rowsOf<{ name: string; source: string }>(
      `select proname as name, pg_get_functiondef(oid) as source from pg_proc
       where pronamespace in ('app'::regnamespace, 'public'::regnamespace) and prokind in ('f', 'p') and prolang in (select oid from pg_language where lanname in ('sql', 'plpgsql'))`,
    )
    const asking = functions.filter(({ source }) => CLOCK.test(source.replaceAll('app.now()', '')))
    expect([...new Set(asking.map(({ name }) => name))].sort()).toEqual(Object.keys(OWN_FUNCTIONS).sort())
  })
})

describe('every row', () => {
  /** Operations that take twenty seconds and write nothing. */
  const ONLY_READS = ['isolation.run']
  const m = () => make(product().platform)
  const web = webchatOn(product)
  const allDone = () =>
    until(async () => {
      const waiting = await rowsOf(`select from journal where processed_at is null union all
        select from messages where from_me and status in ('pending', 'queued')`)
      return waiting.length === 0
    })

  // Calls every operation once, in a new company, besides what webchat, jobs and files do.
  beforeAll(async () => {
    await owner.query('delete from plans') // that of the migrations has the database's time
    const { paramsFor } = rowMakers(product)
    const once = async (op: Operation) => {
      const allowed: readonly Profile[] = PERMISSIONS[op.can as Permission]?.profiles ?? ['admin']
      const tenantId = await m().tenant()
      const user = await m().user(tenantId, { profile: allowed.includes('admin') ? 'admin' : allowed[0]! })
      await call(product(), op, op.can === 'public' ? null : await m().token(user), {
        params: await paramsFor(op, { tenantId, userId: user.id }),
        query: queryFor(op),
        body: bodyFor(op),
        headers: { 'idempotency-key': crypto.randomUUID() },
      } as never)
    }
    const operations = product().platform.operations.filter(({ name }) => !ONLY_READS.includes(name))
    const next = async () => {
      for (let op = operations.shift(); op; op = operations.shift()) await once(op)
    }
    await Promise.all([next(), next(), next(), next()])
    const { channel, token, admin, tenantId } = await web.company()
    const visitor = await web.visit(channel)
    const form = new FormData()
    form.append('idFront', crypto.randomUUID())
    form.append('caption', 'Veja')
    form.append('file', new Blob(['um texto que é um arquivo']), 'nota.txt')
    const headers = { authorization: `Bearer ${visitor}` }
    await fetch(`${product().address}/api${webchat.upload.path}`, { method: 'POST', headers, body: form })
    await web.write(visitor, 'Olá')
    await allDone()
    const ticketId = await web.accept(token, admin.id)
    await web.answer(ticketId, token, 'Oi!')
    await allDone()
    const flow = await m().insert('chat_flows', tenantId, { name: 'Recepção' })
    const row = { id: crypto.randomUUID(), ticket_id: ticketId, chat_flow_id: flow, version: 1, state: '{}' }
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('flow_sessions')
        .values({ tenant_id: tenantId, ...row })
        .execute(),
    )
    // Rows that no single operation can write: a secret in a flow, two contacts, two live tickets.
    const secret = { name: 'authorization', origin: '', hint: '', encrypted: '' }
    await m().insert('flow_secrets', tenantId, { id: crypto.randomUUID(), chat_flow_id: flow, ...secret })
    const pair = await Promise.all([m().contact(tenantId), m().contact(tenantId)])
    const [contact_id, other_id] = pair.sort((a, b) => a - b)
    const merged = { ticket_id: ticketId, into_id: ticketId, before: '{}', into_before: '{}', into_after: '{}' }
    await product().platform.db.asPlatform(async (db) => {
      await db
        .insertInto('distinct_contacts')
        .values({ tenant_id: tenantId, contact_id: contact_id, other_id: other_id })
        .execute()
      await db
        .insertInto('ticket_merges')
        .values({ tenant_id: tenantId, ...merged })
        .execute()
    })
    // Nothing writes these yet: assistants remember in features to come.
    const session = { tenant_id: tenantId, ticket_id: ticketId, assistant: 'claude' }
    await product().platform.db.asPlatform((db) => db.insertInto('assistant_sessions').values(session).execute())
  }, 180_000)

  test('has the product’s time wherever no other was given', async () => {
    const empty: string[] = []
    for (const { tab, col } of (await columns()).filter(({ preset }) => preset === 'app.now()')) {
      const times = await rowsOf<{ at: Date }>(`select distinct ${col} as at from ${tab}`)
      if (times.length === 0) empty.push(tab)
      else expect([tab, col, times]).toEqual([tab, col, [{ at: NOW }]])
    }
    expect(empty).toEqual(['journal']) // all of it was processed
  })

  test('has no time from another clock', async () => {
    for (const { tab, col } of (await columns()).filter(({ type }) => type === 'timestamptz')) {
      // Made of the day that a task names.
      if ([...OWN_DEFAULTS, 'tasks.remind_at'].includes(`${tab}.${col}`)) continue
      const others = await rowsOf(
        `select ${col} from ${tab} where ${col} > '${NOW.toISOString()}'::timestamptz + interval '1 year'`,
      )
      expect([tab, col, others]).toEqual([tab, col, []])
    }
  })
})

describe('a transaction', () => {
  // Each reading of this clock advances it.
  let looks = 0
  const ticking = ownProduct('its clock is set to a day', { now: () => new Date(NOW.getTime() + 1000 * looks++) })
  const appNow = async (db: Queryable) => (await sql<{ at: Date }>`select app.now() as at`.execute(db)).rows[0]!.at

  test('has one time, for its code, its statements, its rows and its records', async () => {
    const { platform } = ticking()
    const tenantId = await make(platform).tenant()
    const times = await unit(platform, { tenantId, user: null }, async (ctx) => {
      ctx.record({ action: 'session.opened', actor: null })
      ctx.emit(userEvents.online, { action: 'update', data: { userId: 1, isOnline: true } }, { kind: 'tenant' })
      const row = { tenant_id: tenantId, tag: 'Etiqueta' }
      const tag = await ctx.db.insertInto('tags').values(row).returningAll().executeTakeFirstOrThrow()
      expect(platform.now() > ctx.now).toBe(true)
      return [ctx.now, transactionTime(ctx.db), await appNow(ctx.db), tag.created_at, tag.updated_at]
    })
    const written = await platform.db.read(tenantId, async (db) => [
      ...(await db.selectFrom('audit_log').select('at').execute()),
      ...(await db.selectFrom('changes').select('at').execute()),
    ])
    const all = [...times, ...written.map(({ at }) => at)].map(Number)
    expect([all.length, new Set(all).size]).toEqual([7, 1])
  })

  test('has a later time than the one before it, across companies too', async () => {
    const { db } = ticking().platform
    const first = await db.asPlatform(async (tx) => [transactionTime(tx), await appNow(tx)])
    const second = await db.asPlatform(async (tx) => [transactionTime(tx), await appNow(tx)])
    expect(first[0]).toEqual(first[1])
    expect(second[0]).toEqual(second[1])
    expect(Number(second[0])).toBeGreaterThan(Number(first[0]))
  })

  test('takes its time with it: who reads without one is refused here, on a connection that had one too', async () => {
    const { db } = ticking().platform
    const tenantId = await make(ticking().platform).tenant()
    await expect(db.read(tenantId, appNow)).rejects.toThrow()
    await db.write(tenantId, appNow)
    await expect(db.read(tenantId, appNow)).rejects.toThrow()
  })
})

test('who says no time gets the database’s: the release of before, and the owner at the console', async () => {
  const migration = readFileSync(new URL('../db/migrations/0023_one_clock.sql', import.meta.url), 'utf8')
  const [asMigrated] = /create function app\.now\(\)[^;]*;/.exec(migration)!
  const url = await createDatabase()
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  const isOwn = async () => (await database.query('select app.now() = now() as own')).rows[0].own as boolean
  await database.query(asMigrated.replace('create', 'create or replace'))
  expect(await isOwn()).toBe(true)
  await database.query(`begin; set local app.now = '${NOW.toISOString()}'`)
  const { rows } = await database.query("insert into tenants (name) values ('Loja') returning created_at")
  expect(rows).toEqual([{ created_at: NOW }])
  await database.query('commit')
  expect(await isOwn()).toBe(true)
  await database.end()
})

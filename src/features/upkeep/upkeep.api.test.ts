import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { unit } from '#server/context.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { storeUpload } from '#server/files/store.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'
import { call, testSecrets, withProduct } from '#test/server.ts'
import { tidy } from './server/tidy.ts'

let at: Record<string, () => Promise<void>> = {}
const product = withProduct({ checkpoint: (name) => at[name]?.() })

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
const platform = () => product().platform
/** Tidies the test's company only, since others share the product. */
const tidyUp = (options = {}) => tidy(platform(), { ...options, companies: [tenantId] })
let tenantId: number
let connectionId: number

beforeEach(async () => {
  tenantId = await make(platform()).tenant()
  connectionId = await make(platform()).connection(tenantId, { type: 'test' })
})

/** Keeps events waiting: the test holds the tenant's writer lock until it ends. */
async function holdIngest(): Promise<void> {
  const writer = new pg.Client({ connectionString: product().ownerUrl })
  await writer.connect()
  // Events that no writer can read are deleted at the end.
  onTestFinished(async () => {
    await writer.query('delete from journal where tenant_id = $1', [tenantId])
    await writer.end()
  })
  await writer.query('select pg_advisory_lock(7204, $1)', [tenantId])
}

const written = <T>(work: Parameters<ReturnType<typeof platform>['db']['write']>[1]) =>
  platform().db.write(tenantId, work) as Promise<T>

const journaled = (key: string, received: Date, processed: Date | null, fileId?: string) =>
  written((db) =>
    db
      .insertInto('journal')
      .values({
        tenant_id: tenantId,
        id: uuidv7(received.getTime()),
        connection_id: connectionId,
        dedupe_key: key,
        payload: JSON.stringify({ type: 'none', message: { fileId } }),
        received_at: received,
        processed_at: processed,
        attempts: 9,
      })
      .execute(),
  )

/** Puts an event aside that counts as worked on. */
const setAside = (key: string) =>
  written((db) =>
    db
      .updateTable('journal')
      .set({ set_aside_at: ago(31) })
      .where('dedupe_key', '=', key)
      .execute(),
  )

const keysOf = async (
  table: 'journal' | 'journal_processed' | 'message_trail' | 'changes' | 'idempotency_keys' | 'provider_signups',
  column: string,
) => {
  const rows = await platform().db.read(tenantId, async (db) => {
    const found = await sql<{ key: string }>`select ${sql.ref(column)}::text as key from ${sql.table(table)}`.execute(
      db,
    )
    return found.rows
  })
  return rows.map(({ key }) => key).sort()
}

async function stored(content: string, made: Date): Promise<{ id: string; path: string }> {
  const options = { name: 'texto.txt', maxBytes: 1000, now: new Date() }
  const file = await platform().storage.save(tenantId, Readable.from([content]), options)
  const id = await unit(platform(), { tenantId, user: null }, (ctx) => storeUpload(ctx, file))
  await platform().storage.discard([file])
  await written((db) => db.updateTable('files').set({ created_at: made }).where('id', '=', id).execute())
  return { id, path: join(platform().env.DATA_DIR, 'files', file.path) }
}
const hasRow = async (id: string) =>
  (await platform().db.read(tenantId, (db) =>
    db.selectFrom('files').select('id').where('id', '=', id).executeTakeFirst(),
  )) !== undefined

test('the ledger keeps its time: old goes in batches, young and unfinished stay', async () => {
  const m = make(platform())
  await holdIngest()
  for (let n = 0; n < 5; n++) await journaled(`old ${n}`, ago(40), ago(31))
  await journaled('waits', ago(40), null)
  await journaled('aside', ago(40), ago(31))
  await setAside('aside')
  await journaled('late', ago(40), ago(29))
  await journaled('young', ago(1), ago(1))
  const message = (await m.message(tenantId, await m.ticket(tenantId))) as unknown as string
  const steps = ['one', 'two', 'three', 'four', 'five'].map((step) => [step, 181] as const)
  for (const [step, age] of [...steps, ['young', 179] as const])
    await written((db) =>
      db
        .insertInto('message_trail')
        .values({ tenant_id: tenantId, message_id: message, step, at: ago(age) })
        .execute(),
    )
  await written((db) =>
    sql`insert into journal_processed (tenant_id, id, seq, connection_id, dedupe_key, payload, received_at, processed_at)
      select tenant_id, id, seq, connection_id, dedupe_key, payload, received_at, processed_at from journal
      where dedupe_key not in ('waits', 'aside')`.execute(db),
  )
  await tidyUp({ batch: 2 })
  expect(await keysOf('journal', 'dedupe_key')).toEqual(['aside', 'late', 'waits', 'young'])
  expect(await keysOf('journal_processed', 'dedupe_key')).toEqual(['late', 'young'])
  expect(await keysOf('message_trail', 'step')).toEqual(['young'])
})

test('an older place in the changes feed, even in an empty one, is told to read everything again', async () => {
  const m = make(platform())
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const append = (amount: number) =>
    written((db) => {
      const events = Array.from({ length: amount }, () => ({
        channel: 'x',
        type: 'y:z',
        payload: {},
        audience: { kind: 'tenant' },
      }))
      return sql`select app.append_changes(${JSON.stringify(events)}::jsonb)`.execute(db)
    })
  const age = (upTo: number) =>
    written((db) =>
      db
        .updateTable('changes')
        .set({ at: ago(8) })
        .where('seq', '<=', upTo)
        .execute(),
    )
  const after = async (seq: number) => (await call(product(), messages.changes, token, { query: { after: seq } })).body
  await append(10)
  await age(6)
  await tidyUp({ batch: 2 })
  expect(await keysOf('changes', 'seq')).toEqual(['10', '7', '8', '9'])
  expect([(await after(5)).resync, (await after(6)).resync]).toEqual([true, false])
  await age(10)
  await tidyUp()
  expect(await keysOf('changes', 'seq')).toEqual([])
  expect([(await after(9)).resync, (await after(10)).resync]).toEqual([true, false])
})

test('of a busy company’s changes feed no more is kept than may be asked for', async () => {
  const events = Array.from({ length: 20_010 }, () => ({ channel: 'x', type: 'y', payload: {}, audience: {} }))
  await platform().db.write(tenantId, (db) =>
    sql`select app.append_changes(${JSON.stringify(events)}::jsonb)`.execute(db),
  )
  await tidyUp()
  const { rows } = await platform().db.asPlatform((db) =>
    sql<{
      first: number
      amount: number
    }>`select min(seq) as first, count(*)::int as amount from changes where tenant_id = ${tenantId}`.execute(db),
  )
  expect(rows).toEqual([{ first: 11, amount: 20_000 }])
})

test('keys, sessions, logins at providers and failed jobs that are over go', async () => {
  const m = make(platform())
  const { id: userId } = await m.user(tenantId)
  const key = (name: string, age: number) =>
    written((db) =>
      db
        .insertInto('idempotency_keys')
        .values({
          tenant_id: tenantId,
          user_id: userId,
          key: name,
          operation: 'x',
          body_hash: '',
          created_at: ago(age),
        })
        .execute(),
    )
  await key('old', 1.1)
  await key('young', 0.9)
  const session = async (expires: number, revoked: number | null) => {
    const id = uuidv7()
    const ends = { expires_at: ago(expires), revoked_at: revoked === null ? null : ago(revoked) }
    await written((db) =>
      db
        .insertInto('sessions')
        .values({ tenant_id: tenantId, id, user_id: userId, refresh_hash: Buffer.from(id), ...ends })
        .execute(),
    )
    return id
  }
  await session(31, null)
  await session(-5, 31)
  const kept = [await session(-5, null), await session(29, null), await session(-5, 29)]
  const known = { tenantId, subjectId: '1' }
  await platform().db.asPlatform(async (db) => {
    await addToDirectory(db, { ...known, kind: 'refresh', key: `${tenantId} old`, expiresAt: ago(0.01) })
    await addToDirectory(db, { ...known, kind: 'reset', key: `${tenantId} good`, expiresAt: ago(-0.01) })
    await addToDirectory(db, { ...known, kind: 'login', key: `${tenantId} for ever` })
  })
  for (const [provider, days] of [
    ['old', 0.01],
    ['older', 1],
    ['young', -0.01],
  ] as const)
    await written((db) =>
      db
        .insertInto('provider_signups')
        .values({ tenant_id: tenantId, user_id: userId, provider, expires_at: ago(days) })
        .execute(),
    )
  await tidyUp({ batch: 1 })
  expect(await keysOf('provider_signups', 'provider')).toEqual(['young'])
  expect(await keysOf('idempotency_keys', 'key')).toEqual(['young'])
  const sessions = await platform().db.read(tenantId, (db) => db.selectFrom('sessions').select('id').execute())
  expect(sessions.map(({ id }) => id).sort()).toEqual(kept.sort())
  const directory = await platform().db.asPlatform((db) =>
    db.selectFrom('directory').select('kind').where('tenant_id', '=', tenantId).where('subject_id', '=', '1').execute(),
  )
  expect(directory.map(({ kind }) => kind).sort()).toEqual(['login', 'reset'])
})

test('files that nothing holds go from disk and table; held, young and shared contents stay', async () => {
  const m = make(platform())
  await holdIngest()
  const orphan = await stored('órfão', ago(2))
  const young = await stored('de hoje', ago(0.5))
  const held = await stored('numa mensagem', ago(2))
  const waiting = await stored('num evento que espera', ago(2))
  const aside = await stored('num evento separado', ago(2))
  const counted = await stored('contado', ago(2))
  const twice = await stored('duas vezes', ago(2))
  const twin = await stored('duas vezes', ago(2))
  expect(twin.path).toBe(twice.path)
  await m.message(tenantId, await m.ticket(tenantId), { file_id: held.id })
  await m.message(tenantId, await m.ticket(tenantId), { file_id: twin.id })
  await journaled('waits', ago(2), null, waiting.id)
  await journaled('aside', ago(2), ago(2), aside.id)
  await setAside('aside')
  await written((db) => db.updateTable('files').set({ refs: 1 }).where('id', '=', counted.id).execute())

  at = { 'before orphan commit': () => Promise.reject(new Error('killed')) }
  await tidyUp()
  expect(await hasRow(orphan.id)).toBe(true)
  at = {}
  await tidyUp()
  await tidyUp()

  expect([await hasRow(orphan.id), existsSync(orphan.path)]).toEqual([false, false])
  expect([await hasRow(twice.id), existsSync(twice.path)]).toEqual([false, true])
  for (const { id, path } of [young, held, waiting, aside, counted, twin])
    expect([await hasRow(id), existsSync(path)]).toEqual([true, true])
})

test('the same content, uploaded while it is cleaned away, is kept', async () => {
  await stored('a mesma', ago(2))
  let upload: ReturnType<typeof stored> | undefined
  at = {
    'before orphan removal': async () => {
      upload ??= stored('a mesma', ago(0))
      await Promise.race([upload, setTimeout(500)])
    },
  }
  await tidyUp()
  at = {}
  const again = await upload!
  expect([await hasRow(again.id), existsSync(again.path)]).toEqual([true, true])
})

test('jobs that failed for good are forgotten after a week', async () => {
  const worker = new pg.Client({
    connectionString: databaseUrls(product().ownerUrl, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).worker,
  })
  await worker.connect()
  const job = async (key: string, attempts: number, age: number) => {
    await worker.query(`select graphile_worker.add_job('nobody:knows', '{}', job_key => $1, max_attempts => 5)`, [key])
    const change = 'update graphile_worker._private_jobs set attempts = $2, updated_at = $3 where key = $1'
    await worker.query(change, [key, attempts, ago(age)])
  }
  await job('failed lately', 5, 6)
  await job('failed long ago', 5, 8)
  await job('waits', 4, 8)
  await tidyUp()
  const { rows } = await worker.query<{ key: string }>(
    "select key from graphile_worker.jobs where task_identifier = 'nobody:knows' order by key",
  )
  await worker.query('select graphile_worker.remove_job(key) from unnest($1::text[]) key', [rows.map(({ key }) => key)])
  await worker.end()
  expect(rows.map(({ key }) => key)).toEqual(['failed lately', 'waits'])
})

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { decrypt, encrypt, newHeader, readHeader } from '#server/backup/container.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { listMigrations, migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { secretsFrom } from '#server/secrets.ts'
import { textEvent } from '#test/peers/channel.ts'
import { call, createDatabase, type Product, startDemo, startProduct, testSecrets } from '#test/server.ts'

const quiet = { info: () => {}, error: console.error }
const now = new Date('2026-11-22T08:00:00Z')
let base: string
let source: Product
let backup: string

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'guiche-backup-'))
  source = await startDemo()
  const made = await take(source)
  expect(made).toMatchObject({ missing: [], damaged: [] })
  backup = made.path
}, 60_000)

afterAll(async () => {
  await source.close()
  rmSync(base, { recursive: true, force: true })
})

const folder = () => mkdtempSync(join(base, 'folder-'))

const take = (product: Product, out = folder()) =>
  writeBackup({ ownerUrl: product.ownerUrl, dataDir: product.platform.env.DATA_DIR, secrets: testSecrets, now }, out)

async function query<R extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<R>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Creates an empty folder and an empty database as the environment of a restore. */
async function target() {
  const name = `t_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await query(inject('postgresUrl'), `create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return readEnv({ DATA_DIR: folder(), DATABASE_URL: url.href })
}

type Target = Awaited<ReturnType<typeof target>>

const restore = (env: Target, path = backup, secrets = testSecrets) => restoreBackup(env, secrets, path, quiet)

const tablesIn = (url: string) =>
  query<{ name: string }>(url, "select tablename as name from pg_tables where schemaname = 'public' order by 1")

async function expectUntouched(env: Target): Promise<void> {
  expect(readdirSync(env.DATA_DIR)).toEqual([])
  expect(await tablesIn(env.DATABASE_URL!)).toEqual([])
}

/** Returns one hash per table over all rows, generated columns included, and the schema's keys and policies. */
async function pictureOf(url: string) {
  const rows: Record<string, unknown> = {}
  for (const { name } of await tablesIn(url)) {
    if (name === 'schema_migrations') continue
    const hash = `select count(*)::int as rows, md5(string_agg(t::text, e'\\n' order by t::text collate "C")) from ${name} t`
    rows[name] = (await query(url, hash))[0]
  }
  return {
    rows,
    sequences: await query(
      url,
      "select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1",
    ),
    constraints: await query(
      url,
      `select conrelid::regclass::text as t, conname, convalidated, pg_get_constraintdef(oid) as def
       from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    triggers: await query(
      url,
      'select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2',
    ),
    policies: await query(
      url,
      `select relname, relrowsecurity, relforcerowsecurity,
         (select count(*)::int from pg_policy where polrelid = c.oid) as policies
       from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    ),
  }
}

describe('there and back', () => {
  it('brings every row, file, number, key and policy back; people log in, pictures open, the feed goes on', async () => {
    const env = await target()
    const summary = await restore(env)
    const before = await pictureOf(source.ownerUrl)
    expect(await pictureOf(env.DATABASE_URL!)).toEqual(before)
    const rows = Object.values(before.rows).reduce<number>((sum, table) => sum + (table as { rows: number }).rows, 0)
    expect(summary).toMatchObject({ rows, missing: [], damaged: [] })
    expect(summary.files).toBeGreaterThan(20)

    const product = await startProduct({ env: { DATA_DIR: env.DATA_DIR } }, env.DATABASE_URL)
    onTestFinished(() => product.close())
    const login = await call(product, auth.login, null, { body: { email: 'admin@demo.test', password: 'Demo!2026' } })
    const { token } = login.body as { token: string }
    const list = (await call(product, tickets.list, token, { query: { showAll: true } })).body
    const pictures: string[] = []
    for (const { id } of list.tickets) {
      const page = (await call(product, messages.list, token, { params: { ticketId: id } })).body
      pictures.push(
        ...page.messages.flatMap((one) => (one.mediaType === 'image' && one.mediaUrl ? [one.mediaUrl] : [])),
      )
      if (pictures.length > 0) break
    }
    const picture = await fetch(new URL(pictures[0]!, product.address))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
    const { lastSeq } = (
      await query<{ lastSeq: string }>(env.DATABASE_URL!, 'select max(last_seq) as "lastSeq" from feed_heads')
    )[0]!
    await call(product, tickets.list, token)
    const note = { idFront: 'after-the-restore', body: 'Continua daqui.', isNote: true }
    const sent = await call(product, messages.send, token, { params: { ticketId: list.tickets[0]!.id }, body: note })
    expect(sent.status).toBe(200)
    const heads = await query<{ last: string }>(env.DATABASE_URL!, 'select max(last_seq) as last from feed_heads')
    expect(Number(heads[0]!.last)).toBeGreaterThanOrEqual(Number(lastSeq) + 1)
  }, 60_000)

  it('is opened by the same master key only, before anything else is changed', async () => {
    const env = await target()
    await restore(env)
    const other = secretsFrom(Buffer.alloc(32, 8))
    await expect(
      migrate(databaseUrls(env.DATABASE_URL!, env, other), { secrets: other, rolePrefix: 'guiche' }),
    ).rejects.toThrow(`Os dados são de outra chave mestra (${testSecrets.keyId}; a atual é ${other.keyId})`)
  })

  it('keeps what waits in the job queue, in its order; what was being worked on is as if nobody had begun', async () => {
    const owner = await createDatabase()
    const job = (task: string, rest: string) =>
      query(owner, `select graphile_worker.add_job('${task}', '{"tenantId": 1}', ${rest})`)
    for (const n of [3, 1, 2])
      await job(`t${n}`, `queue_name => 'q', run_at => '2030-01-0${n}', max_attempts => 5, job_key => 'k${n}'`)
    await query(
      owner,
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w', attempts = 5 where key = 'k1'`,
    )
    await query(owner, `update graphile_worker._private_jobs set attempts = 5, last_error = 'não deu' where key = 'k2'`)
    const { path } = await writeBackup({ ownerUrl: owner, dataDir: folder(), secrets: testSecrets, now }, folder())
    const env = await target()
    await restore(env, path)
    const jobs = await query(
      env.DATABASE_URL!,
      `select key, identifier, queue_name, attempts, last_error, j.locked_by, run_at::date::text as day
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = task_id
       join graphile_worker._private_job_queues q on q.id = job_queue_id order by j.id`,
    )
    const same = { queue_name: 'q', locked_by: null, last_error: null }
    expect(jobs).toEqual([
      { ...same, key: 'k3', identifier: 't3', attempts: 0, day: '2030-01-03' },
      { ...same, key: 'k1', identifier: 't1', attempts: 4, day: '2030-01-01' },
      { ...same, key: 'k2', identifier: 't2', attempts: 5, day: '2030-01-02', last_error: 'não deu' },
    ])
  })

  it('is of one moment while messages are written, and keeps nobody waiting', async () => {
    const { platform } = source
    const [connection] = await query<{ tenant_id: string; id: string }>(
      source.ownerUrl,
      "select tenant_id, id from connections where type = 'lab' order by id limit 1",
    )
    const tenantId = Number(connection!.tenant_id)
    let isOver = false
    let acknowledged = 0
    const write = async () => {
      while (!isOver) {
        const key = `under-load-${acknowledged}`
        await receive(platform, { tenantId, connectionId: Number(connection!.id) }, [
          textEvent({ from: '5511988887777', body: 'oi', id: key }),
        ])
        acknowledged++
      }
    }
    const writing = write()
    while (acknowledged < 20) await new Promise((resolve) => setTimeout(resolve, 5))
    const earlier = acknowledged
    const { path } = await take(source)
    isOver = true
    await writing
    const env = await target()
    await restore(env, path)
    const count = "select count(*)::int as n from journal_all where dedupe_key like 'under-load-%'"
    const { n } = (await query<{ n: number }>(env.DATABASE_URL!, count))[0]!
    expect(n).toBeGreaterThanOrEqual(earlier)
    expect(n).toBeLessThanOrEqual(acknowledged)
    // A prefix, each message whole: with its place in the feed and its trail.
    expect(
      await query(
        env.DATABASE_URL!,
        `select (select count(*)::int from feed_heads h where last_seq <> (select max(seq) from changes c where c.tenant_id = h.tenant_id)) as feeds,
           (select count(*)::int from journal_all j where processed_at is not null and dedupe_key like 'under-load-%' and not exists
             (select from messages m where m.tenant_id = j.tenant_id and m.provider_id = j.dedupe_key)) as halves`,
      ),
    ).toEqual([{ feeds: 0, halves: 0 }])
  }, 60_000)

  it('names the files that are gone or no longer what they were', async () => {
    const env = await target()
    await restore(env)
    const files = readdirSync(join(env.DATA_DIR, 'files'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /[0-9a-f]{64}$/.test(path),
    )
    const [gone, changed] = files.sort()
    rmSync(join(env.DATA_DIR, 'files', gone!))
    writeFileSync(join(env.DATA_DIR, 'files', changed!), 'outra coisa')
    const made = await writeBackup(
      { ownerUrl: env.DATABASE_URL!, dataDir: env.DATA_DIR, secrets: testSecrets, now },
      folder(),
    )
    expect(made).toMatchObject({ missing: [gone], damaged: [changed], files: files.length - 1 })
    expect(await restore(await target(), made.path)).toMatchObject({ missing: [gone], damaged: [changed] })
  })
})

describe('versions', () => {
  it('brings a backup of an older version forward, and refuses one of a newer', async () => {
    const older = await target()
    const all = listMigrations()
    const urls = databaseUrls(older.DATABASE_URL!, older, testSecrets)
    await migrate(urls, { secrets: testSecrets, rolePrefix: 'guiche', only: all.slice(0, -2) })
    await query(older.DATABASE_URL!, "insert into tenants (name) values ('Antiga')")
    const at = { ownerUrl: older.DATABASE_URL!, dataDir: older.DATA_DIR, secrets: testSecrets, now }
    const old = await writeBackup(at, folder())
    const env = await target()
    await restore(env, old.path)
    expect(await query(env.DATABASE_URL!, 'select name from tenants')).toEqual([{ name: 'Antiga' }])
    expect(
      (await query<{ name: string }>(env.DATABASE_URL!, 'select name from schema_migrations order by 1')).map(
        (row) => row.name,
      ),
    ).toEqual(all)

    await query(older.DATABASE_URL!, "insert into schema_migrations (name) values ('9999_future.sql')")
    const future = await writeBackup(at, folder())
    const empty = await target()
    await expect(restore(empty, future.path)).rejects.toThrow(
      /é de uma versão mais nova do Guichê \(.*9999_future\.sql\)/,
    )
    await expectUntouched(empty)
  }, 60_000)
})

describe('what is refused touches nothing', () => {
  it('another master key is named by its id', async () => {
    const env = await target()
    const other = secretsFrom(Buffer.alloc(32, 8))
    await expect(restore(env, backup, other)).rejects.toThrow(
      `O backup foi feito com outra chave mestra (${testSecrets.keyId}; a atual é ${other.keyId})`,
    )
    await expectUntouched(env)
    expect(readFileSync(backup).includes(Buffer.alloc(32, 7))).toBe(false)
  })

  it('a file that was cut, lengthened or changed anywhere', async () => {
    const env = await target()
    const whole = readFileSync(backup)
    const copy = join(folder(), 'copy.backup')
    const attempt = async (bytes: Buffer) => {
      writeFileSync(copy, bytes)
      await expect(restore(env, copy)).rejects.toThrow(
        /^O arquivo (do backup está incompleto ou foi alterado: use outra cópia dele|não é um backup do Guichê)\.$|versão mais nova|outra chave mestra/,
      )
    }
    for (const part of [0, 0.001, 0.3, 0.7, 0.999]) await attempt(whole.subarray(0, Math.floor(whole.length * part)))
    await attempt(whole.subarray(0, whole.length - 1))
    await attempt(Buffer.concat([whole, Buffer.from([0])]))
    for (let i = 0; i < 40; i++) {
      const changed = Buffer.from(whole)
      const at = i < 20 ? i * 20 : Math.floor((whole.length - 1) * ((i - 20) / 19))
      changed[at] = changed[at]! ^ 1
      await attempt(changed)
    }
    // Two whole chunks that change their places.
    const start = whole.indexOf('}') + 1
    const size = 4 + whole.readUInt32BE(start) + 16
    const [first, second] = [whole.subarray(start, start + size), whole.subarray(start + size, start + 2 * size)]
    expect(whole.readUInt32BE(start + size)).toBe(whole.readUInt32BE(start))
    await attempt(Buffer.concat([whole.subarray(0, start), second, first, whole.subarray(start + 2 * size)]))
    // Without its end, at the border of a chunk.
    truncateSync(copy, start + 2 * size)
    await attempt(whole.subarray(0, start + 2 * size))
    await expectUntouched(env)
  }, 60_000)

  it('a filled folder and a filled database', async () => {
    const env = await target()
    writeFileSync(join(env.DATA_DIR, 'minhas-fotos'), '')
    await expect(restore({ ...env, DATABASE_URL: undefined })).rejects.toThrow(
      `A pasta ${env.DATA_DIR} não está vazia: restaure numa pasta nova`,
    )
    expect(readdirSync(env.DATA_DIR)).toEqual(['minhas-fotos'])
    const filled = await target()
    await query(filled.DATABASE_URL!, 'create table anything ()')
    await expect(restore(filled)).rejects.toThrow('O banco de DATABASE_URL não está vazio')
    expect(await tablesIn(filled.DATABASE_URL!)).toEqual([{ name: 'anything' }])
    expect(readdirSync(filled.DATA_DIR)).toEqual([])
  })
})

it('rows that came out otherwise than they were read are noticed, and nothing stays', async () => {
  const file = await open(backup)
  onTestFinished(() => file.close())
  const header = await readHeader(file, testSecrets)
  const plain: Buffer[] = []
  await pipeline(Readable.from(decrypt(file, testSecrets)), createZstdDecompress(), async (all) => {
    for await (const part of all) plain.push(part)
  })
  const text = Buffer.concat(plain)
  const at = text.indexOf('admin@demo.test')
  text.write('admim', at)
  const forged = join(folder(), 'forged.backup')
  await pipeline(
    Readable.from([text]),
    createZstdCompress(),
    (all: AsyncIterable<Buffer>) =>
      encrypt(all, newHeader({ ...header, product: header.product }, testSecrets), testSecrets),
    async (all: AsyncIterable<Buffer>) => {
      for await (const part of all) writeFileSync(forged, part, { flag: 'a' })
    },
  )
  const env = await target()
  await expect(restore(env, forged)).rejects.toThrow(/A tabela \w+ restaurada não confere com o backup/)
  expect(await query(env.DATABASE_URL!, 'select from tenants')).toEqual([])
  // It is recognised as unfinished, and replaced by the complete one.
  const urls = databaseUrls(env.DATABASE_URL!, env, testSecrets)
  await expect(migrate(urls, { secrets: testSecrets, rolePrefix: 'guiche' })).rejects.toThrow(
    'Uma restauração não terminou aqui',
  )
  await restore(env)
  expect((await query(env.DATABASE_URL!, 'select from tenants')).length).toBe(2)
  expect(statSync(forged).size).toBeGreaterThan(0)
})

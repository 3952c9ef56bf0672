import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { lookUp } from '#domain/present.ts'
import { listMigrations, migrate } from '../db/migrate.ts'
import { databaseUrls } from '../db/roles.ts'
import type { Env } from '../env.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { lockInstance } from '../postgres/instance-lock.ts'
import { serversIn, signal, waitUntil } from '../postgres/processes.ts'
import type { Secrets } from '../secrets.ts'
import { isFilePath } from '../storage.ts'
import { type BackupHeader, decrypt, readHeader } from './container.ts'
import { loadJobs } from './jobs.ts'
import { readSections, type Section, type SectionEnd, type SectionStart } from './sections.ts'
import { columnsOf, connectForCopy, copyTable, countRows, listTables, quoted, type Table } from './tables.ts'
import { MARKER_FILE, UNFINISHED_TABLE } from './unfinished.ts'

/** Totals of a restore: tables, rows, files; `missing` and `damaged` come from the backup itself. */
export type RestoreSummary = {
  createdAt: string
  tables: number
  rows: number
  files: number
  missing: string[]
  damaged: string[]
}

type Log = { info(message: string): void; error(message: string): void }

/**
 * Restores a backup into the empty folder or database of `env`. The whole file is verified first; the database changes in
 * one transaction, which is committed when counts and checksums of every table and file agree. An interrupted restore leaves
 * no installation, and the next one starts over. Rejects with a Portuguese sentence.
 */
export async function restoreBackup(env: Env, secrets: Secrets, path: string, log: Log): Promise<RestoreSummary> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`O arquivo ${path} não pôde ser lido (${error.code}).`)
  })
  try {
    const header = await readHeader(file, secrets)
    const unknown = header.migrations.find((name) => !listMigrations().includes(name))
    if (unknown)
      throw new Error(
        `O backup é de uma versão mais nova do Guichê (${header.product}, ${unknown}): atualize esta instalação primeiro.`,
      )
    for await (const _ of decrypt(file, secrets));
    return await intoTarget(env, secrets, { file, header }, log)
  } finally {
    await file.close()
  }
}

type Backup = { file: FileHandle; header: BackupHeader }

async function intoTarget(env: Env, secrets: Secrets, backup: Backup, log: Log): Promise<RestoreSummary> {
  const ends: (() => unknown)[] = []
  try {
    if (env.DATABASE_URL) {
      const isRepeated = await prepareDatabase(env.DATABASE_URL, backup.header)
      if (!isRepeated) refuseFilled(env.DATA_DIR)
      ends.push(lockInstance(env.DATA_DIR))
      return await load(env, secrets, backup, env.DATABASE_URL)
    }
    const marker = join(env.DATA_DIR, MARKER_FILE)
    if (!existsSync(marker)) refuseFilled(env.DATA_DIR)
    ends.push(lockInstance(env.DATA_DIR))
    writeFileSync(marker, `${backup.header.createdAt}\n`, { flush: true })
    await clearFolder(env.DATA_DIR)
    const embedded = await startEmbedded({ dataDir: env.DATA_DIR, log })
    ends.push(() => embedded.stop())
    const summary = await load(env, secrets, backup, embedded.url)
    rmSync(marker)
    return summary
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

// Removes what a killed restore has left, including its server, which outlives it.
async function clearFolder(dataDir: string): Promise<void> {
  const postgres = join(realpathSync(dataDir), 'postgres')
  for (const pid of serversIn(postgres)) signal(pid, 'SIGKILL')
  await waitUntil(() => serversIn(postgres).length === 0, 10_000)
  for (const name of readdirSync(dataDir))
    if (/^(postgres(\.new|\.password|\.log.*)?|files)$/.test(name)) rmSync(join(dataDir, name), { recursive: true })
}

function refuseFilled(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const allowed = /^(secret\.key|lost\+found|guiche\.(lock|pid)|postgresql-.*)$/
  if (readdirSync(dataDir).some((name) => !allowed.test(name)))
    throw new Error(
      `A pasta ${dataDir} não está vazia: restaure numa pasta nova, em que só a chave mestra (secret.key) pode estar.`,
    )
}

// Returns whether an unfinished restore of the same version is repeated; refuses a database with data.
async function prepareDatabase(url: string, header: BackupHeader): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 6000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    const names = rows.map(({ name }) => name)
    if (!names.includes(UNFINISHED_TABLE)) {
      if (names.length > 0)
        throw new Error('O banco de DATABASE_URL não está vazio: restaure num banco novo, sem tabelas.')
      await client.query(`create table ${UNFINISHED_TABLE} (at timestamptz)`)
      return false
    }
    if (names.includes('schema_migrations')) {
      const done = await client.query<{ name: string }>('select name from schema_migrations')
      if (done.rows.some(({ name }) => !header.migrations.includes(name)))
        throw new Error('O banco de DATABASE_URL tem a restauração interrompida de outro backup: esvazie-o primeiro.')
    }
    return true
  } finally {
    await client.end()
  }
}

async function load(env: Env, secrets: Secrets, backup: Backup, ownerUrl: string): Promise<RestoreSummary> {
  const urls = databaseUrls(ownerUrl, env, secrets)
  const options = { secrets, rolePrefix: env.DB_ROLE_PREFIX, isRestore: true }
  await migrate(urls, { ...options, only: backup.header.migrations })
  const client = await connectForCopy(ownerUrl)
  let summary: RestoreSummary
  try {
    await client.query('begin')
    summary = await loadSections(client, env.DATA_DIR, backup, secrets)
    await client.query(`drop table if exists ${UNFINISHED_TABLE}`)
    await client.query('commit')
  } finally {
    await client.end() // what was not committed is undone
  }
  await migrate(urls, options)
  return summary
}

async function loadSections(
  client: pg.Client,
  dataDir: string,
  { file, header }: Backup,
  secrets: Secrets,
): Promise<RestoreSummary> {
  const summary: RestoreSummary = {
    createdAt: header.createdAt,
    tables: 0,
    rows: 0,
    files: 0,
    missing: [],
    damaged: [],
  }
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]))
  const open = await openTables(client, [...tables.values()])
  const loaded = new Map<string, SectionEnd>()
  let end: Extract<SectionStart, { kind: 'end' }> | undefined
  await pipeline(
    Readable.from(decrypt(file, secrets)),
    createZstdDecompress(),
    async (plain: AsyncIterable<Buffer>) => {
      for await (const section of readSections(plain)) {
        const { start } = section
        if (start.kind === 'table') loaded.set(start.name, await loadTable(client, start, section))
        else if (start.kind === 'jobs') await loadCountedJobs(client, section)
        else if (start.kind === 'file') {
          await loadFile(join(dataDir, 'files'), start.path, section)
          summary.files++
        } else {
          if (start.kind === 'end') end = start
          else await setSequences(client, start.values)
          for await (const _ of section.data);
          await section.end()
        }
      }
    },
  )
  if (end?.tables !== loaded.size || end.files !== summary.files || tables.size !== loaded.size)
    throw new Error('O backup não tem todas as tabelas e arquivos que deveria ter.')
  await open.close()
  for (const [name, expected] of loaded) {
    await verifyTable(client, lookUp(tables, name), expected)
    summary.tables++
    summary.rows += expected.rows ?? 0
  }
  return { ...summary, missing: end.missing, damaged: end.damaged }
}

// Rows are inserted in any order and unchanged: without foreign keys, without triggers, past the row policies. All of
// that is restored before the end, the keys with a check of every row.
async function openTables(client: pg.Client, tables: readonly Table[]): Promise<{ close(): Promise<void> }> {
  const { rows: keys } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  const { rows: forced } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity`,
  )
  const names = tables.map(({ name }) => quoted(name))
  for (const { drop } of keys) await client.query(drop)
  for (const { name } of forced) await client.query(`alter table ${quoted(name)} no force row level security`)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')}`)
  return {
    async close() {
      for (const { add } of keys) await client.query(add)
      for (const name of names) await client.query(`alter table ${name} enable trigger user`)
      for (const { name } of forced) await client.query(`alter table ${quoted(name)} force row level security`)
    },
  }
}

async function loadTable(client: pg.Client, table: Table, section: Section): Promise<SectionEnd> {
  const copy = client.query(from(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`))
  await pipeline(Readable.from(section.data), copy)
  return section.end()
}

async function loadCountedJobs(client: pg.Client, section: Section): Promise<void> {
  await loadJobs(client, section.data)
  const { rows } = await client.query<{ count: string }>('select count(*) from graphile_worker._private_jobs')
  const { rows: expected } = await section.end()
  if (Number(rows[0]?.count) !== expected) throw new Error('A fila de tarefas restaurada não confere com o backup.')
}

async function setSequences(client: pg.Client, values: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await client.query('select setval($1::regclass, $2)', [`public.${quoted(name)}`, value])
}

async function verifyTable(client: pg.Client, table: Table, expected: SectionEnd): Promise<void> {
  const counted = countRows()
  for await (const _ of counted.of(copyTable(client, table)));
  const { rows, checksum } = counted.result()
  if (rows !== expected.rows || checksum !== expected.checksum)
    throw new Error(
      `A tabela ${table.name} restaurada não confere com o backup: ${rows} linhas em vez de ${expected.rows}.`,
    )
}

async function loadFile(root: string, path: string, section: Section): Promise<void> {
  if (!isFilePath(path)) throw new Error(`O backup tem um arquivo com um caminho estranho: ${path}.`)
  const target = join(root, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const digest = createHash('sha256')
  const data = async function* () {
    for await (const part of section.data) {
      digest.update(part)
      yield part
    }
  }
  await pipeline(data(), createWriteStream(target, { mode: 0o600, flush: true }))
  const { sha256 } = await section.end()
  if (digest.digest('hex') !== sha256) throw new Error(`O arquivo ${path} restaurado não confere com o backup.`)
}

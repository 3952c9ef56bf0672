import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { textFieldIn } from '#domain/keys.ts'
import { isAlive } from '../postgres/processes.ts'
import type { Secrets } from '../secrets.ts'
import { isFilePath } from '../storage.ts'
import { version } from '../version.ts'
import { encrypt, newHeader } from './container.ts'
import { JOBS } from './jobs.ts'
import { writeSection } from './sections.ts'
import { connectForCopy, copyOut, copyTable, countRows, listTables } from './tables.ts'
import { refuseUnfinishedTables } from './unfinished.ts'

/** Sources of a backup. */
export type BackupSource = { ownerUrl: string; dataDir: string; secrets: Secrets; now: Date }

/** Contents of a backup; `missing` files have a row but are not on the disk, `damaged` ones differ from what was stored. */
export type BackupSummary = {
  tables: number
  rows: number
  files: number
  fileBytes: number
  missing: string[]
  damaged: string[]
}

/**
 * Writes a backup into the folder `out` and returns its path, size and contents. Reads one snapshot of the database
 * while others work on it. The file gets its name once it is complete.
 */
export async function writeBackup(
  source: BackupSource,
  out: string,
): Promise<BackupSummary & { path: string; size: number }> {
  try {
    return await write(source, out)
  } catch (error) {
    const [code, syscall, path] = ['code', 'syscall', 'path'].map((name) => textFieldIn(error, name))
    if (!code || !syscall) throw error
    if (path?.startsWith(source.dataDir)) throw new Error(`O arquivo ${path} não pôde ser lido (${code}).`)
    throw new Error(`O backup não pôde ser escrito em ${out} (${code}): confira o espaço e os direitos da pasta.`)
  }
}

async function write(source: BackupSource, out: string): Promise<BackupSummary & { path: string; size: number }> {
  mkdirSync(out, { recursive: true })
  removeParts(out)
  const stamp = source.now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '')
  const path = join(out, `guiche-${stamp}.backup`)
  const part = `${path}.${process.pid}.part`
  const clean = () => rmSync(part, { force: true })
  process.once('exit', clean)
  const client = await connectForCopy(source.ownerUrl)
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    const summary: BackupSummary = { tables: 0, rows: 0, files: 0, fileBytes: 0, missing: [], damaged: [] }
    await refuseUnfit(client)
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
    const header = newHeader(
      { product: version, createdAt: source.now.toISOString(), migrations: rows.map(({ name }) => name) },
      source.secrets,
    )
    await pipeline(
      Readable.from(sections(client, source.dataDir, summary), { objectMode: false }),
      createZstdCompress(),
      (plain: AsyncIterable<Buffer>) => encrypt(plain, header, source.secrets),
      createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
    )
    renameSync(part, path)
    await syncFolder(out)
    return { ...summary, path, size: (await stat(path)).size }
  } finally {
    await client.end()
    clean()
    process.off('exit', clean)
  }
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  const names = rows.map(({ name }) => name)
  refuseUnfinishedTables(names)
  if (!names.includes('schema_migrations')) throw new Error('O banco de dados não tem uma instalação do Guichê.')
}

// Files are read right after the snapshot was taken, so that few of them can be removed in between.
async function* sections(client: pg.Client, dataDir: string, summary: BackupSummary): AsyncGenerator<Buffer> {
  const tables = await listTables(client)
  yield* fileSections(client, dataDir, summary)
  for (const table of tables) {
    const counted = countRows()
    const result = () => counted.result()
    yield* writeSection({ kind: 'table', ...table }, counted.of(copyTable(client, table)), result)
    summary.tables++
    summary.rows += result().rows
  }
  const jobs = countRows()
  yield* writeSection({ kind: 'jobs' }, jobs.of(copyOut(client, JOBS)), () => jobs.result())
  // Read last: sequence values are assigned outside of transactions, so these are above all that the snapshot contains.
  const { rows } = await client.query<{ name: string; value: string }>(
    "select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null",
  )
  yield* writeSection({
    kind: 'sequences',
    values: Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)])),
  })
  const { tables: count, files, missing, damaged } = summary
  yield* writeSection({ kind: 'end', tables: count, files, missing, damaged })
}

async function* fileSections(client: pg.Client, dataDir: string, summary: BackupSummary): AsyncGenerator<Buffer> {
  await client.query('declare paths no scroll cursor for select distinct path from files order by path')
  for (;;) {
    const { rows } = await client.query<{ path: string }>('fetch 500 from paths')
    if (rows.length === 0) break
    for (const { path } of rows) yield* fileSection(join(dataDir, 'files'), path, summary)
  }
  await client.query('close paths')
}

async function* fileSection(root: string, path: string, summary: BackupSummary): AsyncGenerator<Buffer> {
  const file = isFilePath(path) ? await open(join(root, path)).catch(onlyMissing) : undefined
  if (!file) {
    summary.missing.push(path)
    return
  }
  const digest = createHash('sha256')
  let size = 0
  const data = async function* () {
    for await (const part of file.createReadStream({ highWaterMark: 256 * 1024 })) {
      digest.update(part)
      size += part.length
      yield part
    }
  }
  const end = () => {
    const sha256 = digest.digest('hex')
    if (!path.endsWith(sha256)) summary.damaged.push(path)
    return { size, sha256 }
  }
  yield* writeSection({ kind: 'file', path }, data(), end)
  summary.files++
  summary.fileBytes += size
}

function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

// Removes what a killed backup has left.
function removeParts(out: string): void {
  for (const name of readdirSync(out)) {
    const pid = Number(/^guiche-[0-9TZ]+\.backup\.(\d+)\.part$/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(out, name), { force: true })
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { secretsFrom } from '#server/secrets.ts'
import { columnTypes, typeFiles } from './column-types.ts'

const types: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  text: 'string',
  _text: 'string[]',
  varchar: 'string',
  uuid: 'string',
  numeric: 'string',
  bytea: 'Buffer',
  timestamptz: 'Timestamp',
  date: 'string',
  jsonb: 'Json',
  json: 'Json',
  tsvector: 'string',
}

/** The source of db/types.ts for the database behind `url`: one interface per table, from the catalogue. */
export async function generateTypes(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{
    tab: string
    col: string
    type: string
    nullable: boolean
    generated: string
    optional: boolean
    check: string | null
  }>(`
    select c.relname as tab, a.attname as col, t.typname as type, not a.attnotnull as nullable,
      case when a.attgenerated <> '' or a.attidentity = 'a' then 'always' else '' end as generated,
      (a.atthasdef or not a.attnotnull) as optional,
      (select min(pg_get_constraintdef(k.oid)) from pg_constraint k
       where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
         and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^]]+\\]\\)\\)\\)$') as check
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`)
  await client.end()
  const tables = Map.groupBy(rows, (row) => row.tab)
  const name = (table: string) => table.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  const column = (row: (typeof rows)[number]) => {
    const orNull = row.nullable ? ' | null' : ''
    const values = valuesOf(row)
    const known = columnTypes[`${row.tab}.${row.col}`]
    const ofType =
      known && types[row.type] === 'Json' ? `Json<${known}>${orNull}` : known && `Checked<${known}${orNull}>`
    const base = ofType ?? (values ? `Checked<${values}${orNull}>` : (types[row.type] ?? 'unknown') + orNull)
    return `  ${row.col}: ${row.generated ? `GeneratedAlways<${base}>` : row.optional ? `Generated<${base}>` : base}`
  }
  return [
    '// Generated from the migrated database by scripts/generate-types.ts; a test fails when it has drifted.',
    "import type { ColumnType, GeneratedAlways } from 'kysely'",
    ...Object.entries(typeFiles).map(([file, names]) => `import type { ${names.join(', ')} } from '${file}'`),
    '',
    'type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>',
    'type Timestamp = ColumnType<Date, Date | string, Date | string>',
    'type Json<T = unknown> = ColumnType<T, string, string>',
    '/** A text whose values a check of the table or the code names; what is written is any text, which the check judges. */',
    'type Checked<T> = ColumnType<T, string | Extract<T, null>, string | Extract<T, null>>',
    '',
    ...[...tables].flatMap(([table, columns]) => [
      `export interface ${name(table)} {`,
      ...columns.map(column),
      '}',
      '',
    ]),
    'export interface DB {',
    ...[...tables.keys()].map((table) => `  ${table}: ${name(table)}`),
    '}',
    '',
  ].join('\n')
}

/** Returns the texts that a check `column in ('one', 'two')` allows, as a union; undefined without one. */
function valuesOf({ type, check }: { type: string; check: string | null }): string | undefined {
  const values = type === 'text' ? check?.match(/'[^']*'(?=::text)/g) : null
  return values?.join(' | ')
}

/** Migrates an empty, temporary database and describes it. */
async function describeMigrations(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-types-'))
  const server = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error }, fsync: false })
  try {
    const secrets = secretsFrom(randomBytes(32))
    await migrate(databaseUrls(server.url, { DB_ROLE_PREFIX: 'guiche' }, secrets), { secrets, rolePrefix: 'guiche' })
    return await generateTypes(server.url)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

if (import.meta.filename === process.argv[1]) {
  writeFileSync(new URL('../db/types.ts', import.meta.url), await describeMigrations())
}

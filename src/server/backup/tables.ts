import { hash } from 'node:crypto'
import pg from 'pg'
import { to } from 'pg-copy-streams'

/** Table of the product with the columns that are copied (generated ones follow from the others). */
export type Table = { name: string; columns: string[] }

/** Opens the owner's connection for a copy: no time limits, and values written the same way on every server. */
export async function connectForCopy(ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'guiche backup' })
  client.on('error', () => {}) // the query that it breaks rejects
  await client.connect()
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s';
    set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
    set bytea_output = 'hex'; set xmloption = 'content'`)
  return client
}

/** Returns the tables of a backup; throws if row policies would hide rows from this user. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { hides: boolean }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      row_security_active(c.oid) and not exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd in ('*', 'r')
        and p.polpermissive and pg_get_expr(p.polqual, c.oid) = 'true'
        and exists (select from unnest(p.polroles) role where role = 0 or pg_has_role(role, 'usage'))) as hides
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('schema_migrations', 'restore_unfinished') order by c.relname`)
  const hidden = rows.find((table) => table.hides)
  if (hidden)
    throw new Error(`O usuário de DATABASE_URL não vê todas as linhas de ${hidden.name}: indique o dono do banco.`)
  return rows.map(({ name, columns }) => ({ name, columns }))
}

/** Quotes a name as SQL. */
export const quoted = (name: string): string => pg.escapeIdentifier(name)

/** Formats the names of a table's columns as SQL. */
export const columnsOf = ({ columns }: Pick<Table, 'columns'>): string => columns.map(quoted).join(', ')

/** Streams the rows of a query in COPY's text format. */
export const copyOut = (client: pg.Client, query: string): AsyncIterable<Buffer> =>
  client.query(to(`copy (${query}) to stdout`))

/** Streams the rows of a table in COPY's text format. */
export const copyTable = (client: pg.Client, table: Table): AsyncIterable<Buffer> =>
  copyOut(client, `select ${columnsOf(table)} from ${quoted(table.name)}`)

const MODULUS = 1n << 64n
const NEWLINE = 10

/** Counts rows that pass by and adds up their hashes: the same rows in another order have the same checksum. */
export function countRows() {
  let rows = 0
  let sum = 0n
  let rest: Buffer = Buffer.alloc(0)
  const add = (row: Buffer) => {
    rows++
    sum = (sum + hash('sha256', row, 'buffer').readBigUInt64BE()) % MODULUS
  }
  return {
    async *of(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of source) {
        let start = 0
        for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, start)) {
          const row = part.subarray(start, end)
          add(rest.length > 0 ? Buffer.concat([rest, row]) : row)
          rest = Buffer.alloc(0)
          start = end + 1
        }
        if (start < part.length) rest = Buffer.concat([rest, part.subarray(start)])
        yield part
      }
    },
    result: () => ({ rows, checksum: sum.toString(16).padStart(16, '0') }),
  }
}

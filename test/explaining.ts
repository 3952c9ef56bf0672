import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import { type SettingKey, settingsRegistry, type TenantSettings } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { Database, Queryable, Tx } from '#server/db/db.ts'

/** Execution plan of one statement. */
export type Plan = {
  readonly sql: string
  /** Rows read per table to find the wanted ones; all rows, if no index was used. */
  readonly read: ReadonlyMap<string, number>
  /** Number of 8 kB pages that were read. */
  readonly buffers: number
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

/**
 * Opens the application's database access for one tenant and explains every statement while running it, planned as in the
 * product: prepared, whatever the values. Writes are rolled back. The product's own functions receive `db` and `database`,
 * so that the explained statements are those that run.
 */
export async function explainingDatabase(appUrl: string, tenantId: number) {
  const client = new pg.Client({ connectionString: appUrl })
  await client.connect()
  await client.query(
    "select set_config('app.tenant_id', $1, false), set_config('plan_cache_mode', 'force_generic_plan', false), set_config('app.now', $2, false)",
    [String(tenantId), new Date().toISOString()],
  )
  let plans: Plan[] = []
  let count = 0

  async function explain(text: string, values: readonly unknown[]): Promise<void> {
    const name = `explained_${++count}`
    await client.query(`prepare ${name} as ${text}`)
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) execute ${name}${given}`)
    const root = (rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan
    plans.push({
      sql: text,
      read: rowsRead(root),
      buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    })
    await client.query(`deallocate ${name}`)
  }

  // One after the other, though they are asked at one moment.
  let last: Promise<unknown> = Promise.resolve()
  function query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    const answer = last.then(() => explained(text, values))
    last = answer.catch(() => {})
    return answer
  }

  async function explained(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    await client.query('begin')
    await explain(text, values)
    await client.query('rollback; begin')
    const result = await client.query(text, [...values])
    await client.query('rollback')
    return result
  }

  const connection = { query: (text: string, values?: readonly unknown[]) => query(text, values), release: () => {} }
  const pool = { connect: async () => connection, end: async () => {} }
  const db: Queryable = new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as never }) })
  return {
    db,
    tx: db as Tx,
    database: {
      read: (_tenant: number, work: (db: Queryable) => Promise<unknown>) => work(db),
      prepared: async (_tenant: number, _name: string, text: string, values: unknown[]) =>
        (await query(text, values)).rows,
    } as unknown as Database,
    /** Returns the plans of the statements of `work`. */
    async plansOf(work: () => Promise<unknown>): Promise<readonly Plan[]> {
      plans = []
      await work()
      return plans
    },
    /** Returns the result of `work` without recording its plans. */
    async aside<T>(work: () => Promise<T>): Promise<T> {
      const before = plans
      plans = []
      const answer = await work()
      plans = before
      return answer
    },
    close: () => client.end(),
  }
}

function rowsRead(root: Node): Map<string, number> {
  const read = new Map<string, number>()
  for (const node of nodes(root)) {
    const table = node['Relation Name']
    if (!table || node['Node Type'] === 'ModifyTable' || node['Node Type'] === 'LockRows') continue
    const each =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const rows = node['Node Type'] === 'Seq Scan' ? Number.POSITIVE_INFINITY : each * node['Actual Loops']
    read.set(table, (read.get(table) ?? 0) + rows)
  }
  return read
}

const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)]

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(textOf(one))).join(',')}}`)
  return pg.escapeLiteral(textOf(value))
}

const textOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Returns a user of a company, as requests know it. */
export const actorOf = (tenantId: number, id: number, part: Partial<Actor> = {}): Actor => ({
  id,
  tenantId,
  name: 'Pessoa',
  profile: 'user',
  queueIds: [],
  connectionIds: [],
  menuPermissions: {},
  isSupport: false,
  restrictedUser: false,
  isCallBlocked: false,
  tokenVersion: 1,
  entersBy: null,
  businessHours: [],
  undoSeconds: 0,
  ...part,
})

/** The settings of a company that has switched these on. */
export const settingsWith = (on: readonly SettingKey[], part: Partial<TenantSettings> = {}): TenantSettings => ({
  values: Object.fromEntries(
    (Object.keys(settingsRegistry) as SettingKey[]).map((key) => [
      key,
      on.includes(key) ? 'enabled' : settingsRegistry[key].default,
    ]),
  ) as TenantSettings['values'],
  tenantHasQueues: false,
  queueHours: {},
  closeKeywords: {},
  withoutHours: new Set(),
  ownerId: null,
  timezone: 'America/Sao_Paulo',
  tenantName: 'Grande',
  tenantStatus: 'active',
  isOverdue: false,
  plan: { channels: [], excluded: [] },
  ...part,
})

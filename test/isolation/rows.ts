import type pg from 'pg'

/**
 * Marks of one company's rows: every number that names a row, every UUID, and a word in the texts; in every column that may
 * hold them, or (`isPlain`) only in required ones, so that the rows look as the product makes them.
 */
export type Marks = { readonly id: number; readonly uuid: string; readonly word: string; readonly isPlain?: boolean }

type Column = {
  name: string
  type: string
  required: boolean
  identity: boolean
  checks: string[]
  default: string | null
}
type Table = { name: string; columns: Column[]; parents: string[] }

/** Reads all tenant tables with their columns from the catalogue, parents before children. */
export async function tablesOf(owner: pg.Pool): Promise<Table[]> {
  const { rows } = await owner.query<Column & { tab: string }>(`
    select c.relname as tab, a.attname as name, format_type(a.atttypid, null) as type, a.attidentity <> '' as identity,
      a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as default,
      coalesce((select array_agg(pg_get_constraintdef(k.oid)) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)), '{}') as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'directory'
      and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
    order by c.relname, a.attnum`)
  const references = await owner.query<{ tab: string; parent: string }>(`
    select conrelid::regclass::text as tab, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`)
  const waiting = Map.groupBy(rows, (row) => row.tab)
  const sorted: Table[] = []
  while (waiting.size > 0) {
    const [next] = [...waiting].find(([tab]) =>
      references.rows.every(({ tab: child, parent }) => child !== tab || !waiting.has(parent)),
    )!
    const parents = references.rows.filter(({ tab }) => tab === next).map(({ parent }) => parent)
    sorted.push({ name: next, columns: waiting.get(next)!, parents })
    waiting.delete(next)
  }
  return sorted
}

/** Values of columns whose checks reject a marked text. */
const fixed: Readonly<Record<string, unknown>> = {
  'tickets.status': 'open',
  'messages.status': 'received',
  'connections.status': 'CONNECTED',
  'connections.type': 'lab',
  'tickets.channel': 'lab',
  'ticket_logs.type': 'open',
  'journal.processed_at': new Date(0),
  'stages.color': '#1C5D99',
  'contact_merges.proof': 'person',
  // A contact that stood in its own merge would be part of itself.
  'contact_merges.undone_at': new Date(0),
  'contact_identities.proof': 'person',
  'birthday_settings.hour': 9,
  'connection_outages.cause': 'network',
  'tickets.sla_state': 'running',
  'tickets.sla_clock': 'first',
  'sla_policies.warn_percent': 80,
  'sla_changes.facts':
    '{"isLive":true,"isPaused":false,"isByBot":false,"queueId":null,"waitingSince":null,"isAnswered":false}',
  'ticket_clocks.clocks':
    '{"facts":{"isLive":true,"isPaused":false,"isByBot":false,"queueId":null,"waitingSince":null,"isAnswered":false},"hasAnswered":false,"first":{"spent":0,"since":null,"alarmed":0},"next":{"spent":0,"since":null,"alarmed":0},"solution":{"spent":0,"since":null,"alarmed":0}}',
  'private_messages.media_type': 'text',
  'private_messages.mentions': '[]',
  'private_messages.receiver_id': null,
  'private_positions.peer_id': null,
  // One whose day is over changes by itself.
  'tasks.limit_date': '2199-12-31',
  'report_state.differences': '[]',
  'channel_groups.role': 'admin',
  'group_jobs.kind': 'title',
  'group_jobs.status': 'processing',
  'group_jobs.params': '{}',
  'group_job_items.state': 'done',
  'group_job_items.outcomes': '[]',
  'group_rules.kind': 'word',
  'group_rules.remove_after': 3,
  'group_arrivals.kind': 'greeting',
  'dispatches.kind': 'campaign',
  'dispatches.status': 'pending',
  'dispatches.delay': 20,
  'dispatches.messages': '[]',
  'dispatches.template': null,
  'dispatches.window_start': '08:00',
  'dispatches.window_end': '20:00',
  'dispatches.weekdays': '[1]',
  'dispatches.purpose': 'marketing',
  'dispatches.counts': '{}',
  'dispatches.parent_id': null,
  'dispatch_items.state': 'sent',
  'dispatch_items.own_values': '{}',
  'dispatch_items.variant': 0,
  'dispatch_ticks.counter': 'sent',
  'opportunities.status': 'open',
  'pipeline_actions.steps': '[{"type":"status_change","targetStatus":"win"}]',
  'pipeline_actions.hour_from': null,
  'pipeline_actions.hour_to': null,
  'pipeline_action_logs.steps': '[]',
  'pipeline_action_logs.result': 'done',
  'opportunities.closed_at': null,
  'opportunities.closing_forecast': '2199-12-31',
  'opportunity_history.kind': 'created',
  'pipeline_stages.chance': 50,
  'pipeline_stages.stale_days': 15,
  'assistant_warnings.level': 80,
  'rules.event': 'received',
  'rules.match': 'all',
  'rule_runs.outcome': 'done',
  'contact_imports.columns': '[]',
  'contact_imports.options': '{"onDuplicate":"skip","tags":[],"wallets":[],"addTags":false,"onlyFor":null}',
  'contact_imports.letters': '{"encoding":"cp850","isDoubtful":false,"candidates":[]}',
  'contact_import_rows.cells': '[]',
  'contact_import_rows.problems': '[]',
  'contact_import_blocks.devices': '[]',
  'forgotten_contacts.counts':
    '{"tickets":1,"messages":1,"files":1,"ratings":1,"schedules":1,"fields":1,"changes":1,"identities":1}',
  'forgotten_contacts.fingerprints': '[]',
  'auto_replies.action': '0',
  'auto_replies.steps': '[]',
  'chat_flows.starts_on': '',
  // A flow made of an auto reply is not editable.
  'chat_flows.auto_reply_id': null,
  'flow_replays.counts': '{"same":1,"words":0,"way":0,"end":0,"stuck":0,"total":1,"unplayable":0,"isCapped":false}',
  'calls.direction': 'incoming',
  'proxies.type': 'socks5',
  'proxies.port': 1080,
  'message_templates.category': 'UTILITY',
  'message_templates.status': 'APPROVED',
  'message_templates.quality': 'GREEN',
  'message_templates.content':
    '{"format":"POSITIONAL","header":null,"body":"Oi","samples":{},"footer":"","buttons":[]}',
  'changes.audience': '{"kind":"tenant"}',
  'api_keys.scopes': '{tickets:read}',
  'mcp_approvals.operation': 'tickets.update',
  'mcp_approvals.input': '{}',
  'mcp_approvals.status': 'waiting',
  'mcp_effects.way': '',
  'webhook_endpoints.events': '{*}',
  // One of people, and not of an API key.
  'webhook_endpoints.source': null,
  'webhook_endpoints.format': 'standard',
  'webhook_endpoints.url': 'https://sistema.exemplo.com.br/webhook',
  // One that waits is sent by itself.
  'webhook_deliveries.status': 'delivered',
  'webhook_deliveries.body': '{"type":"endpoint.test","data":{}}',
}

/**
 * Inserts one row into every tenant table for a new company. All rows have the same number and UUID, so that one request
 * names a row of every kind at once. No row points to itself.
 */
export async function fillCompany(owner: pg.Pool, tables: readonly Table[], marks: Marks): Promise<void> {
  const { id, word } = marks
  await owner.query('insert into tenants (id, name) overriding system value values ($1, $2)', [
    id,
    `${word}-tenants-name`,
  ])
  for (const { name: table, columns } of tables) {
    // Written with the message, and with who is in a team.
    if (table === 'message_texts' || table === 'team_periods') continue
    const selfReferences = await owner.query<{ name: string }>(
      `select a.attname as name from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
       where k.contype = 'f' and k.conrelid = k.confrelid and k.conrelid = $1::regclass and a.attname <> 'tenant_id'`,
      [table],
    )
    const own = new Set(selfReferences.rows.map(({ name }) => name))
    const given = columns.flatMap((column): [string, unknown][] => {
      if (own.has(column.name)) return []
      const value = valueFor(table, column, marks)
      return value === undefined ? [] : [[column.name, value]]
    })
    const names = given.map(([name]) => `"${name}"`).join(', ')
    const places = given.map((_, index) => `$${index + 1}`).join(', ')
    await owner
      .query(
        `insert into ${table} (${names}) overriding system value values (${places})`,
        given.map(([, value]) => value),
      )
      .catch((error: Error) => {
        throw new Error(`${table}: ${error.message}; tell test/isolation/rows.ts what it wants`)
      })
  }
}

function valueFor(table: string, column: Column, { id, uuid, word, isPlain = false }: Marks): unknown {
  const { name, type, required, checks } = column
  const known = fixed[`${table}.${name}`]
  if (known !== undefined) return known
  if (type === 'bigint') return required || name.endsWith('_id') || name === 'id' ? id : undefined
  if (type === 'uuid') return uuid
  if (isPlain && (column.default !== null || !required)) return undefined
  if (type === 'text') {
    const listed = checks.map((check) => /ARRAY\['([^']+)'/.exec(check)?.[1]).find(Boolean)
    if (listed) return required && column.default === null ? listed : undefined
    // A colour, a zone: what has a form has a default of it.
    const hasForm = checks.some((check) => !/<> ''|lower\(/.test(check)) || !/^(''::text)?$/.test(column.default ?? '')
    return hasForm && (column.default !== null || !required) ? undefined : `${word}-${table}-${name}`
  }
  if (type === 'jsonb' && required && column.default === null)
    return JSON.stringify({ [word]: `${word}-${table}-${name}` })
  if (!required || column.default !== null) return undefined
  if (type === 'bytea') return Buffer.from(`${word}-${table}-${name}`)
  if (type.startsWith('timestamp')) return new Date(Date.now() + 86_400_000)
  if (type === 'date') return '2026-01-01'
  return type === 'boolean' ? false : 1
}

/** Tables that background counting of tickets changes on its schedule. */
const COUNTED: ReadonlySet<string> = new Set([
  ...['sla_changes', 'sla_counted', 'ticket_clocks'],
  ...['report_changes', 'report_days', 'report_figures', 'report_state'],
])

/** Returns a checksum of each table of a company, except those counted in the background; any change changes it. */
export async function sumsOf(
  owner: pg.Pool,
  tables: readonly Table[],
  tenantId: number,
): Promise<Record<string, string>> {
  const names = tables.map(({ name }) => name).filter((name) => !COUNTED.has(name))
  const parts = [...names, 'directory'].map(
    (name) =>
      `select '${name}' as tab, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${name} t where tenant_id = $1`,
  )
  parts.push(`select 'tenants', md5(t::text) from tenants t where id = $1`)
  const { rows } = await owner.query<{ tab: string; sum: string }>(parts.join(' union all '), [tenantId])
  return Object.fromEntries(rows.map(({ tab, sum }) => [tab, sum]))
}

/** Returns the columns in which rows of one company hold the number or UUID of another. */
export async function mixedRows(
  owner: pg.Pool,
  tables: readonly Table[],
  tenantId: number,
  other: Marks,
): Promise<string[]> {
  const found: string[] = []
  for (const { name: table, columns } of tables)
    for (const { name, type } of columns) {
      if (name === 'tenant_id' || !(type === 'uuid' || (type === 'bigint' && name.endsWith('_id')))) continue
      const { rowCount } = await owner.query(`select from ${table} where tenant_id = $1 and "${name}" = $2 limit 1`, [
        tenantId,
        type === 'uuid' ? other.uuid : other.id,
      ])
      if (rowCount) found.push(`${table}.${name}`)
    }
  return found
}

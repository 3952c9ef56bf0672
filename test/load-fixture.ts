import type pg from 'pg'

const QUEUES = 10
const USERS = 5

/** An empty company with ten queues, five people, twenty tags and four channels; as the owner. */
export async function company(owner: pg.Client, name: string): Promise<number> {
  const { rows } = await owner.query<{ id: number }>('insert into tenants (name) values ($1) returning id', [name])
  const id = rows[0]!.id
  await owner.query(`insert into queues (tenant_id, queue) select $1, 'Fila ' || n from generate_series(1, $2) n`, [
    id,
    QUEUES,
  ])
  await owner.query(`insert into tags (tenant_id, tag) select $1, 'Etiqueta ' || n from generate_series(1, 20) n`, [id])
  await owner.query(
    `insert into connections (tenant_id, name, type) select $1, 'Canal ' || n, 'lab' from generate_series(1, 4) n`,
    [id],
  )
  await owner.query(
    `insert into users (tenant_id, name, email) select $1::bigint, 'Pessoa ' || n, 'p' || n || '.' || $1::bigint || '@teste.dev' from generate_series(1, $2) n`,
    [id, USERS],
  )
  await owner.query('insert into feed_heads (tenant_id) values ($1)', [id])
  return id
}

/**
 * Runs `work` without foreign keys, whose checks take two fifths of inserting many rows; afterwards they are restored, for
 * the planner and for later writes, but do not check the rows of `work`.
 */
export async function withoutForeignKeys(owner: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await owner.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s not valid', conrelid::regclass, conname,
         replace(pg_get_constraintdef(oid), ' NOT VALID', '')) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  await owner.query('begin')
  await owner.query('set local synchronous_commit = off')
  await owner.query(rows.map(({ drop }) => drop).join(';'))
  await work()
  await owner.query(rows.map(({ add }) => add).join(';'))
  await owner.query('commit')
  await owner.query('vacuum analyze')
}

/**
 * Inserts customers numbered `from` to `to`, each with a ticket and its rows; one ticket in ten is open or pending. Existing
 * stages and a chat flow get some of them.
 */
export const grow = (owner: pg.Client, tenant: number, from: number, to: number): Promise<void> =>
  withoutForeignKeys(owner, () => writeCustomers(owner, tenant, from, to))

async function writeCustomers(owner: pg.Client, tenant: number, from: number, to: number): Promise<void> {
  const values = [tenant, from + 1, to]
  const some = (table: string, every: string) =>
    `(select array_agg(id order by id) from ${table} where tenant_id = $1)[1 + ${every}]`
  await owner.query(
    `insert into contacts (tenant_id, name, number)
     select $1, 'Cliente ' || (array['Souza', 'Araújo', 'Lima', 'Conceição', 'Prado'])[1 + n % 5] || ' ' || lpad(n::text, 8, '0'), '55119' || lpad(n::text, 8, '0')
     from generate_series($2::int, $3::int) n`,
    values,
  )
  await owner.query(
    `with lists as materialized (select array_agg(id order by id) filter (where kind = 'q') q, array_agg(id order by id) filter (where kind = 'u') u,
       array_agg(id order by id) filter (where kind = 'c') c, array_agg(id order by id) filter (where kind = 's') s,
       min(id) filter (where kind = 'f') f from (
       select 'q' kind, id from queues where tenant_id = $1 union all select 'u', id from users where tenant_id = $1
       union all select 'c', id from connections where tenant_id = $1 union all select 's', id from stages where tenant_id = $1
       union all select 'f', id from chat_flows where tenant_id = $1) x)
     insert into tickets (tenant_id, status, user_id, queue_id, connection_id, contact_id, conversation_key, channel, is_group, updated_at, last_message_at, waiting_since,
       kanban, chat_flow_id, unread_messages, sla_state, sla_clock, sla_since, sla_due_at)
     select $1, case when n % 10 > 0 then 'closed' when n % 30 = 0 then 'open' else 'pending' end,
       case when n % 30 = 0 or n % 10 > 0 then u[1 + (n / 30) % ${USERS}] end, q[1 + (n / 10) % ${QUEUES}], cs[1 + (n / 7) % 4], c.id, c.number, 'lab', n / 10 % 7 = 0,
       timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute',
       case when n % 10 = 0 and n / 110 % 2 = 0 then timestamptz '2026-01-01' + n * interval '1 minute' end,
       ss[1 + n / 70 % (cardinality(ss) + 1)], case when n % 10 = 0 and n / 10 % 11 = 0 and n % 30 > 0 then f end, case when n % 10 = 0 and n / 10 % 9 = 0 then 2 else 0 end,
       case when clocked then case abs(hashint4(n)) % 3 when 0 then 'missed' when 1 then 'warned' else 'running' end end, case when clocked then 'first' end,
       case when clocked then timestamptz '2026-01-01' end, case when clocked then timestamptz '2026-04-01' - n * interval '1 minute' end
     from (select q, u, c as cs, s as ss, f from lists) l, contacts c, lateral (select right(c.number, 8)::int as n, right(c.number, 8)::int % 20 = 0 as clocked) x
     where c.tenant_id = $1 and x.n between $2::int and $3::int`,
    values,
  )
  await owner.query(
    `insert into contact_identities (tenant_id, channel, identity, contact_id) select $1, 'lab', number, id from contacts
     where tenant_id = $1 and right(number, 8)::int between $2::int and $3::int`,
    values,
  )
  const few = 'and x.n % 5 = 0'
  const fresh = `from tickets t, lateral (select right(t.conversation_key, 8)::int as n) x where t.tenant_id = $1 and x.n between $2::int and $3::int`
  await owner.query(
    `insert into ticket_tags (tenant_id, ticket_id, tag_id) select $1, t.id, ${some('tags', 'abs(hashint4(x.n)) % 20')} ${fresh} and x.n / 7 % 2 = 0`,
    values,
  )
  await owner.query(
    `insert into contact_wallets (tenant_id, contact_id, user_id) select $1, t.contact_id, ${some('users', `x.n % ${USERS}`)} ${fresh} and x.n % 4 = 0`,
    values,
  )
  await owner.query(
    `insert into ticket_logs (tenant_id, ticket_id, type) select $1, t.id, 'create' ${fresh} ${few}`,
    values,
  )
  await owner.query(
    `insert into ticket_evaluations (tenant_id, ticket_id, contact_id, connection_id, conversation_key, user_id, queue_id, closed_at, asked_at, expires_at, status)
     select $1, t.id, t.contact_id, t.connection_id, t.conversation_key, t.user_id, t.queue_id, t.updated_at, t.updated_at, t.updated_at + interval '10 minutes', 'expired'
     ${fresh} and t.status = 'closed' ${few}`,
    values,
  )
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, provider_id, from_me, status, body, timestamp)
     select $1, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key, 'p' || x.n, x.n % 2 = 0,
       case when x.n % 2 = 1 then 'received' when x.n % 1000 = 0 then 'pending' else 'delivered' end, 'Bom dia', t.updated_at ${fresh}`,
    values,
  )
  await owner.query(
    `insert into message_trail (tenant_id, message_id, step) select $1, m.id, step
     from messages m, lateral (select right(m.conversation_key, 8)::int as n) x, unnest(array['attempt', 'sent']) step
     where m.tenant_id = $1 and m.from_me and x.n between $2::int and $3::int ${few}`,
    values,
  )
  await owner.query(
    `insert into message_acts (tenant_id, id, connection_id, conversation_key, message_id, from_me, type, body, status, at, updated_at)
     select $1, gen_random_uuid(), m.connection_id, m.conversation_key, m.id, true, 'edit', 'Bom dia!', 'sent', m.timestamp, m.timestamp
     from messages m, lateral (select right(m.conversation_key, 8)::int as n) x
     where m.tenant_id = $1 and m.from_me and x.n between $2::int and $3::int ${few}`,
    values,
  )
  await owner.query(
    `insert into files (tenant_id, id, sha256, path, name, mime, size)
     select $1, gen_random_uuid(), md5(x.n::text), 'f', 'foto.jpg', 'image/jpeg', 1 ${fresh} ${few}`,
    values,
  )
  await owner.query(
    `insert into ticket_group_users (tenant_id, ticket_id, user_id) select $1, t.id, ${some('users', `(1 + x.n / 70) % ${USERS}`)} ${fresh} and t.is_group`,
    values,
  )
  await owner.query(
    `insert into drafts (tenant_id, ticket_id, user_id, body) select $1, t.id, ${some('users', `x.n % ${USERS}`)}, 'Olá' ${fresh} and x.n % 5 = 0`,
    values,
  )
  await owner.query(
    `insert into ticket_followers (tenant_id, ticket_id, user_id, created_at) select $1, t.id, ${some('users', `x.n % ${USERS}`)}, now() ${fresh} and x.n % 5 = 0`,
    values,
  )
  await owner.query(
    `insert into link_cards (tenant_id, key, url, title, fetched_at, expires_at)
     select $1, 'carta ' || x.n, 'https://loja.exemplo/' || x.n, 'Oferta ' || x.n, now(), now() ${fresh}`,
    values,
  )
  await owner.query(
    `insert into pinned_messages (tenant_id, message_id, ticket_id, user_id, created_at)
     select $1, m.id, m.ticket_id, null, now() from messages m, lateral (select right(m.conversation_key, 8)::int as n) x
     where m.tenant_id = $1 and x.n between $2::int and $3::int ${few}`,
    values,
  )
  await owner.query(
    `insert into reading_positions (tenant_id, ticket_id, user_id, message_at, message_seq, read_at)
     select $1, t.id, ${some('users', `x.n % ${USERS}`)}, now(), 1, now() ${fresh}`,
    values,
  )
  await owner.query(
    `insert into notifications (tenant_id, ticket_id, user_id, mentions, updated_at)
     select $1, t.id, ${some('users', `x.n % ${USERS}`)}, 1, now() ${fresh} and x.n % 5 = 0`,
    values,
  )
  await owner.query(
    `insert into journal (tenant_id, id, connection_id, dedupe_key, payload, processed_at)
     select $1, gen_random_uuid(), t.connection_id, x.n::text, '{}', case when x.n % 5000 > 0 then now() end ${fresh} ${few}`,
    values,
  )
  await owner.query(
    `insert into journal_processed (tenant_id, id, seq, connection_id, dedupe_key, payload, received_at, processed_at)
     select $1, gen_random_uuid(), x.n, t.connection_id, 'p' || x.n, '{}', now(), now() ${fresh} ${few}`,
    values,
  )
  await owner.query(
    `insert into changes (tenant_id, seq, channel, type, payload, audience)
     select $1, x.n, 'ticketList', 'ticket:delta', '{}', '{"kind":"tenant"}' ${fresh} ${few}`,
    values,
  )
}

/** Tables of a company's rows, each after the tables that it points to. */
const TABLES = [
  ...[
    'queues',
    'tags',
    'connections',
    'users',
    'stages',
    'chat_flows',
    'contacts',
    'contact_identities',
    'contact_wallets',
    'files',
    'tickets',
  ],
  ...['ticket_tags', 'ticket_logs', 'ticket_evaluations', 'ticket_group_users', 'messages', 'message_trail', 'drafts'],
  ...['message_acts', 'ticket_followers', 'pinned_messages', 'link_cards'],
  ...['reading_positions', 'notifications', 'mentions', 'feed_heads', 'journal', 'journal_processed', 'changes'],
]

/** Creates `amount` companies as the owner, each with copies of the rows of `model` under new ids. */
export const neighbours = (owner: pg.Client, model: number, amount: number): Promise<void> =>
  withoutForeignKeys(owner, () => copyCompany(owner, model, amount))

async function copyCompany(owner: pg.Client, model: number, amount: number): Promise<void> {
  const { rows } = await owner.query<{ id: number }>(
    `insert into tenants (name) select 'Vizinha ' || n from generate_series(1, $1::int) n returning id`,
    [amount],
  )
  const companies = rows.map(({ id }) => id)
  for (const table of TABLES) {
    const { rows: columns } = await owner.query<{ name: string; value: string }>(
      `select quote_ident(column_name) as name, case when column_name = 'tenant_id' then 'n.id'
         when data_type = 'bigint' and column_name ~ '^id$|_id$' then format('r.%I + n.id * 10000000', column_name)
         else format('r.%I', column_name) end as value
       from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    await owner.query(
      `insert into ${table} (${columns.map(({ name }) => name)}) overriding system value
       select ${columns.map(({ value }) => value)} from ${table} r, unnest($2::bigint[]) as n (id) where r.tenant_id = $1`,
      [model, companies],
    )
  }
}

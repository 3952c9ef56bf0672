-- Roles: the owner migrates; the product connects as guiche_app (row policies bind it), guiche_platform (the one
-- door across tenants) and guiche_worker (the job queue). guiche_search owns the search functions and cannot log in.
-- The prefix `guiche` is replaced when the installation uses another one (DB_ROLE_PREFIX).
do $$
declare r text;
begin
  foreach r in array array['guiche_app', 'guiche_platform', 'guiche_worker', 'guiche_search'] loop
    if not exists (select from pg_roles where rolname = r) then
      execute format('create role %I nologin nosuperuser nocreatedb nocreaterole nobypassrls', r);
    end if;
  end loop;
  execute format('grant guiche_search, guiche_worker to %I', current_user);
end $$;

create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gin;

create schema app;
create schema graphile_worker authorization guiche_worker;
grant usage on schema app to guiche_app, guiche_platform, guiche_worker, guiche_search;
grant usage on schema public to guiche_app, guiche_platform, guiche_worker, guiche_search;

-- Lower case without accents: the form in which names are searched.
create function app.fold(value text) returns text language sql immutable parallel safe strict
  as $$ select lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;

create function app.tenant() returns bigint language sql stable parallel safe
  as $$ select current_setting('app.tenant_id')::bigint $$;

------------------------------------------------------------------------------------------------ platform
create table tenants (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  status text not null default 'active' check (status in ('active', 'inactive')),
  owner_id bigint,
  max_users int not null default 10,
  max_connections int not null default 5,
  timezone text not null default 'America/Sao_Paulo',
  identity text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What has to be found before a tenant is known (decision B2): login names, refresh tokens, one-time codes,
-- widget tokens, webhook paths, domains. Only keys' hashes are kept; only the platform role reaches it.
create table directory (
  kind text not null,
  key_hash bytea not null,
  tenant_id bigint not null references tenants (id) on delete cascade,
  subject_id text not null,
  data jsonb not null default '{}',
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (kind, key_hash)
);
create index directory_subject on directory (tenant_id, kind, subject_id);

create table installation (
  only_row boolean primary key default true check (only_row),
  data jsonb not null default '{}'
);
insert into installation default values;

------------------------------------------------------------------------------------------------ people
create table users (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  email text not null check (email = lower(email)),
  username text,
  password_hash text,
  profile text not null default 'user' check (profile in ('user', 'super', 'admin', 'superadmin')),
  phone text not null default '',
  is_online boolean not null default false,
  is_active boolean not null default true,
  is_support boolean not null default false,
  restricted_user boolean not null default false,
  block_wavoip boolean not null default false,
  menu_permissions jsonb not null default '{}',
  configs jsonb not null default '{}',
  token_version int not null default 1,
  last_login timestamptz,
  last_online timestamptz,
  last_logout timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, email)
);

create table sessions (
  tenant_id bigint not null,
  id uuid not null,
  user_id bigint not null,
  refresh_hash bytea not null,
  previous_hash bytea,
  previous_until timestamptz,
  user_agent text not null default '',
  ip text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sessions_user on sessions (tenant_id, user_id);

create table queues (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  queue text not null check (queue <> ''),
  color text not null default '#6E2A5C',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint queues_name unique (tenant_id, queue)
);

create table user_queues (
  tenant_id bigint not null,
  user_id bigint not null,
  queue_id bigint not null,
  primary key (tenant_id, user_id, queue_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete cascade
);
create index user_queues_queue on user_queues (tenant_id, queue_id);

create table tags (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  tag text not null check (tag <> ''),
  color text not null default '#6E2A5C',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint tags_name unique (tenant_id, tag)
);

create table fast_replies (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  key text not null check (key <> ''),
  title text not null default '',
  message text not null check (message <> ''),
  is_public boolean not null default true,
  user_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint fast_replies_key unique (tenant_id, key),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index fast_replies_user on fast_replies (tenant_id, user_id);

create table settings (
  tenant_id bigint not null references tenants (id) on delete cascade,
  key text not null,
  value text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, key)
);

------------------------------------------------------------------------------------------------ files
create table files (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  sha256 text not null,
  path text not null,
  name text not null,
  mime text not null,
  size bigint not null,
  width int,
  height int,
  duration_ms int,
  waveform jsonb,
  refs int not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index files_sha on files (tenant_id, sha256);

------------------------------------------------------------------------------------------------ channels and contacts
create table connections (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  type text not null,
  status text not null default 'DISCONNECTED'
    check (status in ('OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED')),
  number text,
  qrcode text,
  retries int not null default 0,
  is_default boolean not null default false,
  is_deleted boolean not null default false,
  queue_id bigint,
  user_id bigint,
  config jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete set null (queue_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index connections_queue on connections (tenant_id, queue_id);
create index connections_user on connections (tenant_id, user_id);

create table user_connections (
  tenant_id bigint not null,
  user_id bigint not null,
  connection_id bigint not null,
  primary key (tenant_id, user_id, connection_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index user_connections_connection on user_connections (tenant_id, connection_id);

create table contacts (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  number text,
  email text not null default '',
  cpf text not null default '',
  first_name text not null default '',
  last_name text not null default '',
  business_name text not null default '',
  birthday_date text not null default '',
  profile_pic_file uuid,
  is_group boolean not null default false,
  kanban bigint,
  blocked boolean not null default false,
  chatbot_blocked boolean not null default false,
  extra_info jsonb not null default '[]',
  search_text text not null generated always as (
    app.fold(name || ' ' || coalesce(number, '') || ' ' || email || ' ' || business_name || ' ' || cpf)
  ) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint contacts_number unique (tenant_id, number),
  foreign key (tenant_id, profile_pic_file) references files (tenant_id, id)
);
create index contacts_search on contacts using gin (tenant_id, search_text gin_trgm_ops);
create index contacts_name on contacts (tenant_id, name, id);
create index contacts_picture on contacts (tenant_id, profile_pic_file);

-- How a channel knows a contact: one person may have several (phone, LID, widget visitor).
create table contact_identities (
  tenant_id bigint not null,
  channel text not null,
  identity text not null,
  contact_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, channel, identity),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade
);
create index contact_identities_contact on contact_identities (tenant_id, contact_id);

create table contact_tags (
  tenant_id bigint not null,
  contact_id bigint not null,
  tag_id bigint not null,
  primary key (tenant_id, contact_id, tag_id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, tag_id) references tags (tenant_id, id) on delete cascade
);
create index contact_tags_tag on contact_tags (tenant_id, tag_id);

create table contact_wallets (
  tenant_id bigint not null,
  contact_id bigint not null,
  user_id bigint not null,
  primary key (tenant_id, contact_id, user_id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index contact_wallets_user on contact_wallets (tenant_id, user_id);

------------------------------------------------------------------------------------------------ tickets
create table tickets (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  status text not null check (status in ('open', 'pending', 'closed')),
  user_id bigint,
  queue_id bigint,
  connection_id bigint not null,
  contact_id bigint not null,
  conversation_key text not null,
  channel text not null,
  is_group boolean not null default false,
  unread_messages int not null default 0,
  answered boolean not null default false,
  last_message text not null default '',
  last_message_from_me boolean not null default false,
  last_message_status text not null default 'received',
  last_message_at timestamptz not null default now(),
  last_message_received_at timestamptz,
  waiting_since timestamptz,
  kanban bigint,
  chat_flow_id bigint,
  assistants jsonb not null default '{}',
  is_active_demand boolean not null default false,
  is_farewell_message boolean not null default false,
  value numeric(14, 2),
  reason_id bigint,
  closed_reason text,
  started_attendance_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete set null (queue_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id)
);
-- Decision B19: one open or pending ticket per conversation, whatever races.
create unique index tickets_one_open on tickets (tenant_id, connection_id, conversation_key)
  where status in ('open', 'pending');
create index tickets_live on tickets (tenant_id, updated_at desc, id desc) where status in ('open', 'pending');
create index tickets_open on tickets (tenant_id, updated_at desc, id desc) where status = 'open';
create index tickets_pending on tickets (tenant_id, updated_at desc, id desc) where status = 'pending';
create index tickets_all on tickets (tenant_id, updated_at desc, id desc);
create index tickets_last_message on tickets (tenant_id, last_message_at desc, id desc);
create index tickets_owner on tickets (tenant_id, user_id, updated_at desc, id desc);
create index tickets_queue on tickets (tenant_id, queue_id, updated_at desc, id desc);
create index tickets_contact on tickets (tenant_id, contact_id, id desc);
create index tickets_conversation on tickets (tenant_id, connection_id, conversation_key, id desc);

create table ticket_tags (
  tenant_id bigint not null,
  ticket_id bigint not null,
  tag_id bigint not null,
  primary key (tenant_id, ticket_id, tag_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, tag_id) references tags (tenant_id, id) on delete cascade
);
create index ticket_tags_tag on ticket_tags (tenant_id, tag_id);

create table ticket_group_users (
  tenant_id bigint not null,
  ticket_id bigint not null,
  user_id bigint not null,
  primary key (tenant_id, ticket_id, user_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index ticket_group_users_user on ticket_group_users (tenant_id, user_id);

create table ticket_logs (
  tenant_id bigint not null,
  id bigint generated always as identity,
  ticket_id bigint not null,
  type text not null,
  user_id bigint,
  queue_id bigint,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete set null (queue_id)
);
create index ticket_logs_ticket on ticket_logs (tenant_id, ticket_id, id desc);
create index ticket_logs_user on ticket_logs (tenant_id, user_id);
create index ticket_logs_queue on ticket_logs (tenant_id, queue_id);

create table drafts (
  tenant_id bigint not null,
  user_id bigint not null,
  ticket_id bigint not null,
  body text not null,
  is_note boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id, ticket_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
create index drafts_ticket on drafts (tenant_id, ticket_id);

------------------------------------------------------------------------------------------------ the ledger
-- Every provider event, raw and de-duplicated, before anything is done with it (architecture §8).
create table journal (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  seq bigint generated always as identity,
  connection_id bigint not null,
  dedupe_key text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts int not null default 0,
  error text,
  primary key (tenant_id, id),
  constraint journal_dedupe unique (tenant_id, connection_id, dedupe_key),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id)
);
create index journal_waiting on journal (tenant_id, seq) where processed_at is null;

create table messages (
  tenant_id bigint not null,
  id uuid not null,
  seq bigint generated always as identity,
  ticket_id bigint not null,
  contact_id bigint not null,
  connection_id bigint not null,
  conversation_key text not null,
  provider_id text,
  id_front text,
  from_me boolean not null,
  is_note boolean not null default false,
  user_id bigint,
  media_type text not null default 'text',
  body text not null default '',
  file_id uuid,
  data jsonb,
  quoted_id uuid,
  status text not null check (status in
    ('pending', 'queued', 'sent', 'delivered', 'read', 'played', 'failed', 'canceled', 'uncertain', 'received')),
  error_code text,
  send_type text not null default 'chat',
  is_deleted boolean not null default false,
  is_late boolean not null default false,
  edition text,
  reaction text,
  reaction_from_me text,
  schedule_date timestamptz,
  timestamp timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  body_search tsvector generated always as (to_tsvector('portuguese', app.fold(body))) stored,
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, file_id) references files (tenant_id, id),
  foreign key (tenant_id, quoted_id) references messages (tenant_id, id) on delete set null (quoted_id)
);
create unique index messages_provider on messages (tenant_id, connection_id, provider_id) where provider_id is not null;
create unique index messages_id_front on messages (tenant_id, id_front) where id_front is not null;
create index messages_ticket on messages (tenant_id, ticket_id, timestamp desc, seq desc);
create index messages_time on messages (tenant_id, timestamp desc);
create index messages_contact on messages (tenant_id, contact_id, timestamp desc);
create index messages_outbox on messages (tenant_id, connection_id, conversation_key, seq)
  where from_me and status in ('pending', 'queued');
create index messages_file on messages (tenant_id, file_id) where file_id is not null;
create index messages_user on messages (tenant_id, user_id) where user_id is not null;
create index messages_quoted on messages (tenant_id, quoted_id) where quoted_id is not null;
create index messages_body on messages using gin (tenant_id, body_search);

-- Each step of a message, never changed (accepted, queued, attempt, sent, delivered, read, failed, retried …).
create table message_trail (
  tenant_id bigint not null,
  id bigint generated always as identity,
  message_id uuid not null,
  step text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
create index message_trail_message on message_trail (tenant_id, message_id, id);

-- Commit-ordered feed of what changed (decision B16).
create table feed_heads (
  tenant_id bigint primary key references tenants (id) on delete cascade,
  last_seq bigint not null default 0
);
create table changes (
  tenant_id bigint not null references tenants (id) on delete cascade,
  seq bigint not null,
  channel text not null,
  type text not null,
  payload jsonb not null,
  audience jsonb not null,
  at timestamptz not null default now(),
  primary key (tenant_id, seq)
);

-- Appends events in commit order: the head's row lock is held until the caller commits, so it has to be the last
-- statement of the transaction. Answers the last number given.
create function app.append_changes(events jsonb) returns bigint language plpgsql as $$
declare head bigint; amount int := jsonb_array_length(events);
begin
  insert into feed_heads (tenant_id, last_seq) values (app.tenant(), amount)
    on conflict (tenant_id) do update set last_seq = feed_heads.last_seq + amount
    returning last_seq into head;
  insert into changes (tenant_id, seq, channel, type, payload, audience)
    select app.tenant(), head - amount + e.n, e.value ->> 'channel', e.value ->> 'type', e.value -> 'payload', e.value -> 'audience'
    from jsonb_array_elements(events) with ordinality as e (value, n);
  perform pg_notify('guiche_changes', app.tenant() || ':' || head || ':' || amount);
  return head;
end $$;

create table idempotency_keys (
  tenant_id bigint not null references tenants (id) on delete cascade,
  user_id bigint not null,
  key text not null,
  operation text not null,
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create table audit_log (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  user_id bigint,
  action text not null,
  entity text not null default '',
  entity_id text not null default '',
  data jsonb not null default '{}',
  ip text not null default '',
  at timestamptz not null default now(),
  primary key (tenant_id, id)
);

------------------------------------------------------------------------------------------------ lab and widget
create table lab_phones (
  tenant_id bigint not null,
  id bigint generated always as identity,
  connection_id bigint not null,
  name text not null check (name <> ''),
  number text not null,
  faults jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint lab_phones_number unique (tenant_id, connection_id, number),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);

create table lab_messages (
  tenant_id bigint not null,
  id uuid not null,
  seq bigint generated always as identity,
  phone_id bigint not null,
  provider_id text not null,
  from_phone boolean not null,
  media_type text not null default 'text',
  body text not null default '',
  file_id uuid,
  status text not null default 'sent',
  timestamp timestamptz not null,
  primary key (tenant_id, id),
  constraint lab_messages_provider unique (tenant_id, phone_id, provider_id),
  foreign key (tenant_id, phone_id) references lab_phones (tenant_id, id) on delete cascade,
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index lab_messages_phone on lab_messages (tenant_id, phone_id, seq);
create index lab_messages_file on lab_messages (tenant_id, file_id) where file_id is not null;

create table webchat_visitors (
  tenant_id bigint not null,
  id uuid not null,
  connection_id bigint not null,
  token_hash bytea not null,
  contact_id bigint,
  name text not null default '',
  page text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id) on delete set null (contact_id)
);
create index webchat_visitors_connection on webchat_visitors (tenant_id, connection_id);
create index webchat_visitors_contact on webchat_visitors (tenant_id, contact_id);

------------------------------------------------------------------------------------------------ search (decision B15)
create function app.search_contacts(term text, most int) returns table (id bigint)
  language sql stable security definer set search_path = public, app, pg_temp as $$
  select c.id from contacts c
  where c.tenant_id = app.tenant() and c.search_text like '%' || app.fold(replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_')) || '%'
  limit most
$$;
-- Newest first. The words are written into the statement, so that the planner knows how common they are and either
-- reads the few rows that have them, or walks back in time until there are enough.
create function app.search_messages(term text, only_ticket bigint, most int) returns table (id uuid)
  language plpgsql stable security definer set search_path = public, app, pg_temp as $$
begin
  return query execute format(
    'select m.id from messages m where m.tenant_id = %s and m.body_search @@ websearch_to_tsquery(''portuguese'', %L) %s
     order by m.timestamp desc limit %s',
    app.tenant(), app.fold(term), case when only_ticket is null then '' else format('and m.ticket_id = %s', only_ticket) end, most);
end $$;

------------------------------------------------------------------------------------------------ policies and grants
-- Forces row policies on a table of tenants: the application sees one tenant, the platform role all of them.
-- Every later migration that makes such a table ends with `select app.protect('name')`.
create function app.protect(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy tenant on %I to guiche_app using (tenant_id = current_setting(''app.tenant_id'')::bigint) with check (tenant_id = current_setting(''app.tenant_id'')::bigint)', name);
  execute format('create policy platform on %I to guiche_platform using (true) with check (true)', name);
  execute format('create policy owner on %I to current_user using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %I to guiche_app, guiche_platform', name);
end $$;
revoke execute on function app.protect(text) from public;

do $$
declare t text;
begin
  for t in
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'directory'
  loop
    perform app.protect(t);
  end loop;
end $$;

-- An application role sees its own tenant's row and nothing else of the platform.
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant on tenants for select to guiche_app using (id = current_setting('app.tenant_id')::bigint);
create policy platform on tenants to guiche_platform using (true) with check (true);
create policy owner on tenants to current_user using (true) with check (true);
grant select on tenants to guiche_app;
grant select, insert, update, delete on tenants, directory, installation to guiche_platform;

-- The trail and the audit log are only ever added to.
revoke update, delete on message_trail, audit_log from guiche_app;
revoke update, delete on audit_log from guiche_platform;

create policy search on contacts for select to guiche_search using (true);
create policy search on messages for select to guiche_search using (true);
grant select on contacts, messages to guiche_search;
grant create on schema app to guiche_search;
alter function app.search_contacts(text, int) owner to guiche_search;
alter function app.search_messages(text, bigint, int) owner to guiche_search;
revoke create on schema app from guiche_search;
revoke execute on function app.search_contacts(text, int), app.search_messages(text, bigint, int) from public;
grant execute on function app.search_contacts(text, int), app.search_messages(text, bigint, int) to guiche_app;

grant usage on all sequences in schema public to guiche_app, guiche_platform;
alter default privileges in schema public grant usage on sequences to guiche_app, guiche_platform;

-- The job queue's functions want the queue's owner; this is the one door for the application (decision B17).
-- Jobs of one `queue` run one after the other.
create function app.add_job(task text, payload json, job_key text default null, queue text default null, run_at timestamptz default null)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(task, payload => payload, queue_name => queue, run_at => run_at,
    max_attempts => 5, job_key => job_key, job_key_mode => case when job_key is null then null else 'replace' end);
end $$;
grant create on schema app to guiche_worker;
alter function app.add_job(text, json, text, text, timestamptz) owner to guiche_worker;
revoke create on schema app from guiche_worker;
revoke execute on function app.add_job(text, json, text, text, timestamptz) from public;
grant execute on function app.add_job(text, json, text, text, timestamptz) to guiche_app, guiche_platform;

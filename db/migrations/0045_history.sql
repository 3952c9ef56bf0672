-- When a message was brought in from what its channel keeps of older conversations; null: it came or left by itself.
alter table messages add column sync_time timestamptz;
create index messages_synced on messages (tenant_id, id) where sync_time is not null;

-- What somebody wanted of that: the newest `per_chat` messages of every conversation of a connection, or of one
-- (`conversation_key`). `chats` are those of the channel's list that are next, `cursor` is where its list goes on.
create table history_imports (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  connection_id bigint not null,
  user_id bigint,
  conversation_key text,
  per_chat int not null check (per_chat between 1 and 1000),
  status text not null default 'running' check (status in ('running', 'done', 'canceled', 'failed')),
  error_code text,
  failures int not null default 0,
  is_listed boolean not null default false,
  cursor text,
  chats jsonb not null default '[]',
  chats_total int,
  chats_done int not null default 0,
  messages_read int not null default 0,
  messages_new int not null default 0,
  reached_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create unique index history_imports_running on history_imports (tenant_id, connection_id) where status = 'running';
create index history_imports_connection on history_imports (tenant_id, connection_id, created_at desc);
create index history_imports_user on history_imports (tenant_id, user_id) where user_id is not null;
select app.protect('history_imports');

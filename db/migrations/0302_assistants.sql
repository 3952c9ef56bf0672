-- Which assistant answers by a connection (an account), when, and whether voice notes are written down.
create table connection_assistants (
  tenant_id bigint not null,
  connection_id bigint not null,
  account_id bigint,
  transcribes boolean not null default false,
  answers_when text not null default 'always' check (answers_when in ('always', 'closed', 'away')),
  answers_first_only boolean not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, account_id) references provider_settings (tenant_id, id) on delete set null (account_id)
);
create index connection_assistants_account on connection_assistants (tenant_id, account_id) where account_id is not null;
select app.protect('connection_assistants');

-- A turn: what a customer wrote, and what an assistant answered. It is waiting for more words, claimed by a process
-- (`lease_until`), asked (the call is under way), then answered, failed, canceled, or uncertain where nobody knows.
create table assistant_turns (
  tenant_id bigint not null,
  id uuid not null,
  ticket_id bigint not null,
  account_id bigint,
  provider text not null,
  status text not null check (status in ('waiting', 'claimed', 'asked', 'later', 'answered', 'failed', 'canceled', 'uncertain')),
  due_at timestamptz not null,
  claimed_by uuid,
  lease_until timestamptz,
  -- What was written meanwhile is asked with it, once more.
  is_stale boolean not null default false,
  tries int not null default 0,
  last_seq bigint not null default 0,
  problem text,
  error text,
  model text,
  message_count int not null default 0,
  input_tokens int not null default 0,
  cached_tokens int not null default 0,
  output_tokens int not null default 0,
  cost numeric(14, 6) not null default 0,
  ms int not null default 0,
  sources jsonb not null default '[]',
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, account_id) references provider_settings (tenant_id, id) on delete set null (account_id)
);
create unique index assistant_turns_waiting on assistant_turns (tenant_id, ticket_id) where status = 'waiting';
create unique index assistant_turns_under_way on assistant_turns (tenant_id, ticket_id) where status in ('claimed', 'asked');
create index assistant_turns_due on assistant_turns (due_at) where status in ('waiting', 'claimed', 'asked', 'later');
create index assistant_turns_ticket on assistant_turns (tenant_id, ticket_id, created_at);
create index assistant_turns_account on assistant_turns (tenant_id, account_id) where account_id is not null;
select app.protect('assistant_turns');

-- A row per call of an assistant, whatever it was for: what it used and what that cost.
create table assistant_calls (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  purpose text not null,
  ticket_id bigint,
  turn_id uuid,
  account_id bigint,
  provider text not null,
  model text not null default '',
  input_tokens int not null default 0,
  cached_tokens int not null default 0,
  output_tokens int not null default 0,
  ms int not null,
  cost numeric(14, 6) not null default 0,
  error text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete set null (ticket_id),
  foreign key (tenant_id, account_id) references provider_settings (tenant_id, id) on delete set null (account_id)
);
create index assistant_calls_time on assistant_calls (tenant_id, created_at desc);
create index assistant_calls_account on assistant_calls (tenant_id, account_id, created_at) where account_id is not null;
create index assistant_calls_ticket on assistant_calls (tenant_id, ticket_id) where ticket_id is not null;
select app.protect('assistant_calls');

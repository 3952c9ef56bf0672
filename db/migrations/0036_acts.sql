-- What is done to a message after it was said: edited, taken back, reacted to, by us or by the contact. Our own acts wait
-- for the channel in their conversation's order, so they are numbered together with its messages; the contact's may come
-- before the message that they are about, and wait for it.
create table message_acts (
  tenant_id bigint not null,
  id uuid not null,
  seq bigint not null default nextval('messages_seq_seq'),
  connection_id bigint not null,
  conversation_key text not null,
  -- Our message; null while the contact's act waits for it under its `provider_id`.
  message_id uuid,
  provider_id text,
  -- Equal for repeated deliveries of the same event of the channel.
  dedupe_key text,
  from_me boolean not null,
  user_id bigint,
  type text not null check (type in ('edit', 'revoke', 'react')),
  body text,
  emoji text,
  status text not null default 'pending'
    check (status in ('pending', 'queued', 'sent', 'failed', 'canceled', 'received', 'waiting')),
  error_code text,
  attempts int not null default 0,
  failures int not null default 0,
  -- When it was done: by the provider's clock, or by ours.
  at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create unique index message_acts_dedupe on message_acts (tenant_id, connection_id, dedupe_key) where dedupe_key is not null;
create index message_acts_outbox on message_acts (tenant_id, connection_id, conversation_key, seq)
  where status in ('pending', 'queued');
create index message_acts_message on message_acts (tenant_id, message_id);
create index message_acts_waiting on message_acts (tenant_id, connection_id, provider_id) where status = 'waiting';
create index message_acts_user on message_acts (tenant_id, user_id) where user_id is not null;
select app.protect('message_acts');

-- A message that is taken back loses its text and its file with us as well.
alter table connections add column destroy_message boolean not null default false;

-- A virtual phone does all of this too, and shows it.
alter table lab_messages
  add column data jsonb,
  add column is_forwarded boolean not null default false,
  add column is_edited boolean not null default false,
  add column is_deleted boolean not null default false,
  add column reaction text,
  add column team_reaction text;

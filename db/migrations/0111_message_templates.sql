-- Message templates as a provider has them, of the account behind each connection: by name and language. `content` is what they
-- say; `told_at` is the provider's clock when it last told something of one by itself: what it told before then counts no more.
create table message_templates (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  connection_id bigint not null,
  provider_id text not null check (provider_id <> ''),
  name text not null check (name <> ''),
  language text not null check (language <> ''),
  category text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'PENDING_DELETION', 'LIMIT_EXCEEDED')),
  quality text check (quality in ('GREEN', 'YELLOW', 'RED')),
  reason text not null default '',
  content jsonb not null,
  told_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, connection_id, name, language),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
-- A provider tells of a template by its id alone.
create index message_templates_provider on message_templates (provider_id);
select app.protect('message_templates');

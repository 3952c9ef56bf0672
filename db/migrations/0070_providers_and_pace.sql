-- What a company fills in of its account at a provider, for all of its connections there; secrets encrypted.
create table provider_settings (
  tenant_id bigint not null references tenants (id) on delete cascade,
  provider text not null,
  config jsonb not null default '{}',
  secrets jsonb not null default '{}',
  updated_at timestamptz not null,
  primary key (tenant_id, provider)
);
select app.protect('provider_settings');

-- Whether a channel reaches the number of a contact, and when it said so; null while nobody has asked.
alter table contacts
  add column is_wa_contact boolean,
  add column wa_checked_at timestamptz;

-- How fast a connection may go on whose number haste would cost: what is left of its bucket, when conversations were begun
-- within the last hour, and what its channel refused of that.
create table connection_paces (
  tenant_id bigint not null,
  connection_id bigint not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  begun jsonb not null default '[]',
  refused jsonb not null default '[]',
  halvings integer not null default 0,
  slow_until timestamptz,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
select app.protect('connection_paces');

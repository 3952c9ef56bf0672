-- What a company fills in of its accounts at providers of every kind: of a channel's provider once, of an assistant's as
-- often as it likes, one of them the default. `state` is what the provider said when it was last asked.
alter table provider_settings
  add column kind text not null default 'channel',
  add column id bigint generated always as identity,
  add column name text not null default '',
  add column is_active boolean not null default true,
  add column is_default boolean not null default false,
  add column state jsonb not null default '{}',
  add column created_at timestamptz not null default app.now();
alter table provider_settings alter column kind drop default;
alter table provider_settings drop constraint provider_settings_pkey;
alter table provider_settings add primary key (tenant_id, id);
create unique index provider_settings_of_channels on provider_settings (tenant_id, provider) where kind = 'channel';
create unique index provider_settings_default on provider_settings (tenant_id, kind, provider) where is_default;
create index provider_settings_of_kind on provider_settings (tenant_id, kind, provider);

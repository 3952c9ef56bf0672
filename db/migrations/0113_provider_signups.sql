-- Somebody on the way through a provider's login: gone to it with a state that counts once, back with what may be connected.
-- `state_hash` is there until they are back; `accounts` (encrypted) from then on.
create table provider_signups (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  user_id bigint not null,
  provider text not null,
  state_hash bytea,
  accounts text,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, state_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index provider_signups_user on provider_signups (tenant_id, user_id);
select app.protect('provider_signups');

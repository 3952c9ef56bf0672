-- The second factor of a login: an authenticator app's secret (encrypted; `pending` until its first code is right), the
-- last time step that was accepted (a code works once), and the hashes of the recovery codes that are left.
create table second_factors (
  tenant_id bigint not null,
  user_id bigint not null,
  secret text,
  pending text,
  last_step bigint not null default 0,
  recovery jsonb not null default '[]',
  confirmed_at timestamptz,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Passkeys: public keys only. `rp_id` is the host for which a passkey was made; it works for no other.
create table passkeys (
  tenant_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  name text not null check (name <> ''),
  rp_id text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null default 0,
  transports jsonb not null default '[]',
  is_backed_up boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, id),
  constraint passkeys_credential unique (tenant_id, credential_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index passkeys_user on passkeys (tenant_id, user_id);

select app.protect('second_factors');
select app.protect('passkeys');

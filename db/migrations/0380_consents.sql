-- What people agreed to or withdrew, by address and purpose: rows are only added, the newest of an address and purpose counts.
-- They belong to an address, not to a contact, so that deletion, import and merge leave them as they are.
create table consents (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  -- `phone:`, `mail:` or the channel's name, then the address as `addressOf` writes it.
  address text not null check (address <> ''),
  purpose text not null check (purpose in ('marketing', 'utility')),
  state text not null check (state in ('granted', 'revoked')),
  source text not null check (source in ('conversation', 'import', 'widget', 'api', 'agent', 'campaign')),
  note text not null default '',
  connection_id bigint,
  user_id bigint,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete set null (connection_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index consents_state on consents (tenant_id, address, purpose, id desc);
create index consents_connection on consents (tenant_id, connection_id) where connection_id is not null;
create index consents_user on consents (tenant_id, user_id) where user_id is not null;

-- A text message's "SAIR" ended everything automatic: both purposes.
insert into consents (tenant_id, address, purpose, state, source, connection_id, created_at)
  select tenant_id, 'phone:' || phone, purpose, 'revoked', 'conversation', connection_id, created_at
  from opt_outs, unnest(array['marketing', 'utility']) as purpose order by created_at;
drop table opt_outs;
select app.protect('consents');

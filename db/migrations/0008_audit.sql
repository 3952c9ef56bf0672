-- Who did what, when and from where. Rows are chained: each carries the hash of the one before it, and the head, which is
-- signed with a key of the installation's, says which one is the last. The table that stood here was never written to.
drop table audit_log;

create table audit_log (
  tenant_id bigint not null references tenants (id) on delete cascade,
  seq bigint not null,
  at timestamptz not null,
  action text not null,
  summary text not null default '',
  result text not null default 'ok',
  user_id bigint,
  user_name text not null default '',
  profile text not null default '',
  is_support boolean not null default false,
  method text not null default '',
  ip text not null default '',
  user_agent text not null default '',
  request_id text not null default '',
  target jsonb not null default '{}',
  changes jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, seq)
);
create index audit_log_user on audit_log (tenant_id, user_id, seq desc);
create index audit_log_action on audit_log (tenant_id, action, seq desc);
create index audit_log_at on audit_log (tenant_id, at);

-- Where the chain begins (what was older has been removed by age) and ends; the row lock numbers one record at a time.
create table audit_heads (
  tenant_id bigint primary key references tenants (id) on delete cascade,
  base_seq bigint not null default 0,
  base_hash bytea not null default '',
  last_seq bigint not null default 0,
  last_hash bytea not null default '',
  signature text not null default ''
);

-- The installation's own log: the superadmin's doings and what belongs to no company.
create table platform_audit_log (
  seq bigint primary key,
  at timestamptz not null,
  action text not null,
  summary text not null default '',
  result text not null default 'ok',
  user_id bigint,
  user_name text not null default '',
  profile text not null default '',
  is_support boolean not null default false,
  method text not null default '',
  ip text not null default '',
  user_agent text not null default '',
  request_id text not null default '',
  target jsonb not null default '{}',
  changes jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null
);
create index platform_audit_log_user on platform_audit_log (user_id, seq desc);
create index platform_audit_log_action on platform_audit_log (action, seq desc);
create index platform_audit_log_at on platform_audit_log (at);

create table platform_audit_head (
  only_row boolean primary key default true check (only_row),
  base_seq bigint not null default 0,
  base_hash bytea not null default '',
  last_seq bigint not null default 0,
  last_hash bytea not null default '',
  signature text not null default ''
);

-- Records are never changed, and go only with their company or by age: five years (decision B28), in a transaction that
-- says that this is what it is about. It binds the tables' owner too.
create function app.keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('app.audit_retention', true) = 'on' and old.at < now() - interval '5 years' then
      return old;
    end if;
    if tg_table_name = 'audit_log'
      and not exists (select from public.tenants where id = (to_jsonb(old) ->> 'tenant_id')::bigint) then
      return old;
    end if;
  end if;
  raise exception 'audit records are only added to' using errcode = 'insufficient_privilege';
end $$;
create trigger keep before update or delete on audit_log for each row execute function app.keep_audit();
create trigger keep before update or delete on platform_audit_log for each row execute function app.keep_audit();
create trigger keep_all before truncate on audit_log for each statement execute function app.keep_audit();
create trigger keep_all before truncate on platform_audit_log for each statement execute function app.keep_audit();

select app.protect('audit_log');
select app.protect('audit_heads');
revoke update, delete on audit_log from guiche_app;
revoke update on audit_log from guiche_platform;
grant select, insert, delete on platform_audit_log to guiche_platform;
grant select, insert, update on platform_audit_head to guiche_platform;

-- Who left keeps the name in the history and nothing else (decision B26).
alter table users add column deleted_at timestamptz;

-- Groups of colleagues.
create table teams (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint teams_name unique (tenant_id, name)
);

create table team_members (
  tenant_id bigint not null,
  team_id bigint not null,
  user_id bigint not null,
  primary key (tenant_id, team_id, user_id),
  foreign key (tenant_id, team_id) references teams (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index team_members_user on team_members (tenant_id, user_id);

select app.protect('teams');
select app.protect('team_members');

-- The door by which a unit of work writes who a key of the directory names, so that a person and the login names stand
-- or fall together: the subject, of the own tenant, has exactly these keys of the kind from now on. Answers the keys
-- that are somebody else's; the caller gives up then.
create function app.keep_in_directory(kept_kind text, subject bigint, keys bytea[], until timestamptz default null)
  returns bytea[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare own bigint := app.tenant();
begin
  if kept_kind not in ('login', 'invite') then
    raise exception 'the application keeps no % in the directory', kept_kind;
  end if;
  delete from public.directory
    where tenant_id = own and kind = kept_kind and subject_id = subject::text and key_hash <> all (keys);
  insert into public.directory (kind, key_hash, tenant_id, subject_id, expires_at)
    select kept_kind, key, own, subject::text, until from unnest(keys) key order by key
    on conflict (kind, key_hash) do nothing;
  return array(
    select key from unnest(keys) key where not exists (
      select from public.directory
      where kind = kept_kind and key_hash = key and tenant_id = own and subject_id = subject::text));
end $$;
revoke execute on function app.keep_in_directory(text, bigint, bytea[], timestamptz) from public;
grant execute on function app.keep_in_directory(text, bigint, bytea[], timestamptz) to guiche_app;

-- What a connection is made of: `config` holds what may be read, `secrets` by name what is encrypted, with the last
-- characters by which people know it again. `account` is the provider's name of the account, by which its calls speak of
-- it; `webhook` is the random part of the address that the provider calls, encrypted.
alter table connections
  add column secrets jsonb not null default '{}',
  add column account text,
  add column webhook text;
create unique index connections_account on connections (tenant_id, type, account) where account is not null and not is_deleted;

-- Also the address that a provider calls, which stands or falls with its connection.
create or replace function app.keep_in_directory(kept_kind text, subject bigint, keys bytea[], until timestamptz default null)
  returns bytea[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare own bigint := app.tenant();
begin
  if kept_kind not in ('login', 'invite', 'mailed_invite', 'email', 'webchat_channel', 'webhook')
    and not (kept_kind = 'oidc' and keys = '{}') then
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

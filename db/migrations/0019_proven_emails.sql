-- Whose an e-mail is. It is proven while `proven_email` is the e-mail: a link that the installation mailed to it was
-- opened, or an issuer vouched for it whose domain the company has verified. `waiting_email` becomes the login name as
-- soon as such a link is opened; where it is the e-mail itself, somebody else has that name and this account enters by
-- its username. Both compare with the address, so that a changed one is never taken for proven.
alter table users
  add column proven_email text,
  add column waiting_email text;

-- Of what was before, only links for a new password were certainly mailed to the address and opened: invitations may have
-- been handed over by whoever invited. An address that was changed afterwards has to be proven again.
with changed as materialized (
  select at, user_id, target ->> 'id' as target from audit_log where changes ? 'email'
  union all select at, user_id, target ->> 'id' from platform_audit_log where changes ? 'email'
)
update users u set proven_email = u.email where exists (
  select from audit_log opened
  where opened.tenant_id = u.tenant_id and opened.user_id = u.id
    and opened.action = 'password.changed' and opened.result = 'ok'
    and not exists (
      select from changed
      where changed.at >= opened.at and (changed.user_id = u.id or changed.target = u.id::text)));

-- External identities that were bound by an address of which nobody knows whose it is, are bound anew.
delete from directory d using users u, tenants t
  where d.kind = 'oidc' and u.tenant_id = d.tenant_id and u.id::text = d.subject_id and t.id = u.tenant_id
    and u.proven_email is null and split_part(u.email, '@', 2) <> all (t.domains);

-- Also invitations that were mailed by the installation, links that confirm an address, and a webchat channel's public
-- token, which stands or falls with its channel (decision 0009); what an external provider knows of a person can only be
-- forgotten this way.
create or replace function app.keep_in_directory(kept_kind text, subject bigint, keys bytea[], until timestamptz default null)
  returns bytea[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare own bigint := app.tenant();
begin
  if kept_kind not in ('login', 'invite', 'mailed_invite', 'email', 'webchat_channel') and not (kept_kind = 'oidc' and keys = '{}') then
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

-- Attempts that are counted over all processes: lost in a crash of the database, which forgives, and never in a backup.
-- Keys are hashes of what is counted.
create unlogged table rate_limits (
  key text primary key,
  points integer not null,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);
grant select, insert, update, delete on rate_limits to guiche_platform;

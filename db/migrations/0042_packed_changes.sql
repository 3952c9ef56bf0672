-- What happened and who may learn of it stand packed in the changes feed, in a seventh of the bytes (decision 0042). The
-- release of before finds nobody there who may learn of it.
alter table changes add packed bytea;

create or replace function app.append_changes(events jsonb) returns bigint language plpgsql as $$
declare head bigint; amount int := jsonb_array_length(events);
begin
  insert into feed_heads (tenant_id, last_seq) values (app.tenant(), amount)
    on conflict (tenant_id) do update set last_seq = feed_heads.last_seq + amount
    returning last_seq into head;
  insert into changes (tenant_id, seq, channel, type, payload, audience, packed)
    select app.tenant(), head - amount + e.n, e.value ->> 'channel', e.value ->> 'type', coalesce(e.value -> 'payload', '{}'),
      coalesce(e.value -> 'audience', '{}'), decode(e.value ->> 'packed', 'base64')
    from jsonb_array_elements(events) with ordinality as e (value, n);
  perform pg_notify('guiche_changes', app.tenant() || ':' || head || ':' || amount);
  return head;
end $$;

-- No release of before runs where there is no company yet.
update installation set data = data || '{"changes": {"packed": true}}' where not exists (select from tenants);

-- A search of messages goes back in time in steps, each from where the one before has ended: a page costs a page, and
-- nothing is out of reach. Common words are found among the newest messages, a hundred for each that is wanted. Others
-- are few, and the index of words has them all: how few, the planner does not know of a rare word, and would walk
-- through everything. The tenant's number is a bigint, or that index would give the words of all tenants. The function
-- of before stays for the release of before (decision B29).
create function app.search_messages(term text, only_ticket bigint, before timestamptz, before_seq bigint, most int)
  returns table (id uuid)
  language plpgsql stable security definer set search_path = public, app, pg_temp as $$
declare
  ids uuid[];
  words text := format('body_search @@ websearch_to_tsquery(''portuguese'', %L)', app.fold(term));
  place text := format('tenant_id = %s::bigint', app.tenant());
  newest text := format('order by timestamp desc, seq desc limit %s', most);
begin
  if only_ticket is not null then place := place || format(' and ticket_id = %s', only_ticket); end if;
  if before is not null then place := place || format(' and (timestamp, seq) < (%L, %s)', before, before_seq); end if;
  execute format('select array(select id from (
    select id, timestamp, seq, body_search from messages where %s order by timestamp desc, seq desc limit 100 * %s) latest
    where %s %s)', place, most, words, newest) into ids;
  if cardinality(ids) < most then
    execute format('with hits as materialized (select id, timestamp, seq from messages where %s and %s)
      select array(select id from hits %s)', place, words, newest) into ids;
  end if;
  return query select unnest(ids);
end $$;
grant create on schema app to guiche_search;
alter function app.search_messages(text, bigint, timestamptz, bigint, int) owner to guiche_search;
revoke create on schema app from guiche_search;
revoke execute on function app.search_messages(text, bigint, timestamptz, bigint, int) from public;
grant execute on function app.search_messages(text, bigint, timestamptz, bigint, int) to guiche_app;

-- What a search reads of messages: text and file name, folded, with what it is narrowed by. Rows of messages are wide, and
-- each tick writes them anew into all of their indexes; these are narrow, and written once.
create table message_texts (
  tenant_id bigint not null,
  message_id uuid not null,
  timestamp timestamptz not null,
  seq bigint not null,
  from_me boolean not null,
  user_id bigint,
  media_type text not null,
  text text not null,
  primary key (tenant_id, message_id)
);

create function app.keep_message_text() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    delete from message_texts where tenant_id = old.tenant_id and message_id = old.id;
  end if;
  if not new.is_deleted and (new.body <> '' or new.file_id is not null) then
    insert into message_texts (tenant_id, message_id, timestamp, seq, from_me, user_id, media_type, text)
    values (new.tenant_id, new.id, new.timestamp, new.seq, new.from_me, new.user_id, new.media_type, app.fold(concat_ws(E'\n', new.body,
      (select name from files f where f.tenant_id = new.tenant_id and f.id = new.file_id))));
  end if;
  return null;
end $$;

insert into message_texts (tenant_id, message_id, timestamp, seq, from_me, user_id, media_type, text)
select m.tenant_id, m.id, m.timestamp, m.seq, m.from_me, m.user_id, m.media_type, app.fold(concat_ws(E'\n', m.body, f.name))
from messages m left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
where not m.is_deleted and (m.body <> '' or m.file_id is not null);

alter table message_texts add foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade;
create index message_texts_time on message_texts (tenant_id, timestamp desc, seq desc);
create index message_texts_text on message_texts using gin (tenant_id, text gin_trgm_ops);
create trigger keep_text after insert or update of body, file_id, is_deleted, timestamp, user_id on messages
  for each row execute function app.keep_message_text();

select app.protect('message_texts');
create policy search on message_texts for select to guiche_search using (true);
grant select on message_texts to guiche_search;

-- Messages in which every part occurs, newest first, at most `most` of them. Common parts stand among the newest, which are
-- read as they come; others are few, and the index has them all. What is neither (a part that was common once, one without
-- three letters that the index knows) is looked for among the newest 20,000: the row that is no hit says how far that went.
create function app.search_messages(parts text[], only_ticket bigint, since timestamptz, until timestamptz, only_from_me boolean,
    only_user bigint, kinds text[], before timestamptz, before_seq bigint, most int)
  returns table (id uuid, is_hit boolean)
  language plpgsql stable security definer set search_path = public, app, pg_temp as $$
declare
  ids uuid[];
  edge uuid;
  amount int;
  indexed text;
  matching text;
  place text := 'tenant_id = app.tenant()';
  newest text := 'order by timestamp desc, seq desc';
  near text;
  is_common boolean;
begin
  select string_agg(pattern, ' and ' order by part), string_agg(pattern, ' and ' order by part) filter (where part ~ '[a-z0-9]{3}')
  into matching, indexed from (
    select part, format('text like %L', '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%') as pattern
    from (select distinct app.fold(unnest(parts)) as part) folded) patterns;
  if only_from_me is not null then matching := matching || format(' and from_me = %L', only_from_me); end if;
  if only_user is not null then matching := matching || format(' and user_id = %s', only_user); end if;
  if kinds is not null then matching := matching || format(' and media_type = any(%L)', kinds); end if;
  if since is not null then place := place || format(' and timestamp >= %L', since); end if;
  if until is not null then place := place || format(' and timestamp < %L', until); end if;
  if before is not null then place := place || format(' and (timestamp, seq) < (%L, %s)', before, before_seq); end if;

  foreach amount in array case when only_ticket is null then array[2000, 20000] else array[5000] end loop
    edge := null;
    if only_ticket is null then
      near := format('(select message_id, timestamp, seq, text, from_me, user_id, media_type from message_texts where %s %s limit %s) latest',
        place, newest, amount);
      execute format('select message_id from message_texts where %s %s offset %s limit 1', place, newest, amount - 1) into edge;
    else
      near := format('(select id as message_id, timestamp, seq from messages where ticket_id = %s and %s %s limit %s) latest,
        lateral (select text, from_me, user_id, media_type from message_texts
          where tenant_id = app.tenant() and message_texts.message_id = latest.message_id offset 0) said',
        only_ticket, place, newest, amount);
      execute format('select id from messages where ticket_id = %s and %s %s offset %s limit 1', only_ticket, place, newest, amount - 1) into edge;
    end if;
    execute format('select array(select message_id from %s where %s %s limit %s)', near, matching, newest, most) into ids;
    if cardinality(ids) >= most then edge := null; end if;
    exit when edge is null;
    continue when amount > 2000 or indexed is null or only_ticket is not null;
    execute format('select count(*) = 100 from (select from %s where %s limit 100) alike', near, indexed) into is_common;
    continue when is_common;
    -- The planner would rather walk until there are so many, which it believes to be soon.
    perform set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true);
    execute format('with candidates as materialized (select message_id, timestamp, seq, text, from_me, user_id, media_type
        from message_texts where %s and %s limit 4000)
      select array(select message_id from candidates where %s %s limit %s), (select count(*) = 4000 from candidates)',
      place, indexed, matching, newest, most) into ids, is_common;
    perform set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'on', true);
    if not is_common then
      edge := null;
      exit;
    end if;
  end loop;
  return query select unnest(ids), true union all select edge, false where edge is not null;
end $$;

-- For the release of before (decision B29): the same set for the parts of a term; the one for the release before that goes.
create or replace function app.search_messages(term text, only_ticket bigint, before timestamptz, before_seq bigint, most int)
  returns table (id uuid)
  language sql stable security definer set search_path = public, app, pg_temp as $$
  select m.id from app.search_messages(regexp_split_to_array(term, '\s+'), only_ticket, null, null, null, null, null, before, before_seq, most) found
  join messages m on m.tenant_id = app.tenant() and m.id = found.id
  where found.is_hit
$$;
drop function app.search_messages(text, bigint, int);

grant create on schema app to guiche_search;
alter function app.search_messages(text[], bigint, timestamptz, timestamptz, boolean, bigint, text[], timestamptz, bigint, int) owner to guiche_search;
revoke create on schema app from guiche_search;
revoke execute on function app.search_messages(text[], bigint, timestamptz, timestamptz, boolean, bigint, text[], timestamptz, bigint, int) from public;
grant execute on function app.search_messages(text[], bigint, timestamptz, timestamptz, boolean, bigint, text[], timestamptz, bigint, int) to guiche_app;

-- Only the searches read it.
alter table messages drop column body_search;

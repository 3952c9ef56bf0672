-- What is spoken in a recording (data.transcript) is found as what is written.
create or replace function app.keep_message_text() returns trigger language plpgsql set search_path = public, app, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    delete from message_texts where tenant_id = old.tenant_id and message_id = old.id;
  end if;
  if not new.is_deleted and (new.body <> '' or new.file_id is not null) then
    insert into message_texts (tenant_id, message_id, timestamp, seq, from_me, user_id, media_type, text)
    values (new.tenant_id, new.id, new.timestamp, new.seq, new.from_me, new.user_id, new.media_type, app.fold(concat_ws(E'\n', new.body,
      (select name from files f where f.tenant_id = new.tenant_id and f.id = new.file_id), new.data->>'transcript')));
  end if;
  return null;
end $$;
create trigger keep_transcript after update of data on messages for each row
  when (new.data->>'transcript' is distinct from old.data->>'transcript') execute function app.keep_message_text();

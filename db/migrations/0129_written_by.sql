-- Lists of what was written, of one person: whoever writes little, or nothing, is not looked for among all others.
create index messages_notes_of on messages (tenant_id, user_id, timestamp desc, seq desc)
  where is_note and media_type = 'note' and not is_deleted;
create index messages_protocols_of on messages (tenant_id, user_id, timestamp desc, seq desc) where send_type = 'protocol';
create index messages_scheduled_of on messages (tenant_id, user_id, schedule_date desc, seq desc) where schedule_date is not null;

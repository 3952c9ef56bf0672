-- Lists of what was written: notes, protocols that were sent, and what was scheduled, the newest first.
create index messages_notes on messages (tenant_id, timestamp desc, seq desc)
  where is_note and media_type = 'note' and not is_deleted;
create index messages_protocols on messages (tenant_id, timestamp desc, seq desc) where send_type = 'protocol';
create index messages_scheduled on messages (tenant_id, schedule_date desc, seq desc) where schedule_date is not null;

-- Notes, protocols and schedules of the few contacts whose names a search finds.
create index messages_notes_contact on messages (tenant_id, contact_id) where is_note and media_type = 'note' and not is_deleted;
create index messages_protocols_contact on messages (tenant_id, contact_id) where send_type = 'protocol';
create index messages_scheduled_contact on messages (tenant_id, contact_id) where schedule_date is not null;

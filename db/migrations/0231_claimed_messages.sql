-- What is on its way out at this moment: few rows, which whoever applies receipts waits for.
create index messages_claimed on messages (tenant_id, connection_id) where from_me and status = 'queued';

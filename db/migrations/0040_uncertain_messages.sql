-- Messages of which nobody knows whether they went out are few, and are counted where waiting ones are sent again.
create index messages_uncertain on messages (tenant_id) where status = 'uncertain';

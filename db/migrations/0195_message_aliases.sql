-- Under which other id its provider speaks of a message; of most there is none.
alter table messages add column provider_alias text;
create index messages_provider_alias on messages (tenant_id, connection_id, provider_alias) where provider_alias is not null;

-- Partial index of messages that carry an ad, by ticket: few rows, read by the contacts' filter.
create index messages_ads on messages (tenant_id, ticket_id) where data ? 'ad';

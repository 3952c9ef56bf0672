-- Messages by which a contact came from an ad: few of many, looked for by their tickets.
create index messages_ads on messages (tenant_id, ticket_id) where data ? 'ad';

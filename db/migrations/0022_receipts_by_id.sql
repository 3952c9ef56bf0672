-- Each send asks twice whether its receipt came first: by the provider's id of the message, however much came in meanwhile.
alter table journal add column receipt_for text;
update journal set receipt_for = payload ->> 'providerId'
  where payload ->> 'type' = 'receipt' and received_at > now() - interval '1 hour';
create index journal_receipts on journal (tenant_id, receipt_for) where receipt_for is not null;

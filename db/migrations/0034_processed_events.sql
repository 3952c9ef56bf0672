-- An event is written once where it waits and once, when it was processed, where it is kept: `journal` holds what waits and
-- what was put aside, so its indexes stay as small as that, and what is kept for a month is never changed and leaves no old
-- versions behind. What was processed before stays in `journal` until its month is over.
create table journal_processed (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id uuid not null,
  seq bigint not null,
  connection_id bigint not null,
  dedupe_key text not null,
  payload jsonb not null,
  received_at timestamptz not null,
  processed_at timestamptz not null default app.now(),
  receipt_for text,
  primary key (tenant_id, id),
  constraint journal_processed_dedupe unique (tenant_id, connection_id, dedupe_key)
);
create index journal_processed_receipts on journal_processed (tenant_id, receipt_for) where receipt_for is not null;
select app.protect('journal_processed');

-- Every event of the last month, wherever it stands.
create view journal_all with (security_invoker = true) as
  select tenant_id, id, seq, connection_id, dedupe_key, payload, received_at, processed_at, set_aside_at, receipt_for from journal
  union all
  select tenant_id, id, seq, connection_id, dedupe_key, payload, received_at, processed_at, null, receipt_for from journal_processed;
grant select on journal_all to guiche_app, guiche_platform;

-- It loses what it holds as fast as it comes: a share of nothing is always reached.
alter table journal set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

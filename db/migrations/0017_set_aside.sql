-- An event that was put aside says so itself, and with which code it failed; `processed_at` alone means that nothing
-- waits for it any more.
alter table journal add column set_aside_at timestamptz, add column error_code text;
update journal set set_aside_at = processed_at where processed_at is not null and attempts >= 5 and error is not null;
create index journal_set_aside on journal (tenant_id, set_aside_at desc, id desc) where set_aside_at is not null;

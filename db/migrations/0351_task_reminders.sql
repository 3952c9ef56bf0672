-- When whose task it is wants to be reminded of it, and when that was done.
alter table tasks add column remind_at timestamptz, add column reminded_at timestamptz;
create index tasks_reminders on tasks (tenant_id, remind_at) where remind_at is not null and reminded_at is null;

-- What visitors filled in before they wrote, and to which words they agreed, when.
alter table webchat_visitors add column form jsonb not null default '{}';
alter table webchat_visitors add column consent text not null default '';
alter table webchat_visitors add column consented_at timestamptz;

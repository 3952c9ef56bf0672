-- In which language a visitor is spoken to, and whose conversation theirs became a part of when they proved who they are.
alter table webchat_visitors add column language text not null default 'pt' check (language in ('pt', 'en', 'es'));
alter table webchat_visitors add column joined uuid;
create index webchat_visitors_joined on webchat_visitors (tenant_id, joined) where joined is not null;

-- Conversations of bots by the time in which they began, for their report.
create index flow_sessions_begun on flow_sessions (tenant_id, created_at);

-- Saved reports: `path` of the screen with its `search`, and `body` as the API takes it. By mail it goes to
-- `recipients`, weekly or monthly, next at `next_at`.
create table report_views (
  tenant_id bigint not null references tenants (id) on delete cascade,
  id bigint generated always as identity,
  user_id bigint not null,
  name text not null check (name <> ''),
  path text not null,
  search jsonb not null,
  body jsonb not null,
  frequency text check (frequency in ('weekly', 'monthly')),
  recipients bigint[] not null default '{}',
  next_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index report_views_user on report_views (tenant_id, user_id, path, name);
create index report_views_due on report_views (tenant_id, next_at) where next_at is not null;
select app.protect('report_views');

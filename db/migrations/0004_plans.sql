-- What the installation offers: a price a month and how much of the product it covers. Platform rows, no company's.
create table plans (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  value numeric(14, 2) not null check (value >= 0),
  connections int not null check (connections > 0),
  users int not null check (users > 0),
  trial boolean not null default false,
  trial_period int not null default 0 check (trial_period between 0 and 365),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint plans_name unique (name),
  check (not trial or trial_period > 0)
);
grant select, insert, update, delete on plans to guiche_platform;
insert into plans (name, value, connections, users) values ('Padrão', 0, 5, 10);

-- A company keeps the limits that it signed up for; the plan says where they came from. A trial ends by the clock.
alter table tenants
  add column plan_id bigint references plans (id),
  add column trial_ends_at timestamptz;
create index tenants_plan on tenants (plan_id);
create index tenants_trial on tenants (trial_ends_at) where trial_ends_at is not null;

-- Support access is asked for by every administrator's screen; there is hardly ever any.
create index sessions_support on sessions (tenant_id, ends_at) where method = 'masterkey';

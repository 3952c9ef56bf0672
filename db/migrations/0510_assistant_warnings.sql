-- What administrators were warned of, once per month, limit and level: 80 % of what assistants may use, or all of it.
create table assistant_warnings (
  tenant_id bigint not null references tenants (id) on delete cascade,
  -- AAAA-MM in the zone of the company.
  month text not null,
  -- Of what: 'answers' of the plan, 'budget' of the company, or that of an account.
  about text not null,
  -- A limit that was changed warns anew.
  most numeric(14, 2) not null,
  level smallint not null check (level in (80, 100)),
  created_at timestamptz not null,
  primary key (tenant_id, month, about, most, level)
);
select app.protect('assistant_warnings');

-- Who asked a copilot, and what became of its answer: taken as it was, changed, or refused; null: nobody has said.
alter table assistant_calls
  add column user_id bigint,
  add column outcome text check (outcome in ('taken', 'changed', 'refused'));
alter table assistant_calls add foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id);
create index assistant_calls_user on assistant_calls (tenant_id, user_id) where user_id is not null;

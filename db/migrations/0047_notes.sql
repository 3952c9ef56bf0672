-- Whom an internal note mentions, each person once; a note that is changed or deleted takes it back. `message_at` and
-- `message_seq` are the note's place, as reading positions have it.
create table mentions (
  tenant_id bigint not null,
  message_id uuid not null,
  user_id bigint not null,
  ticket_id bigint not null,
  message_at timestamptz not null,
  message_seq bigint not null,
  seen_at timestamptz,
  primary key (tenant_id, message_id, user_id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
create index mentions_user on mentions (tenant_id, user_id, message_at desc, message_seq desc);
create index mentions_unseen on mentions (tenant_id, user_id, ticket_id) where seen_at is null;
create index mentions_ticket on mentions (tenant_id, ticket_id);

select app.protect('mentions');

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

-- Who follows a ticket that a colleague attends; it counts as long as they see the ticket.
create table ticket_followers (
  tenant_id bigint not null,
  ticket_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  primary key (tenant_id, ticket_id, user_id),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index ticket_followers_user on ticket_followers (tenant_id, user_id);

-- Messages that stand above their conversation for everybody, by whom and since when.
create table pinned_messages (
  tenant_id bigint not null,
  message_id uuid not null,
  ticket_id bigint not null,
  user_id bigint,
  created_at timestamptz not null,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index pinned_messages_ticket on pinned_messages (tenant_id, ticket_id);
create index pinned_messages_user on pinned_messages (tenant_id, user_id);

select app.protect('mentions');
select app.protect('ticket_followers');
select app.protect('pinned_messages');

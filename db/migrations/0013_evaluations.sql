-- What customers were asked at the end of an attendance and what they answered: one row for each closing, with owner and
-- queue as they were then. It goes with its ticket.
create table ticket_evaluations (
  tenant_id bigint not null,
  id bigint generated always as identity,
  ticket_id bigint not null,
  contact_id bigint not null,
  connection_id bigint not null,
  conversation_key text not null,
  user_id bigint,
  queue_id bigint,
  closed_at timestamptz not null,
  status text not null default 'asked' check (status in ('asked', 'answered', 'invalid', 'expired', 'left')),
  evaluation smallint check (evaluation between 0 and 5),
  attempts smallint not null default 0,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  primary key (tenant_id, id),
  constraint ticket_evaluations_graded check ((status = 'answered') = (evaluation is not null)),
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contacts (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id),
  foreign key (tenant_id, queue_id) references queues (tenant_id, id) on delete set null (queue_id)
);
-- Asked once for each closing, whatever crashes or is repeated.
create unique index ticket_evaluations_closing on ticket_evaluations (tenant_id, ticket_id, closed_at);
create index ticket_evaluations_asked on ticket_evaluations (tenant_id, asked_at desc, id desc);
create index ticket_evaluations_conversation on ticket_evaluations (tenant_id, connection_id, conversation_key, id desc);
create index ticket_evaluations_contact on ticket_evaluations (tenant_id, contact_id);
create index ticket_evaluations_user on ticket_evaluations (tenant_id, user_id);
create index ticket_evaluations_queue on ticket_evaluations (tenant_id, queue_id);
-- What waits for an answer, the next to be over first.
create index ticket_evaluations_due on ticket_evaluations (tenant_id, expires_at) where status = 'asked';

select app.protect('ticket_evaluations');

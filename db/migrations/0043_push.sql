-- Web push: a company's key pair (the private key encrypted), and how far its changes were read for notices.
create table push_senders (
  tenant_id bigint primary key references tenants (id) on delete cascade,
  public_key text not null,
  private_key text not null,
  last_seq bigint not null,
  created_at timestamptz not null
);

-- Where a device is reached (endpoint and keys, encrypted), for as long as its session lives.
create table push_subscriptions (
  tenant_id bigint not null,
  session_id uuid not null,
  user_id bigint not null,
  endpoint_hash bytea not null,
  subscription text not null,
  time_zone text not null,
  created_at timestamptz not null,
  last_success_at timestamptz,
  primary key (tenant_id, session_id),
  constraint push_subscriptions_endpoint unique (tenant_id, endpoint_hash),
  foreign key (tenant_id, session_id) references sessions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index push_subscriptions_user on push_subscriptions (tenant_id, user_id);

-- What a device has to learn of a ticket: `seq` is the change that was news, `sent_seq` the one that it shows.
create table push_notices (
  tenant_id bigint not null,
  session_id uuid not null,
  ticket_id bigint not null,
  seq bigint not null,
  sent_seq bigint,
  due_at timestamptz not null,
  primary key (tenant_id, session_id, ticket_id),
  foreign key (tenant_id, session_id) references push_subscriptions (tenant_id, session_id) on delete cascade,
  foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade
);
create index push_notices_ticket on push_notices (tenant_id, ticket_id);

select app.protect('push_senders');
select app.protect('push_subscriptions');
select app.protect('push_notices');

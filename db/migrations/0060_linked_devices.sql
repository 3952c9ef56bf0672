-- How a connection is linked: what is to be read or typed on the phone and until when, the digits for which a typed code was
-- asked, and why it is away. `opening` rises whenever a person wants it opened anew, and `forgets_keys` stands until whoever
-- opens or closes it next has forgotten its state.
alter table connections
  add column pairing_code text,
  add column code_expires_at timestamptz,
  add column pairing text,
  add column cause text,
  add column opening bigint not null default 0,
  add column forgets_keys boolean not null default false;

-- What a process asks a connection that another process keeps open. It is claimed by the number of a lease, so that a new
-- holder answers what an earlier one did not; nothing is kept longer than somebody waits for it.
create table connection_requests (
  tenant_id bigint not null,
  id uuid not null,
  connection_id bigint not null,
  question text not null,
  about text not null,
  answer text,
  claimed_epoch bigint,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index connection_requests_connection on connection_requests (tenant_id, connection_id);
select app.protect('connection_requests');

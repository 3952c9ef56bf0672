-- Opening hours of people and queues: a list of { day, label, type, hr1…hr4 } (product facts 7.4); null: none of their own.
alter table users add column business_hours jsonb;
alter table queues
  add column business_hours jsonb,
  add column message_business_hours text not null default '';

-- How a session was opened, and what it may not outlive: support access has an end of its own.
alter table sessions
  add column method text not null default 'password'
    check (method in ('password', 'code', 'passkey', 'oidc', 'masterkey')),
  add column ends_at timestamptz;

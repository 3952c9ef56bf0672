-- What the superadmin keeps of a company: its host names (each also a key of the directory, which holds them unique),
-- the channel types it may have (null: every one, those to come too), and when its trial began (null: with the company).
alter table tenants
  add column domains text[] not null default '{}',
  add column allowed_channels text[],
  add column trial_started_at timestamptz;

-- Campaigns that repeat or are followed up: each occurrence and each follow-up is a dispatch of its own, which chooses its
-- recipients at its start; answers may go to a chat flow.
alter table dispatches
  -- How recipients were chosen, in order: {filter} or {contacts}.
  add column audience jsonb not null default '[]',
  -- RRULE; its occurrences are counted from repeats_from.
  add column recurrence text,
  add column repeats_from timestamptz,
  -- The occurrence before this one.
  add column previous_id bigint,
  -- Its start is still to be prepared: recipients are chosen, and the next occurrence is made.
  add column awaits_start boolean not null default false,
  -- What recipients without an answer get: {days, message, template}; and whether this dispatch is one to those of parent_id.
  add column follow_up jsonb,
  add column follows_up boolean not null default false,
  add column reply_flow_id bigint,
  add foreign key (tenant_id, previous_id) references dispatches (tenant_id, id) on delete set null (previous_id),
  add foreign key (tenant_id, reply_flow_id) references chat_flows (tenant_id, id) on delete set null (reply_flow_id);
create unique index dispatches_next on dispatches (tenant_id, previous_id) where previous_id is not null;
create unique index dispatches_follow_up on dispatches (tenant_id, parent_id) where follows_up and parent_id is not null;
create index dispatches_flow on dispatches (tenant_id, reply_flow_id) where reply_flow_id is not null;
create index dispatches_awaiting on dispatches (tenant_id, start_at) where awaits_start;

-- When the recipient first opened a link of the message.
alter table dispatch_items add column clicked_at timestamptz;

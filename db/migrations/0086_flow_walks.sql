-- Which way conversations went through flows, so that it can be counted; what was before is not.
alter table flow_steps
  add column chat_flow_id bigint,
  add column version int,
  -- Whether a conversation began with this version of this flow, or came to it from another flow.
  add column begins boolean not null default false,
  -- Whether it came to the node.
  add column is_entry boolean not null default false,
  -- The condition that held: its node, and its place among those as they are written.
  add column branch_node text,
  add column branch int,
  -- Why it went on without a condition.
  add column cause text;

create index flow_steps_begun on flow_steps (tenant_id, chat_flow_id, version, at) where begins;

-- A case of a real conversation goes with what the customer said.
alter table flow_cases
  add column ticket_id bigint,
  add foreign key (tenant_id, ticket_id) references tickets (tenant_id, id) on delete cascade;

create index flow_cases_ticket on flow_cases (tenant_id, ticket_id) where ticket_id is not null;

-- Conversations that came to a flow, whichever version, by when they did: replays take them a page at a time.
create index flow_steps_begun_at on flow_steps (tenant_id, chat_flow_id, at desc, session_id desc) where begins;

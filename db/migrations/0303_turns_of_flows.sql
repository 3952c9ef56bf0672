-- The step of a chat flow for which a turn is: { sessionId, callId, prompt, isFirst, isSilent }; null: the ticket's own.
alter table assistant_turns add column flow jsonb;

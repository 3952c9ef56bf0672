-- How long each role may wait and work. A process that freezes in the middle of a transaction stands in the way of its
-- company's others (the changes feed's row) for five seconds at most; who waits for its lock is told after two, and tries
-- again. What is known to take longer sets its own limit within its transaction. Kept with the role and not with the
-- connection, so that they hold for every program and pass a pooler. Where the roles are somebody else's, they are theirs
-- to limit.
do $$
declare
  role text;
  limits text;
begin
  foreach role in array array['guiche_app', 'guiche_platform', 'guiche_worker'] loop
    foreach limits in array array['idle_in_transaction_session_timeout = ''5s''', 'lock_timeout = ''2s''', 'statement_timeout = ''12s'''] loop
      execute format('alter role %I set ', role) || limits;
    end loop;
  end loop;
exception when insufficient_privilege then
  raise notice 'the roles cannot be changed here: %', sqlerrm;
end $$;

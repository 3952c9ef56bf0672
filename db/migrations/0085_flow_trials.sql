-- A version that only a share of the new conversations follows, in percent, until it is everybody's or nobody's.
alter table chat_flows
  add column trial_version int,
  add column trial_share int,
  add constraint chat_flows_trial check (
    (trial_version is null) = (trial_share is null) and (trial_share is null or trial_share between 1 and 99)
  );

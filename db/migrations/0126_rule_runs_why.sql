-- What each condition of a rule was decided by when it held, as `domain/rules/judge` told; empty for what was noted before.
alter table rule_runs add column conditions jsonb not null default '[]';

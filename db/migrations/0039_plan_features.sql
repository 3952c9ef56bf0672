-- What the plan of a company leaves out of the features that are sold apart; one that comes later is everybody's.
alter table tenants add column excluded_features text[] not null default '{}';

-- What is expected of a month is added up from the index alone.
drop index opportunities_forecast;
create index opportunities_forecast on opportunities (tenant_id, pipeline_id, closing_forecast)
  include (stage_id, value, responsible_id) where status = 'open';

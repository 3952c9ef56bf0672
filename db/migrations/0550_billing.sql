-- Billing of companies by the installation through Asaas: customer and subscription there, and a copy of the payments.
alter table tenants
  add column billed_since timestamptz,
  -- While billing begins: only one request at a time makes customer and subscription.
  add column billing_claimed_at timestamptz,
  add column asaas_customer_id text,
  add column asaas_subscription_id text,
  -- Due date of the oldest overdue payment; null while none is.
  add column overdue_since date,
  add column payments_read_at timestamptz;
create unique index tenants_asaas_customer on tenants (asaas_customer_id) where asaas_customer_id is not null;

create table tenant_payments (
  tenant_id bigint not null references tenants (id) on delete cascade,
  -- Id of the payment at Asaas.
  id text not null,
  -- Status as Asaas names it.
  status text not null,
  due_date date not null,
  value numeric(14, 2) not null,
  paid_at date,
  bank_slip_url text,
  invoice_url text,
  primary key (tenant_id, id)
);
select app.protect('tenant_payments');
create index tenant_payments_due on tenant_payments (tenant_id, due_date desc, id);

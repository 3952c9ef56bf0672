import { type SqlBool, sql } from 'kysely'
import { OVERDUE, PENDING } from '#domain/billing/payments.ts'
import type { Payment } from '#providers/payments/port.ts'
import { countUpTo } from '#server/db/count.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { COUNTED, type PageStart } from '#server/paging.ts'

const isOverdue = sql<SqlBool>`(t.billed_since is not null and t.overdue_since is not null)`

// The company's own role reads them too, its own rows alone.
const all = (db: Queryable) =>
  db
    .selectFrom('tenants as t')
    .leftJoin('plans as p', 'p.id', 't.plan_id')
    .select([
      't.id',
      't.name',
      't.identity',
      't.billed_since',
      't.asaas_customer_id',
      't.asaas_subscription_id',
      't.payments_read_at',
      sql<string | null>`p.value::text`.as('plan_value'),
      sql<string | null>`t.overdue_since::text`.as('overdue_since'),
      sql<string>`app.fold(t.name)`.as('sort_name'),
      sql<{ dueDate: string; value: string } | null>`(
        select jsonb_build_object('dueDate', n.due_date::text, 'value', n.value::text) from tenant_payments n
        where n.tenant_id = t.id and n.status = ${PENDING} order by n.due_date, n.id limit 1)`.as('next'),
    ])

/** Row of a company with its billing. */
export type BilledRow = Awaited<ReturnType<typeof listBilled>>[number]

/** Finds a company with its billing; `lock` locks it until the end of the transaction. */
export const findBilled = (db: Queryable, id: number, lock = false): Promise<BilledRow | undefined> =>
  all(db)
    .where('t.id', '=', id)
    .$if(lock, (query) => query.forUpdate('t'))
    .executeTakeFirst()

/** Search by name or identity, and a filter. */
type Wanted = { readonly search: string | undefined; readonly only: 'billed' | 'overdue' | undefined }

const matching = ({ search, only }: Wanted) => {
  const found = search
    ? sql`app.fold(concat_ws(' ', t.name, t.identity)) like app.fold(${patternOf(search)}::text)`
    : sql`true`
  const kind = only === 'billed' ? sql`t.billed_since is not null` : only === 'overdue' ? isOverdue : sql`true`
  return sql<SqlBool>`${found} and ${kind}`
}

/** Returns a page of companies by name; requires platform database access. */
export async function listBilled(db: Queryable, wanted: Wanted, { after, offset, limit }: PageStart<[string, number]>) {
  let query = all(db).where(matching(wanted))
  if (after) query = query.where(sql<SqlBool>`(app.fold(t.name), t.id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('t.id').limit(limit).offset(offset).execute()
}

/** Counts the companies found, up to `COUNTED`; requires platform database access. */
export const countBilled = (db: Queryable, wanted: Wanted): Promise<number> =>
  countUpTo(db, db.selectFrom('tenants as t').select('t.id').where(matching(wanted)), COUNTED)

/** Returns a page of a company's payments, latest due date first. */
export async function listPayments(
  db: Queryable,
  tenantId: number,
  { after, offset, limit }: PageStart<[string, string]>,
) {
  let query = db
    .selectFrom('tenant_payments')
    .select(['id', 'status', 'bank_slip_url', 'invoice_url'])
    .select([
      sql<string>`due_date::text`.as('due_date'),
      sql<string | null>`paid_at::text`.as('paid_at'),
      sql<string>`value::text`.as('value'),
    ])
    .where('tenant_id', '=', tenantId)
  if (after) query = query.where(sql<SqlBool>`(due_date, id) < (${after[0]}::date, ${after[1]})`)
  return query.orderBy('tenant_payments.due_date', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

/** Counts a company's payments, up to `COUNTED`. */
export const countPayments = (db: Queryable, tenantId: number): Promise<number> =>
  countUpTo(db, db.selectFrom('tenant_payments').select('id').where('tenant_id', '=', tenantId), COUNTED)

/** Replaces a company's payments, and returns the due date of the oldest overdue one; requires platform database access. */
export async function savePayments(db: Tx, tenantId: number, payments: readonly Payment[]): Promise<string | null> {
  const rows = JSON.stringify(payments)
  await sql`delete from tenant_payments where tenant_id = ${tenantId} and id not in (
    select one ->> 'id' from jsonb_array_elements(${rows}::jsonb) one)`.execute(db)
  await sql`
    insert into tenant_payments (tenant_id, id, status, due_date, value, paid_at, bank_slip_url, invoice_url)
    select distinct on (one ->> 'id') ${tenantId}::bigint, one ->> 'id', one ->> 'status', (one ->> 'dueDate')::date,
      (one ->> 'value')::numeric, (one ->> 'paidAt')::date, one ->> 'bankSlipUrl', one ->> 'invoiceUrl'
    from jsonb_array_elements(${rows}::jsonb) one
    on conflict (tenant_id, id) do update set status = excluded.status, due_date = excluded.due_date,
      value = excluded.value, paid_at = excluded.paid_at, bank_slip_url = excluded.bank_slip_url,
      invoice_url = excluded.invoice_url`.execute(db)
  const { rows: found } = await sql<{ since: string | null }>`
    select min(due_date)::text as since from tenant_payments
    where tenant_id = ${tenantId} and status in (${sql.join(OVERDUE)})`.execute(db)
  return found[0]?.since ?? null
}

/** Returns the company of an Asaas customer; requires platform database access. */
export async function companyOfCustomer(db: Queryable, customerId: string): Promise<number | null> {
  const row = await db
    .selectFrom('tenants')
    .select('id')
    .where('asaas_customer_id', '=', customerId)
    .where('billed_since', 'is not', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns those of the customers that companies have; requires platform database access. */
export async function takenCustomers(db: Queryable, customerIds: readonly string[]): Promise<string[]> {
  if (customerIds.length === 0) return []
  const rows = await db
    .selectFrom('tenants')
    .select('asaas_customer_id')
    .where('asaas_customer_id', 'in', customerIds)
    .execute()
  return rows.flatMap((row) => row.asaas_customer_id ?? [])
}

/** Returns the companies whose payments were last read before a time; requires platform database access. */
export async function companiesToRead(db: Queryable, before: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('tenants')
    .select('id')
    .where('billed_since', 'is not', null)
    .where((w) => w.or([w('payments_read_at', 'is', null), w('payments_read_at', '<', before)]))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the newest subscription of all companies; null without one; requires platform database access. */
export async function anySubscription(db: Queryable): Promise<string | null> {
  const row = await db
    .selectFrom('tenants')
    .select('asaas_subscription_id as id')
    .where('asaas_subscription_id', 'is not', null)
    .orderBy('billed_since', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns the login e-mail of a user. */
export async function emailOfUser(db: Queryable, id: number): Promise<string> {
  return (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
}

/** Returns the e-mail of a company's owner; null without one; requires platform database access. */
export async function ownerEmail(db: Queryable, tenantId: number): Promise<string | null> {
  const row = await db
    .selectFrom('tenants as t')
    .innerJoin('users as o', (on) => on.onRef('o.tenant_id', '=', 't.id').onRef('o.id', '=', 't.owner_id'))
    .select('o.email')
    .where('t.id', '=', tenantId)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Returns the ids of the encryption keys of the account's key. */
export async function keysOfBilling(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select split_part(data #>> '{billing,sealed}', '.', 1) as key from installation
    where data #>> '{billing,sealed}' is not null`.execute(db)
  return rows.map(({ key }) => key)
}

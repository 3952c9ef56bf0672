import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Purpose of a call. */
export type CallPurpose = 'turn' | 'test' | 'copilot' | 'transcription' | 'voice' | 'call'

/** Call of an assistant for cost accounting; `cost` in R$. */
export type CountedCall = {
  readonly id: string
  readonly purpose: CallPurpose
  /** User who requested the call, if any. */
  readonly userId?: number
  readonly ticketId: number | null
  readonly turnId: string | null
  readonly accountId: number
  readonly provider: string
  readonly model: string
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly ms: number
  readonly cost: number
  readonly error: string | null
}

/** Stores calls; one stored before it was made gets its result. */
export async function insertCalls(db: Tx, calls: readonly CountedCall[], now: Date): Promise<void> {
  if (calls.length === 0) return
  await db
    .insertInto('assistant_calls')
    .values(
      calls.map((call) => ({
        tenant_id: sql<number>`app.tenant()`,
        ...{ id: call.id, purpose: call.purpose, ticket_id: call.ticketId, turn_id: call.turnId },
        // A deleted account is stored as null.
        account_id: sql<
          number | null
        >`(select id from provider_settings where tenant_id = app.tenant() and id = ${call.accountId})`,
        ...{ provider: call.provider, model: call.model.slice(0, 200), ms: Math.round(call.ms) },
        ...{ input_tokens: call.inputTokens, cached_tokens: call.cachedTokens, output_tokens: call.outputTokens },
        ...{ cost: String(call.cost), error: call.error, created_at: now, user_id: call.userId ?? null },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'id']).doUpdateSet((eb) => ({
        model: eb.ref('excluded.model'),
        input_tokens: eb.ref('excluded.input_tokens'),
        cached_tokens: eb.ref('excluded.cached_tokens'),
        output_tokens: eb.ref('excluded.output_tokens'),
        ms: eb.ref('excluded.ms'),
        cost: eb.ref('excluded.cost'),
        error: eb.ref('excluded.error'),
      })),
    )
    .execute()
}

/** Removes a call that was stored before it was made, and was not made. */
export async function removeCall(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('assistant_calls').where('id', '=', id).execute()
}

/** Returns the cost since a moment by account, in R$; deleted accounts under null. */
export async function spentSince(db: Queryable, since: Date): Promise<{ accountId: number | null; cost: number }[]> {
  const { rows } = await sql<{ accountId: number | null; cost: number }>`
    select account_id as "accountId", sum(cost)::float8 as cost from assistant_calls
    where created_at >= ${since} group by account_id`.execute(db)
  return rows
}

/** Returns the plan's limit of answers (0: none), and the number since a moment; tests of an account are not counted. */
export async function countAnswers(db: Queryable, since: Date): Promise<{ answers: number; most: number }> {
  const { rows } = await sql<{ answers: number; most: number }>`
    select max_assistant_answers as most, (
      select count(*) from assistant_calls c
      where c.tenant_id = t.id and c.created_at >= ${since} and c.error is null and c.purpose <> 'test'
    )::int as answers
    from tenants t where t.id = app.tenant()`.execute(db)
  return firstOf(rows)
}

/** Totals of calls. */
export type Used = { calls: number; inputTokens: number; outputTokens: number; cost: number }

const sums = sql`count(*)::int as calls, coalesce(sum(input_tokens), 0)::float8 as "inputTokens",
  coalesce(sum(output_tokens), 0)::float8 as "outputTokens", coalesce(sum(cost), 0)::float8 as cost`

/** Returns the usage of a period: in total, by day of a zone, by account, and by purpose. */
export async function sumUsed(db: Queryable, from: Date, until: Date, zone: string) {
  const within = sql`created_at >= ${from} and created_at < ${until}`
  const [total, days, accounts, uses] = await Promise.all([
    sql<Used>`select ${sums} from assistant_calls where ${within}`.execute(db),
    sql<Used & { day: string }>`
      select to_char(created_at at time zone ${zone}, 'YYYY-MM-DD') as day, ${sums}
      from assistant_calls where ${within} group by 1 order by 1`.execute(db),
    sql<Used & { assistantId: number | null; name: string | null; provider: string; errors: number }>`
      select c.account_id as "assistantId", min(a.name) as name, c.provider,
        count(*) filter (where c.error is not null)::int as errors, count(*)::int as calls,
        coalesce(sum(c.input_tokens), 0)::float8 as "inputTokens",
        coalesce(sum(c.output_tokens), 0)::float8 as "outputTokens", coalesce(sum(c.cost), 0)::float8 as cost
      from assistant_calls c
      left join provider_settings a on a.tenant_id = c.tenant_id and a.id = c.account_id
      where c.created_at >= ${from} and c.created_at < ${until}
      group by c.account_id, c.provider order by cost desc, c.provider`.execute(db),
    sql<Used & { use: string }>`
      select purpose as use, ${sums} from assistant_calls where ${within} group by 1 order by 1`.execute(db),
  ])
  return { total: firstOf(total.rows), days: days.rows, accounts: accounts.rows, uses: uses.rows }
}

/** Records a user's decision on their copilot's answer; returns false if the answer is not theirs. */
export async function noteOutcome(
  db: Tx,
  { id, userId, outcome }: { readonly id: string; readonly userId: number; readonly outcome: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('assistant_calls')
    .set({ outcome })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('purpose', '=', 'copilot')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

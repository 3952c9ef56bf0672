import { CompiledQuery, sql } from 'kysely'
import type { Database } from './db.ts'
import { type Removal, removed } from './removal.ts'

/** Runs a limiter's queries on the shared counters with platform database access; each is one statement. */
export const limitStore = ({ askAsPlatform }: Pick<Database, 'askAsPlatform'>) => ({
  query: ({ text, values }: { text: string; values: unknown[] }) =>
    askAsPlatform((db) => db.executeQuery(CompiledQuery.raw(text, values))),
})

/** Points to add to one counter; `expire` in epoch ms. */
export type Counted = { key: string; points: number; expire: number }

/** Adds points to many shared counters in one statement and returns the counters; one that expired before `now` starts over. */
export async function countTogether(
  { askAsPlatform }: Pick<Database, 'askAsPlatform'>,
  counted: readonly Counted[],
  now: number,
): Promise<Counted[]> {
  const [keys, points, expires] = [
    counted.map(({ key }) => key),
    counted.map((one) => one.points),
    counted.map(({ expire }) => expire),
  ]
  const { rows } = await askAsPlatform((db) =>
    sql<Counted>`insert into rate_limits as kept (key, points, expire)
      select * from unnest(${keys}::text[], ${points}::int[], ${expires}::bigint[]) as added (key, points, expire)
      order by key
      on conflict (key) do update set
        points = case when kept.expire <= ${now} then excluded.points else kept.points + excluded.points end,
        expire = case when kept.expire <= ${now} then excluded.expire else kept.expire end
      returning key, points, expire`.execute(db),
  )
  return rows
}

/** Deletes shared counters that have expired. */
export const removeLimits: Removal = (db, before, most) =>
  removed(
    db,
    sql`delete from rate_limits where key in (
      select key from rate_limits where expire < ${before.getTime()} order by expire limit ${most})`,
  )

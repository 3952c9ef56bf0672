import pg from 'pg'
import { until } from './until.ts'

/**
 * Runs `work` against an open transaction that has executed the statements of `done` and commits as soon as `work` waits for
 * its lock; returns the result of `work`.
 */
export async function crossing<T>(
  ownerUrl: string,
  done: readonly (readonly [statement: string, values: readonly unknown[]])[],
  work: () => Promise<T>,
): Promise<T> {
  const other = new pg.Client({ connectionString: ownerUrl })
  await other.connect()
  try {
    await other.query('begin')
    for (const [statement, values] of done) await other.query(statement, [...values])
    const crossed = work()
    await until(async () => {
      const waiting = await other.query(`select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`)
      return waiting.rowCount !== 0
    })
    await other.query('commit')
    return await crossed
  } finally {
    await other.end()
  }
}

import pg from 'pg'

/** The jobs that fetch files of messages: in how many seconds one of them is tried (0: not later than now), and how all are tried at once. */
export async function mediaJobs(connectionString: string) {
  const owner = new pg.Client({ connectionString })
  await owner.connect()
  return {
    async secondsTo(messageId: string | undefined): Promise<number> {
      const { rows } = await owner.query<{ seconds: number }>(
        `select extract(epoch from run_at - now())::int as seconds from graphile_worker._private_jobs
          where key = $1 and locked_at is null`,
        [`media:${messageId}`],
      )
      return Math.max(rows[0]?.seconds ?? 0, 0)
    },
    hurry: () =>
      owner.query(
        "update graphile_worker._private_jobs set run_at = now() where key like 'media:%' and locked_at is null",
      ),
    close: () => owner.end(),
  }
}

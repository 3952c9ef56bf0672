const MINUTE_MS = 60_000
const MOST_FAILURES = 5

type Record = { failures: number[]; restsUntil: number }
const records = new Map<string, Record>()

/** Whether an account is paused: it failed five times within a minute, less than a minute ago. */
export const isResting = (account: string, now: number): boolean => (records.get(account)?.restsUntil ?? 0) > now

/** Records a failure of an account. */
export function noteFailure(account: string, now: number): void {
  const record = records.get(account) ?? { failures: [], restsUntil: 0 }
  record.failures = [...record.failures.filter((at) => at > now - MINUTE_MS), now]
  if (record.failures.length >= MOST_FAILURES) {
    record.restsUntil = now + MINUTE_MS
    record.failures = []
  }
  records.set(account, record)
}

/** Records a success of an account. */
export const noteSuccess = (account: string): void => void records.delete(account)

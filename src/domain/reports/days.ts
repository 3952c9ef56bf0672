/** Returns the days (`YYYY-MM-DD`) from the first to the last, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push(day)
  return days
}

/** Returns the day a number of days later (negative: earlier). */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the weekday of a day, 0 (Sunday) to 6. */
export const weekdayOf = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay()

/** Returns the period of equal length that ends the day before the given one begins. */
export function periodBefore(from: string, to: string): { from: string; to: string } {
  const length = daysBetween(from, to).length
  return { from: dayAfter(from, -length), to: dayAfter(from, -1) }
}

/** Groups days into ranges of consecutive days, in order. */
export function runsOf(days: Iterable<string>): { from: string; to: string }[] {
  const runs: { from: string; to: string }[] = []
  for (const day of [...new Set(days)].toSorted()) {
    const last = runs.at(-1)
    if (last && dayAfter(last.to, 1) === day) last.to = day
    else runs.push({ from: day, to: day })
  }
  return runs
}

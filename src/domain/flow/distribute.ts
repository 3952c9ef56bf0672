/** A colleague as distribution sees them; `isFree` is online, within their hours and allowed there. */
export type Candidate = {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly queueIds: readonly number[]
  readonly isFree: boolean
  /** How many open tickets count for them, and how many they may have. */
  readonly open: number
  readonly capacity: number
  /** When they were given one last, in epoch ms; null: never. */
  readonly lastGivenAt: number | null
}

/** At random, who has least to do of what they may have, or in turn. */
export type DistributionMode = 'R' | 'B' | 'S'

/** Who of a queue's people gets a ticket; null where nobody is free and below capacity. `random` is from 0 to below 1. */
export function distribute(
  mode: DistributionMode,
  people: readonly Candidate[],
  queueId: number,
  random: number,
): Candidate | null {
  const free = people
    .filter(({ isFree, open, capacity, queueIds }) => {
      return isFree && open < capacity && queueIds.includes(queueId)
    })
    .toSorted((a, b) => a.id - b.id)
  if (mode === 'R') return free[Math.floor(random * free.length)] ?? null
  const load = ({ open, capacity }: Candidate) => (mode === 'B' ? open / capacity : 0)
  const [next = null] = free.toSorted((a, b) => load(a) - load(b) || (a.lastGivenAt ?? 0) - (b.lastGivenAt ?? 0))
  return next
}

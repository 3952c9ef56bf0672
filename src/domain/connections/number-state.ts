import { entriesIn } from '../keys.ts'

/** State of a number at its provider, as far as changes are recorded. */
export type NumberState = {
  readonly quality: 'GREEN' | 'YELLOW' | 'RED' | null
  /** Maximum number of contacts that may be written to first per day; 0: no limit, null: unknown. */
  readonly dailyLimit: number | null
  readonly status: string
  readonly nameStatus: string
}

/** Attributes of a number that may change, and events that may happen to it. */
export const NUMBER_STATE_CHANGES = ['quality', 'limit', 'status', 'name', 'restriction', 'payment'] as const
export type NumberStatePart = (typeof NUMBER_STATE_CHANGES)[number]

/** Change with the previous value; null if there was none. */
export type NumberStateChange = {
  readonly what: NumberStatePart
  readonly before: string | null
  readonly after: string
}

const partsOf = ({ quality, dailyLimit, status, nameStatus }: NumberState) =>
  ({ quality, limit: dailyLimit === null ? null : String(dailyLimit), status, name: nameStatus }) as const

/** Returns the differences between two states of a number; none if `before` is null (first read). */
export function changesOf(before: NumberState | null, after: NumberState): NumberStateChange[] {
  if (!before) return []
  const was = partsOf(before)
  return entriesIn(partsOf(after)).flatMap(([what, now]) => {
    const then = was[what]
    return now === null || now === '' || now === then ? [] : [{ what, before: then, after: now }]
  })
}

const RANKS = ['RED', 'YELLOW', 'GREEN']
const limitOf = (value: string | null): number => (value === '0' ? Infinity : Number(value ?? 0))

/** Whether a change is reported to administrators: a fall, restriction or refusal. */
export function isFall({ what, before, after }: NumberStateChange): boolean {
  switch (what) {
    case 'quality':
      return before === null ? after === 'RED' : RANKS.indexOf(after) < RANKS.indexOf(before)
    case 'limit':
      return before !== null && limitOf(after) < limitOf(before)
    case 'status':
      return ['FLAGGED', 'RESTRICTED', 'BANNED', 'RATE_LIMITED', 'DISCONNECTED'].includes(after)
    case 'name':
      return ['DECLINED', 'REJECTED', 'EXPIRED'].includes(after)
    case 'restriction':
    case 'payment':
      return true
  }
}

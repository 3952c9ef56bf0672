import { isOneOf } from '../keys.ts'
/** The statuses of an opportunity: open, won, lost. */
export const STATUSES = ['open', 'win', 'lose'] as const

/** The status of an opportunity. */
export type CardStatus = (typeof STATUSES)[number]

/** The names of the statuses. */
export const STATUS_NAMES: Readonly<Record<CardStatus, string>> = { open: 'Aberto', win: 'Ganho', lose: 'Perdido' }

/** What the history keeps of an opportunity. `value` is decimal text with two places, `closingForecast` a day `YYYY-MM-DD`. */
export type Card = {
  readonly stageId: number
  readonly status: CardStatus
  readonly value: string
  readonly responsibleId: number | null
  readonly closingForecast: string | null
}

/** What a line of the history says: made, or which part of the card changed; `field`: one of the company's own. */
export const HISTORY_KINDS = ['created', 'stage', 'status', 'value', 'owner', 'forecast', 'field'] as const

/** One of those kinds. */
export type HistoryKind = (typeof HISTORY_KINDS)[number]

/**
 * A line of the history: a part of the card before and after, as text; null where there was or is nothing. Of a field of the
 * company's own its id.
 */
export type Change = {
  readonly kind: HistoryKind
  readonly fieldId?: number
  readonly before: string | null
  readonly after: string | null
}

const PARTS = [
  ['stage', 'stageId'],
  ['status', 'status'],
  ['value', 'value'],
  ['owner', 'responsibleId'],
  ['forecast', 'closingForecast'],
] as const satisfies readonly (readonly [HistoryKind, keyof Card])[]

const textOf = (part: string | number | null | undefined): string | null => (part == null ? null : String(part))

/** The lines that lead from one state of a card to another; of a new card (before null) all that it begins with. */
export function changesBetween(before: Card | null, after: Card): Change[] {
  const changes: Change[] = before ? [] : [{ kind: 'created', before: null, after: null }]
  for (const [kind, part] of PARTS) {
    const [was, is] = [textOf(before?.[part]), textOf(after[part])]
    if (was !== is) changes.push({ kind, before: was, after: is })
  }
  return changes
}

/** Values of the company's own fields as they are stored, by field id; empty ones are missing. */
export type CardFields = Readonly<Record<string, string>>

/** The lines that lead from some values of the company's own fields to others. */
export const fieldChanges = (before: CardFields, after: CardFields): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const [was, is] = [textOf(before[id]), textOf(after[id])]
    return was === is ? [] : [{ kind: 'field' as const, fieldId: Number(id), before: was, after: is }]
  })

/** The card that a history leads to. */
export function replay(history: readonly Change[]): Card {
  const last = new Map(history.map(({ kind, after }) => [kind, after]))
  const status = last.get('status')
  const idOf = (text: string | null | undefined) => (text == null ? null : Number(text))
  return {
    stageId: Number(last.get('stage')),
    status: isOneOf(STATUSES, status) ? status : 'open',
    value: last.get('value') ?? '0.00',
    responsibleId: idOf(last.get('owner')),
    closingForecast: last.get('forecast') ?? null,
  }
}

/** A stage as the rules know it. */
export type StageAt = { readonly id: number; readonly pipelineId: number; readonly position: number }

/** A card that left its stage: whether it went on, to a later stage or won; null where it stays, or goes elsewhere. */
export function exitOf(before: Card, after: Card, stages: ReadonlyMap<number, StageAt>): boolean | null {
  if (before.status !== 'open') return null
  if (after.status !== 'open') return after.status === 'win'
  if (before.stageId === after.stageId) return null
  const [from, to] = [stages.get(before.stageId), stages.get(after.stageId)]
  return from && to && from.pipelineId === to.pipelineId ? to.position > from.position : null
}

/** The whole percent that a part is of a whole; null of nothing. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 100) : null

/** Ms that a card spent in each stage until `now`, by stage; stages that it came back to add up. */
export function timeInStages(
  history: readonly (Change & { readonly at: number })[],
  now: number,
): ReadonlyMap<number, number> {
  const entries = history.filter(({ kind }) => kind === 'stage')
  const spent = new Map<number, number>()
  for (const [index, { after, at }] of entries.entries()) {
    const stage = Number(after)
    spent.set(stage, (spent.get(stage) ?? 0) + (entries[index + 1]?.at ?? now) - at)
  }
  return spent
}

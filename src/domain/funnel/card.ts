import { isOneOf } from '../keys.ts'

/** Statuses of an opportunity: open, won, lost. */
export const STATUSES = ['open', 'win', 'lose'] as const

/** Status of an opportunity. */
export type CardStatus = (typeof STATUSES)[number]

/** Display names of the statuses. */
export const STATUS_NAMES: Readonly<Record<CardStatus, string>> = { open: 'Aberto', win: 'Ganho', lose: 'Perdido' }

/**
 * Attributes of an opportunity that its history records. `value` is decimal text with two places, `closingForecast` a day
 * `YYYY-MM-DD`.
 */
export type Card = {
  readonly stageId: number
  readonly status: CardStatus
  readonly value: string
  readonly responsibleId: number | null
  readonly closingForecast: string | null
}

/** Kinds of history entries: creation, or the changed attribute; `field`: a custom field. */
export const HISTORY_KINDS = ['created', 'stage', 'status', 'value', 'owner', 'forecast', 'field'] as const

/** Kind of a history entry. */
export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** History entry: an attribute before and after, as text (null: empty), and the id of a custom field. */
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

/** Returns the history entries between two states of a card; of a new card (before null) all its attributes. */
export function changesBetween(before: Card | null, after: Card): Change[] {
  const changes: Change[] = before ? [] : [{ kind: 'created', before: null, after: null }]
  for (const [kind, part] of PARTS) {
    const [was, is] = [textOf(before?.[part]), textOf(after[part])]
    if (was !== is) changes.push({ kind, before: was, after: is })
  }
  return changes
}

/** Stored values of custom fields by field id; empty ones are missing. */
export type CardFields = Readonly<Record<string, string>>

/** Returns the history entries between two sets of custom field values. */
export const fieldChanges = (before: CardFields, after: CardFields): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const [was, is] = [textOf(before[id]), textOf(after[id])]
    return was === is ? [] : [{ kind: 'field' as const, fieldId: Number(id), before: was, after: is }]
  })

/** Returns the state of a card after its history. */
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

/** Pipeline stage with the data that the rules need. */
export type StageAt = { readonly id: number; readonly pipelineId: number; readonly position: number }

/**
 * Whether a card left its stage forwards: to a later stage of the pipeline, or won; null if it stays or moves to another
 * pipeline.
 */
export function exitOf(before: Card, after: Card, stages: ReadonlyMap<number, StageAt>): boolean | null {
  if (before.status !== 'open') return null
  if (after.status !== 'open') return after.status === 'win'
  if (before.stageId === after.stageId) return null
  const [from, to] = [stages.get(before.stageId), stages.get(after.stageId)]
  return from && to && from.pipelineId === to.pipelineId ? to.position > from.position : null
}

/** Returns a proportion in whole percent; null if `whole` is 0. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 100) : null

/** Returns the time a card spent in each stage until `now` in ms, by stage; repeated visits add up. */
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

import { keysIn } from '../keys.ts'
import { firstOf, present } from '../present.ts'

/** Boolean attributes of a ticket in reports. */
export const FLAGS = [
  'active',
  'receptive',
  'open',
  'pending',
  'closed',
  'asked',
  'slaMet',
  'slaMissed',
  'byBot',
] as const
/** Numeric attributes of a ticket, in whole numbers (ms, cents, grades); null if absent. */
export const AMOUNTS = ['attendedMs', 'waitedMs', 'firstAnswerMs', 'rating', 'cents'] as const
/** Dimensions that split figures. `hour` is the hour of the day in which a ticket began, `weekday` 0 (Sunday) to 6. */
export const SPLITS = [
  'total',
  'queue',
  'user',
  'status',
  'channel',
  'connection',
  'reason',
  'hour',
  'weekday',
] as const

/** Boolean attribute of a ticket. */
export type Flag = (typeof FLAGS)[number]
/** Numeric attribute of a ticket. */
export type Amount = (typeof AMOUNTS)[number]
/** Dimension that splits figures. */
export type Split = (typeof SPLITS)[number]

/** Reading of a figure: `count` its number of tickets, `mean…` total divided by count, `sum…` the total. */
export type Unit = 'count' | 'meanMs' | 'meanGrade' | 'sumCents'

/** Definition of a measure: which tickets count (all, or those with `where` true and `amount` not null), and what is summed. */
export type Definition = {
  readonly name: string
  /** Explanation of the measure for users. */
  readonly sentence: string
  readonly unit: Unit
  readonly where?: Flag
  readonly amount?: Amount
  /** Version, raised with each change of the definition; figures stored with an older one are recomputed. */
  readonly version: number
}

/** Measures of reports. Each ticket belongs to the day on which it began, in the company's zone. */
export const MEASURES = {
  tickets: {
    name: 'Total de atendimentos',
    sentence: 'Atendimentos que começaram no período.',
    unit: 'count',
    version: 1,
  },
  active: {
    name: 'Ativo',
    sentence: 'Atendimentos que a equipe começou.',
    unit: 'count',
    where: 'active',
    version: 1,
  },
  receptive: {
    name: 'Receptivo',
    sentence: 'Atendimentos que o cliente começou.',
    unit: 'count',
    where: 'receptive',
    version: 1,
  },
  open: {
    name: 'Em atendimento',
    sentence: 'Atendimentos que começaram no período e estão abertos agora.',
    unit: 'count',
    where: 'open',
    version: 1,
  },
  pending: {
    name: 'Pendentes',
    sentence: 'Atendimentos que começaram no período e estão pendentes agora.',
    unit: 'count',
    where: 'pending',
    version: 1,
  },
  closed: {
    name: 'Resolvidos',
    sentence: 'Atendimentos que começaram no período e estão resolvidos agora.',
    unit: 'count',
    where: 'closed',
    version: 1,
  },
  tma: {
    name: 'TMA',
    sentence:
      'Tempo médio de atendimento: da hora em que alguém assumiu até a resolução. De um atendimento retomado conta a última vez.',
    unit: 'meanMs',
    amount: 'attendedMs',
    version: 1,
  },
  tme: {
    name: 'Tempo médio de espera',
    sentence: 'Do começo do atendimento até alguém assumir. Atendimentos retomados depois de resolvidos não contam.',
    unit: 'meanMs',
    amount: 'waitedMs',
    version: 1,
  },
  firstAnswer: {
    name: '1ª resposta',
    sentence: 'Do começo do atendimento até a primeira mensagem escrita por uma pessoa da equipe.',
    unit: 'meanMs',
    amount: 'firstAnswerMs',
    version: 1,
  },
  slaMet: {
    name: 'SLA cumprido',
    sentence: 'Atendimentos resolvidos que tinham política de SLA e não perderam nenhum prazo.',
    unit: 'count',
    where: 'slaMet',
    version: 1,
  },
  slaMissed: {
    name: 'SLA estourado',
    sentence: 'Atendimentos resolvidos que tinham política de SLA e perderam ao menos um prazo.',
    unit: 'count',
    where: 'slaMissed',
    version: 1,
  },
  asked: {
    name: 'Avaliações pedidas',
    sentence: 'Atendimentos em que o cliente foi convidado a dar uma nota.',
    unit: 'count',
    where: 'asked',
    version: 1,
  },
  rating: {
    name: 'Nota média',
    sentence: 'Média das notas dadas pelos clientes, de 0 a 5; de cada atendimento conta a mais recente.',
    unit: 'meanGrade',
    amount: 'rating',
    version: 1,
  },
  byBot: {
    name: 'Entregues por bot',
    sentence: 'Atendimentos que um fluxo de conversa passou a uma fila ou pessoa.',
    unit: 'count',
    where: 'byBot',
    version: 1,
  },
  value: {
    name: 'Valor',
    sentence: 'Soma dos valores dos atendimentos que começaram no período.',
    unit: 'sumCents',
    amount: 'cents',
    version: 1,
  },
} as const satisfies Readonly<Record<string, Definition>>

/** Key of a measure. */
export type Measure = keyof typeof MEASURES

/** Keys of all measures. */
export const ALL_MEASURES = keysIn(MEASURES)

/** Whether a measure is one of time, which switches change. */
export const isTime = (measure: Measure): boolean => MEASURES[measure].unit === 'meanMs'

/** Returns the definition of a measure. */
export const definitionOf = (measure: Measure): Definition => MEASURES[measure]

/** Returns the version of stored figures, from definitions and zone; figures of other versions are not read. */
export const versionOf = (zone: string): string =>
  `${zone} ${ALL_MEASURES.map((measure) => `${measure}${MEASURES[measure].version}`).join(' ')}`

/** Ticket as measures read it; keys of dimensions are texts, '' if absent. */
export type Fact = {
  readonly isGroup: boolean
  readonly keys: Readonly<Record<Split, string>>
  readonly flags: Readonly<Record<Flag, boolean>>
  readonly amounts: Readonly<Record<Amount, number | null>>
}

/** Figure: number of tickets, and the sum of the measured amount. */
export type Figure = { readonly count: number; readonly total: number }

/** Figure of no tickets. */
export const NOTHING: Figure = { count: 0, total: 0 }

/** Whether a ticket counts for a measure. */
export function countsFor(measure: Measure, fact: Fact): boolean {
  const { where, amount } = definitionOf(measure)
  return (where === undefined || fact.flags[where]) && (amount === undefined || fact.amounts[amount] !== null)
}

/** Adds two figures of one measure. */
export const plus = (a: Figure, b: Figure): Figure => ({ count: a.count + b.count, total: a.total + b.total })

/** Computes a measure's figure over tickets: each counts once, so the parts of any split add up to the whole. */
export function figureOf(measure: Measure, facts: readonly Fact[]): Figure {
  const { amount } = definitionOf(measure)
  return facts
    .filter((fact) => countsFor(measure, fact))
    .map((fact) => ({ count: 1, total: amount === undefined ? 0 : (fact.amounts[amount] ?? 0) }))
    .reduce(plus, NOTHING)
}

/** Returns the displayed number of a figure; null for a mean of no tickets. */
export function numberOf(measure: Measure, { count, total }: Figure): number | null {
  const { unit } = definitionOf(measure)
  if (unit === 'count') return count
  if (unit === 'sumCents') return total / 100
  return count === 0 ? null : total / count
}

/** Stored figure of a day, measure and dimension key, of groups or of other conversations. */
export type StoredFigure = Figure & {
  readonly measure: Measure
  readonly split: Split
  readonly key: string
  readonly isGroup: boolean
}

/** Difference between a stored figure and its tickets; null: missing, or not expected. */
export type Difference = {
  readonly measure: Measure
  readonly day: string
  readonly split: Split
  readonly key: string
  readonly stored: number | null
  readonly recomputed: number | null
}

/** Computes all figures of a day's tickets that are not zero. */
export function figuresOfDay(facts: readonly Fact[]): StoredFigure[] {
  return SPLITS.flatMap((split) =>
    [...Map.groupBy(facts, ({ isGroup, keys }) => `${isGroup} ${keys[split]}`).values()].flatMap((group) =>
      ALL_MEASURES.map((measure) => {
        const { isGroup, keys } = firstOf(group)
        return { measure, split, key: keys[split], isGroup, ...figureOf(measure, group) }
      }).filter(({ count }) => count > 0),
    ),
  )
}

/** Returns the differences between a day's stored figures and its tickets. */
export function differencesOf(
  day: string,
  stored: readonly StoredFigure[],
  recomputed: readonly StoredFigure[],
): Difference[] {
  const idOf = ({ measure, split, key, isGroup }: StoredFigure) => `${measure} ${split} ${isGroup} ${key}`
  const before = new Map(stored.map((one) => [idOf(one), one]))
  const after = new Map(recomputed.map((one) => [idOf(one), one]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)]
    if (was && is && was.count === is.count && was.total === is.total) return []
    const { measure, split, key } = present(was ?? is)
    const numberIn = (one: StoredFigure | undefined) => (one ? numberOf(measure, one) : null)
    return [{ measure, day, split, key, stored: numberIn(was), recomputed: numberIn(is) }]
  })
}

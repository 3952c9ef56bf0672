import { type Figure, type Measure, numberOf, type Split } from './measures.ts'

/** Unit of a summary's number: `percent` of 100, `ms` a duration, `grade` 0 to 5, `cents` of the company's currency. */
export type CellUnit = 'count' | 'percent' | 'ms' | 'grade' | 'cents'

/** Column of a summary; `opens` is the measure whose tickets its number counts. */
export type SummaryColumn = {
  readonly key: string
  readonly title: string
  readonly unit: CellUnit
  readonly opens?: Measure
}

/** Dimensions of the ticket summaries. */
export const SUMMARY_SPLITS = ['queue', 'user', 'channel', 'connection', 'reason'] as const satisfies readonly Split[]

type TicketColumn = SummaryColumn & {
  /** Returns the cell's number from the measures' figures; null if undefined. */
  readonly of: (figure: (measure: Measure) => Figure) => number | null
}

const measured = (measure: Measure, title: string, unit: CellUnit): TicketColumn => ({
  ...{ key: measure, title, unit, opens: measure },
  of: (figure) => numberOf(measure, figure(measure)),
})
const counted = (measure: Measure, title: string): TicketColumn => ({
  ...measured(measure, title, 'count'),
  of: (figure) => figure(measure).count,
})

/** Returns a proportion in percent, to one decimal place; null if `whole` is 0. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 1000) / whole) / 10

const SLA: readonly TicketColumn[] = [
  counted('tickets', 'Atendimentos'),
  counted('slaMet', 'SLA cumprido'),
  counted('slaMissed', 'SLA estourado'),
  {
    ...{ key: 'share', title: 'Cumprido', unit: 'percent' },
    of: (figure) => percentOf(figure('slaMet').count, figure('slaMet').count + figure('slaMissed').count),
  },
  measured('firstAnswer', '1ª resposta', 'ms'),
  measured('tma', 'TMA', 'ms'),
]
const RATINGS: readonly TicketColumn[] = [
  counted('closed', 'Resolvidos'),
  counted('asked', 'Avaliações pedidas'),
  counted('rating', 'Respondidas'),
  {
    ...{ key: 'share', title: 'Taxa de resposta', unit: 'percent' },
    of: (figure) => percentOf(figure('rating').count, figure('asked').count),
  },
  { ...measured('rating', 'Nota média', 'grade'), key: 'mean' },
]

/** Summaries computed from ticket measures. */
export const TICKET_SUMMARIES = { sla: SLA, ratings: RATINGS } as const

/** Measures that each ticket summary reads. */
export const SUMMARY_MEASURES = {
  sla: ['tickets', 'slaMet', 'slaMissed', 'firstAnswer', 'tma'],
  ratings: ['closed', 'asked', 'rating'],
} as const satisfies Readonly<Record<keyof typeof TICKET_SUMMARIES, readonly Measure[]>>

/** Columns of the summaries of bots, campaigns, funnel and presence: counts and times, from which the shares are computed. */
export const OTHER_SUMMARIES = {
  bots: [
    { key: 'sessions', title: 'Conversas', unit: 'count' },
    { key: 'ended', title: 'Terminadas', unit: 'count' },
    { key: 'attended', title: 'Atendidas por pessoa', unit: 'count' },
    { key: 'alone', title: 'Resolvidas só pelo bot', unit: 'count' },
    { key: 'share', title: 'Só pelo bot', unit: 'percent' },
  ],
  campaigns: [
    { key: 'contacts', title: 'Contatos', unit: 'count' },
    { key: 'sent', title: 'Enviadas', unit: 'count' },
    { key: 'delivered', title: 'Entregues', unit: 'count' },
    { key: 'read', title: 'Lidas', unit: 'count' },
    { key: 'replied', title: 'Respondidas', unit: 'count' },
    { key: 'failed', title: 'Falhas', unit: 'count' },
    { key: 'skipped', title: 'Puladas', unit: 'count' },
    { key: 'optedOut', title: 'Saíram', unit: 'count' },
    { key: 'share', title: 'Taxa de resposta', unit: 'percent' },
  ],
  funnel: [
    { key: 'created', title: 'Criadas', unit: 'count' },
    { key: 'open', title: 'Abertas', unit: 'count' },
    { key: 'won', title: 'Ganhas', unit: 'count' },
    { key: 'lost', title: 'Perdidas', unit: 'count' },
    { key: 'share', title: 'Taxa de ganho', unit: 'percent' },
    { key: 'value', title: 'Valor', unit: 'cents' },
    { key: 'wonValue', title: 'Valor ganho', unit: 'cents' },
  ],
  presence: [
    { key: 'online', title: 'Online', unit: 'ms' },
    { key: 'away', title: 'Em pausa', unit: 'ms' },
    { key: 'offline', title: 'Offline', unit: 'ms' },
    { key: 'share', title: 'Tempo online', unit: 'percent' },
  ],
} as const satisfies Readonly<Record<string, readonly SummaryColumn[]>>

/** Row of counts by column key. */
export type Counts = Readonly<Record<string, number>>

/** Functions that compute each summary's share from a row. */
const SHARES: Readonly<Record<keyof typeof OTHER_SUMMARIES, (row: Counts) => number | null>> = {
  bots: ({ alone = 0, sessions = 0 }) => percentOf(alone, sessions),
  campaigns: ({ replied = 0, sent = 0 }) => percentOf(replied, sent),
  funnel: ({ won = 0, lost = 0 }) => percentOf(won, won + lost),
  presence: ({ online = 0, offline = 0 }) => percentOf(online, online + offline),
}

/** Returns the numbers of a row, in the order of its summary's columns. */
export const valuesOf = (report: keyof typeof OTHER_SUMMARIES, row: Counts): (number | null)[] =>
  OTHER_SUMMARIES[report].map(({ key }) => (key === 'share' ? SHARES[report](row) : (row[key] ?? 0)))

/** Rows added up. */
export const summed = (rows: readonly Counts[]): Counts =>
  rows.reduce<Record<string, number>>((sum, row) => {
    for (const [key, value] of Object.entries(row)) sum[key] = (sum[key] ?? 0) + value
    return sum
  }, {})

/** Keys of all summaries. */
export const SUMMARIES = ['sla', 'ratings', 'bots', 'campaigns', 'funnel', 'presence'] as const
/** Key of a summary. */
export type Summary = (typeof SUMMARIES)[number]

/** Display names of summaries. */
export const SUMMARY_NAMES: Readonly<Record<Summary, string>> = {
  sla: 'SLA',
  ratings: 'Avaliações',
  bots: 'Bots',
  campaigns: 'Campanhas',
  funnel: 'Funil',
  presence: 'Presença',
}

/** Summaries that do not count tickets: each opens its own rows. */
export const OTHERS = ['bots', 'campaigns', 'funnel', 'presence'] as const satisfies readonly Summary[]
/** Summary that does not count tickets. */
export type Other = (typeof OTHERS)[number]

/** Formats a summary's number, such as “87,5%”, “1h 05min” or “R$ 10,00”; “–” for null. */
export function cellText(unit: CellUnit, value: number | null): string {
  if (value === null) return '–'
  const number = (digits: number) =>
    value.toLocaleString('pt-BR', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (unit === 'count') return number(0)
  if (unit === 'grade') return number(1)
  if (unit === 'percent') return `${number(1)}%`
  if (unit === 'cents') return (value / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })
  const seconds = Math.round(value / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  if (hours > 0) return `${hours}h ${two(minutes)}min`
  return minutes > 0 ? `${minutes}min ${two(seconds % 60)}s` : `${seconds}s`
}

/** Column keys of the summaries in `OTHERS`, each once. */
export const OTHER_COLUMNS = [...new Set(OTHERS.flatMap((report) => OTHER_SUMMARIES[report].map(({ key }) => key)))]

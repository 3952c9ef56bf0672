import { createContext, useContext } from 'react'
import type { Answer } from '#kit/contract.ts'
import { formatClock, formatSpan } from '#web/format.ts'
import { t } from '#web/t.ts'
import type { flowStats } from '../../insight-addresses.ts'

/** Statistics of a version in a period. */
export type Stats = Answer<typeof flowStats.get>

/** Statistics of a step. */
export type StepStats = Stats['steps'][number]
/** Statistics of one way of leaving a step. */
export type WayStats = StepStats['ways'][number]

/** Statistics by step id; null while they are hidden. */
export type Figures = ReadonlyMap<string, StepStats> | null

const FiguresContext = createContext<Figures>(null)

/** Context provider of the figures. */
export const FiguresProvider = FiguresContext.Provider

/** Returns the figures of the flow on screen. */
export const useFigures = (): Figures => useContext(FiguresContext)

/** Indexes statistics by step id. */
export const figuresOf = ({ steps }: Stats): NonNullable<Figures> => new Map(steps.map((step) => [step.nodeId, step]))

const gone: ReadonlySet<WayStats['way']> = new Set(['silence', 'tries', 'closed', 'person', 'error'])

/** Checks whether a conversation left the flow although it could have continued. */
export const isLost = ({ way }: WayStats): boolean => gone.has(way)

/** Counts the visits that ended at a step although the flow continues. */
export const lostIn = ({ ways }: StepStats): number => ways.reduce((sum, one) => sum + (isLost(one) ? one.count : 0), 0)

/** Formats a share as “34 %”. */
export const shareText = (count: number, all: number): string =>
  t('{share} %', { share: all === 0 ? 0 : Math.round((count / all) * 100) })

/** Formats a duration; below an hour as “0:12”. */
export const stayText = (ms: number): string => (ms < 3_600_000 ? formatClock(ms / 1000) : formatSpan(ms))

/** Display names of the ways of leaving a step without a condition. */
export const wayTexts: Readonly<Record<Exclude<WayStats['way'], 'branch'>, string>> = {
  silence: t('O cliente não respondeu'),
  tries: t('Não foi entendido e esgotou as tentativas'),
  closed: t('O cliente encerrou'),
  person: t('Uma pessoa assumiu'),
  error: t('O fluxo falhou'),
  done: t('O fluxo terminou aqui'),
  other: t('Recomeçou ou foi para outro fluxo'),
  here: t('Ainda está aqui'),
}

import { createContext, useContext } from 'react'
import type { Answer } from '#kit/contract.ts'
import { formatClock, formatSpan } from '#web/format.ts'
import { t } from '#web/t.ts'
import type { flowStats } from '../../insight-addresses.ts'

/** What is counted of a version in a period. */
export type Stats = Answer<typeof flowStats.get>

/** What is counted of a step. */
export type StepStats = Stats['steps'][number]
/** One way in which a step was left. */
export type WayStats = StepStats['ways'][number]

/** What is counted, by the ids of steps; null while nobody looks at it. */
export type Figures = ReadonlyMap<string, StepStats> | null

const FiguresContext = createContext<Figures>(null)

/** Gives the figures to what stands within it. */
export const FiguresProvider = FiguresContext.Provider

/** The figures of the flow on screen. */
export const useFigures = (): Figures => useContext(FiguresContext)

/** By the ids of steps. */
export const figuresOf = ({ steps }: Stats): NonNullable<Figures> => new Map(steps.map((step) => [step.nodeId, step]))

const gone: ReadonlySet<WayStats['way']> = new Set(['silence', 'tries', 'closed', 'person', 'error'])

/** Whether the conversation went no further with the flow although it might have. */
export const isLost = ({ way }: WayStats): boolean => gone.has(way)

/** How many visits ended there although the flow goes on. */
export const lostIn = ({ ways }: StepStats): number => ways.reduce((sum, one) => sum + (isLost(one) ? one.count : 0), 0)

/** A count's part of all, as “34 %”. */
export const shareText = (count: number, all: number): string =>
  t('{share} %', { share: all === 0 ? 0 : Math.round((count / all) * 100) })

/** How long somebody stays, as “0:12” below an hour. */
export const stayText = (ms: number): string => (ms < 3_600_000 ? formatClock(ms / 1000) : formatSpan(ms))

/** How a step was left without a condition. */
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

import { useMemo } from 'react'
import { ALL_SWITCHES, type TimeSwitch } from '#domain/reports/switches.ts'
import type { CallInput } from '#kit/contract.ts'
import type { Door } from '#web/charts/chart.ts'
import { timeZone } from '#web/format.ts'
import { type Url, useUrlState } from '#web/url-state.ts'
import type { reports } from '../addresses.ts'

/** Query of ticket reports. */
export type Asked = NonNullable<CallInput<typeof reports.rows>['query']>

/** URL parameters of report filters. */
export const FILTER_NAMES = [
  'grupos',
  'filas',
  'pessoas',
  'etiquetas',
  'canais',
  'conexoes',
  'demandas',
  'status',
  'tempos',
  'valorMin',
  'valorMax',
] as const

const DAY_MS = 86_400_000
const dayAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toLocaleDateString('sv', { timeZone: timeZone() })
const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '')
const listOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? []
const idsOf = (text: string | undefined): number[] => listOf(text).map(Number).filter(Number.isSafeInteger)
const idsOrNone = (text: string | undefined): (number | 'none')[] =>
  listOf(text).map((one) => (one === 'none' ? one : Number(one)))
const numberIn = (text: string | undefined): number | undefined =>
  !text || !Number.isFinite(Number(text)) ? undefined : Number(text)

/** Converts URL parameters to a query; the default period is the last 14 days. */
export function askedBy(url: Url): Asked {
  const [startDate, endDate] = [isDay(url.de) ? url.de : dayAgo(13), isDay(url.ate) ? url.ate : dayAgo(0)]
  const status = listOf(url.status) as Asked['status']
  return {
    startDate,
    endDate,
    ...(url.grupos === 'sim' ? { groups: true } : {}),
    queues: idsOrNone(url.filas),
    userId: idsOrNone(url.pessoas),
    reasons: idsOrNone(url.demandas),
    tags: idsOf(url.etiquetas),
    channel: listOf(url.canais),
    whatsappId: idsOf(url.conexoes),
    status,
    valueMin: numberIn(url.valorMin),
    valueMax: numberIn(url.valorMax),
    times: listOf(url.tempos).filter((one) => ALL_SWITCHES.includes(one as TimeSwitch)) as TimeSwitch[],
    ...(url.medida ? { measure: url.medida as NonNullable<Asked['measure']> } : {}),
    ...(url.por === 'fim' ? { by: 'closedAt' as const } : {}),
    hour: numberIn(url.hora),
    weekday: numberIn(url.semana),
  }
}

/** Returns the query of the URL, and its setter. */
export function useAsked() {
  const [url, setUrl] = useUrlState()
  const text = JSON.stringify(url)
  const asked = useMemo(() => askedBy(JSON.parse(text) as Url), [text])
  return { url, setUrl, asked }
}

/** Link to the rows behind a number: the query's filters and further parameters. */
export function rowsDoor(url: Url, asked: Asked, more: Readonly<Record<string, string | number | undefined>>): Door {
  const filter = Object.fromEntries(FILTER_NAMES.map((name) => [name, url[name]]))
  const search = { de: asked.startDate, ate: asked.endDate, ...filter, ...more }
  return {
    path: '/home/atendimentos',
    search: Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)),
  }
}

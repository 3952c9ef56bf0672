import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Measure } from '#domain/reports/measures.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import {
  type ChartKind,
  type Door,
  type Mark,
  movePanel,
  panelsOf,
  type Series,
  seriesOf,
  showPanel,
} from '#web/charts/chart.ts'
import { query } from '#web/client.ts'
import { formatMoney, formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { ArrowDownIcon, ArrowUpIcon, HideIcon, ShowIcon } from '#web/ui/icons.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { statistics } from '../../addresses.ts'
import type { Asked } from '../asked.ts'
import { MeasureInfo } from '../MeasureInfo.tsx'
import css from '../reports.module.css'
import { HeatMap } from './HeatMap.tsx'
import { People, PeopleCards } from './people.tsx'

type Names = Readonly<Record<string, string | number | undefined>>
type Given = { asked: Asked; doorOf: (more: Names) => Door; commands: readonly Command[] }

const dayLabel = (day: string): string => day.slice(5).split('-').reverse().join('/')
const counted: readonly Series[] = [{ key: 'qtd', label: t('Atendimentos') }]
const EMPTY = t('Nenhum atendimento no período.')

/** Panel of the parts of a period's tickets; each opens its own tickets. */
function Parts(props: {
  panel: string
  title: string
  own: ChartKind
  quick: readonly ChartKind[]
  rows: readonly { key: string; label: string; qtd: number }[] | undefined
  /** URL parameter that narrows to a part. */
  name: string
  given: Given
}) {
  const { panel, title, own, quick, rows = [], name, given } = props
  return (
    <ChartCard
      panel={panel}
      title={title}
      own={own}
      quick={quick}
      commands={given.commands}
      info={<MeasureInfo measure="tickets" />}
      axis="parts"
      series={counted}
      marks={rows.map(({ key, label, qtd }) => ({ key, label, values: { qtd } }))}
      format={formatNumber}
      doorOf={({ key }) => given.doorOf({ [name]: key })}
      empty={EMPTY}
    />
  )
}

/** Maximum number of series in a chart; smaller ones are summed in the last. */
const MOST_SERIES = 6
const OTHERS = 'outros'

/** Chart of tickets by channel or connection per day, largest first; the series add up to all tickets. */
function Evolution(props: {
  panel: string
  title: string
  rows: readonly { dt_ref: string; key: string; label: string; qtd: number }[]
  days: readonly string[]
  name: string
  given: Given
}) {
  const { panel, title, rows, days, name, given } = props
  const { own, others } = seriesOf(rows, MOST_SERIES)
  const series = own.map(({ key, label }) => ({ key: `k${key}`, label }))
  if (others.size > 0) series.push({ key: OTHERS, label: t('Outros') })
  const marks = marksOf(
    days,
    rows.map(({ dt_ref, key, qtd }) => ({ day: dt_ref, key: others.has(key) ? OTHERS : `k${key}`, value: qtd })),
    series,
  )
  return (
    <ChartCard
      panel={panel}
      title={title}
      own="bar"
      quick={['bar', 'line']}
      commands={given.commands}
      info={<MeasureInfo measure="tickets" />}
      axis="days"
      series={series}
      marks={rows.length === 0 ? [] : marks}
      format={formatNumber}
      doorOf={({ key }, one) =>
        given.doorOf({ de: key, ate: key, [name]: one.key === OTHERS ? [...others].join(',') : one.key.slice(1) })
      }
      empty={EMPTY}
    />
  )
}

function marksOf(
  days: readonly string[],
  values: readonly { day: string; key: string; value: number }[],
  series: readonly Series[],
): Mark[] {
  const known = new Map<string, number>()
  for (const { day, key, value } of values) known.set(`${day} ${key}`, (known.get(`${day} ${key}`) ?? 0) + value)
  return days.map((day) => ({
    key: day,
    label: dayLabel(day),
    values: Object.fromEntries(series.map(({ key }) => [key, known.get(`${day} ${key}`) ?? 0])),
  }))
}

const PERIOD_SERIES: readonly Series[] = [
  { key: 'qtd', label: t('Abertos') },
  { key: 'resolved', label: t('Resolvidos') },
]
const VALUE_SERIES: readonly Series[] = [{ key: 'value', label: t('Valor') }]
const STATUS = { open: t('Em atendimento'), pending: t('Pendentes'), closed: t('Resolvidos') }

/** Tickets created and closed, by day. */
export function ByPeriod({ given }: { given: Given }) {
  const { data = [] } = useQuery(query(statistics.evolutionByPeriod, { query: given.asked }))
  return (
    <ChartCard
      panel="evolutionByPeriod"
      title={t('Atendimentos por período')}
      own="area"
      quick={['area', 'bar']}
      commands={given.commands}
      info={<MeasureInfo measure="tickets" />}
      axis="days"
      series={PERIOD_SERIES}
      marks={data.map(({ dt_ref, qtd, resolved }) => ({
        key: dt_ref,
        label: dayLabel(dt_ref),
        values: { qtd, resolved },
      }))}
      format={formatNumber}
      doorOf={({ key }, series) =>
        given.doorOf({ de: key, ate: key, ...(series.key === 'resolved' ? { por: 'fim' } : {}) })
      }
      empty={EMPTY}
    />
  )
}

function ByValue({ given }: { given: Given }) {
  const { data = [] } = useQuery(query(statistics.evolutionByValue, { query: given.asked }))
  return (
    <ChartCard
      panel="evolutionByValue"
      title={t('Valor por período')}
      own="line"
      quick={['line', 'bar']}
      commands={given.commands}
      info={<MeasureInfo measure="value" />}
      axis="days"
      series={VALUE_SERIES}
      marks={data.map(({ dt_ref, value }) => ({
        key: dt_ref,
        label: dayLabel(dt_ref),
        values: { value: Number(value) },
      }))}
      format={formatMoney}
      doorOf={({ key }) => given.doorOf({ de: key, ate: key, medida: 'value' satisfies Measure })}
      empty={EMPTY}
    />
  )
}

/** Tickets by queue. */
export function ByQueue({ given }: { given: Given }) {
  const { data } = useQuery(query(statistics.queue, { query: given.asked }))
  const rows = data?.map(({ id, label, qtd }) => ({ key: String(id ?? 'none'), label: label ?? t('Sem fila'), qtd }))
  return (
    <Parts
      panel="queue"
      title={t('Por fila')}
      own="bar"
      quick={['bar', 'donut']}
      rows={rows}
      name="filas"
      given={given}
    />
  )
}

function ByUser({ given }: { given: Given }) {
  const { data } = useQuery(query(statistics.user, { query: given.asked }))
  const rows = data?.map(({ id, name, qtd }) => ({
    key: String(id ?? 'none'),
    label: name ?? t('Sem responsável'),
    qtd,
  }))
  return (
    <Parts
      panel="user"
      title={t('Por pessoa')}
      own="bar"
      quick={['bar', 'pie']}
      rows={rows}
      name="pessoas"
      given={given}
    />
  )
}

/** Tickets by status. */
export function ByStatus({ given }: { given: Given }) {
  const { data } = useQuery(query(statistics.status, { query: given.asked }))
  const rows = data?.map(({ status, qtd }) => ({ key: status, label: STATUS[status], qtd }))
  return (
    <Parts
      panel="status"
      title={t('Por status')}
      own="pie"
      quick={['pie', 'bar']}
      rows={rows}
      name="status"
      given={given}
    />
  )
}

function ByChannel({ given }: { given: Given }) {
  const { data } = useQuery(query(statistics.channels, { query: given.asked }))
  const rows = data?.map(({ label, qtd }) => ({ key: label, label: channelLook(label).name, qtd }))
  return (
    <Parts
      panel="channel"
      title={t('Por canal')}
      own="donut"
      quick={['donut', 'bar']}
      rows={rows}
      name="canais"
      given={given}
    />
  )
}

function useConnections(given: Given) {
  const { data = [] } = useQuery(query(statistics.evolutionChannelsName, { query: given.asked }))
  return data.map(({ dt_ref, id, label, qtd }) => ({
    dt_ref,
    key: String(id),
    label: label ?? t('Canal removido'),
    qtd,
  }))
}

function ByConnection({ given }: { given: Given }) {
  const connections = useConnections(given)
  const sums = new Map<string, { key: string; label: string; qtd: number }>()
  for (const { key, label, qtd } of connections) sums.set(key, { key, label, qtd: (sums.get(key)?.qtd ?? 0) + qtd })
  return (
    <Parts
      panel="channelName"
      title={t('Por nome do canal')}
      own="pie"
      quick={['pie', 'bar']}
      rows={[...sums.values()].toSorted((a, b) => b.qtd - a.qtd)}
      name="conexoes"
      given={given}
    />
  )
}

function ByReason({ given }: { given: Given }) {
  const { data } = useQuery(query(statistics.reasons, { query: given.asked }))
  const rows = data?.map(({ id, label, qtd }) => ({ key: String(id ?? 'none'), label: label ?? t('Sem motivo'), qtd }))
  return (
    <Parts
      panel="reasons"
      title={t('Por motivo')}
      own="pie"
      quick={['pie', 'bar']}
      rows={rows}
      name="demandas"
      given={given}
    />
  )
}

function OfChannels({ given, days }: { given: Given; days: readonly string[] }) {
  const { data = [] } = useQuery(query(statistics.evolutionChannels, { query: given.asked }))
  const rows = data.map(({ dt_ref, label, qtd }) => ({ dt_ref, key: label, label: channelLook(label).name, qtd }))
  return (
    <Evolution
      panel="evolutionChannels"
      title={t('Evolução por canal')}
      rows={rows}
      days={days}
      name="canais"
      given={given}
    />
  )
}

function Hours({ given }: { given: Given }) {
  const { data = [] } = useQuery(query(statistics.hours, { query: given.asked }))
  return (
    <div className={css.wide}>
      <section className={css.plain}>
        <header>
          <h2>{t('Quando os atendimentos começam')}</h2>
          <CommandMenu commands={given.commands} size={28} label={t('Opções de {title}', { title: t('horários') })} />
        </header>
        <HeatMap cells={data} doorOf={(semana, hora) => given.doorOf({ semana, hora })} />
      </section>
    </div>
  )
}

function Performance({ given }: { given: Given }) {
  const { data = [] } = useQuery(query(statistics.perUsersDetail, { query: given.asked }))
  return (
    <div className={css.wide}>
      <People rows={data} doorOf={given.doorOf} />
    </div>
  )
}

function PerformanceCards({ given }: { given: Given }) {
  const { data = [] } = useQuery(query(statistics.perUsersDetail, { query: given.asked }))
  const title = t('Atendentes')
  return (
    <div className={css.wide}>
      <section className={css.plain}>
        <header>
          <h2>{title}</h2>
          <CommandMenu commands={given.commands} size={28} label={t('Opções de {title}', { title })} />
        </header>
        <PeopleCards rows={data} doorOf={given.doorOf} />
      </section>
    </div>
  )
}

type Drawn = (props: { given: Given; days: readonly string[] }) => ReactNode

/** Panels by key, in default order. */
const PANELS: Readonly<Record<string, { title: string; Panel: Drawn }>> = {
  evolutionByPeriod: { title: t('Atendimentos por período'), Panel: ByPeriod },
  queue: { title: t('Por fila'), Panel: ByQueue },
  channel: { title: t('Por canal'), Panel: ByChannel },
  performanceTable: { title: t('Desempenho por atendente'), Panel: Performance },
  performanceCards: { title: t('Atendentes'), Panel: PerformanceCards },
  user: { title: t('Por pessoa'), Panel: ByUser },
  status: { title: t('Por status'), Panel: ByStatus },
  reasons: { title: t('Por motivo'), Panel: ByReason },
  evolutionChannels: { title: t('Evolução por canal'), Panel: OfChannels },
  channelName: { title: t('Por nome do canal'), Panel: ByConnection },
  evolutionByValue: { title: t('Valor por período'), Panel: ByValue },
  hours: { title: t('Quando os atendimentos começam'), Panel: Hours },
}

/** Panels of a period in the person's order, without hidden ones. */
export function Panels(props: { asked: Asked; days: readonly string[]; doorOf: (more: Names) => Door }) {
  const { asked, days, doorOf } = props
  const [panels, setPanels] = useState(() => panelsOf(Object.keys(PANELS)))
  const hidden = panels.filter((one) => one.isHidden)
  const change = (write: () => void) => () => {
    write()
    setPanels(panelsOf(Object.keys(PANELS)))
  }
  const keys = panels.map(({ key }) => key)
  const commandsOf = (key: string): Command[] => [
    { id: 'up', label: t('Mover para antes'), icon: ArrowUpIcon, run: change(() => movePanel(keys, key, -1)) },
    { id: 'down', label: t('Mover para depois'), icon: ArrowDownIcon, run: change(() => movePanel(keys, key, 1)) },
    { id: 'hide', label: t('Ocultar painel'), icon: HideIcon, run: change(() => showPanel(key, false)) },
  ]
  return (
    <>
      <div className={css.panels}>
        {panels
          .filter((one) => !one.isHidden)
          .map(({ key }) => {
            const { Panel } = PANELS[key]!
            return <Panel key={key} given={{ asked, doorOf, commands: commandsOf(key) }} days={days} />
          })}
      </div>
      {hidden.length > 0 && (
        <p className={css.hiddenPanels}>
          {plural(hidden.length, t('painel oculto'), t('painéis ocultos'))}
          <CommandMenu
            label={t('Mostrar painéis ocultos')}
            commands={hidden.map(({ key }) => ({
              id: key,
              label: PANELS[key]!.title,
              icon: ShowIcon,
              run: change(() => showPanel(key, true)),
            }))}
          />
        </p>
      )}
    </>
  )
}

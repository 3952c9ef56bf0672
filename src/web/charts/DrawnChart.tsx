import { firstOf, itemAt } from '#domain/present.ts'
import '@mantine/charts/styles.layer.css'
import { AreaChart, BarChart, DonutChart, LineChart, PieChart, RadarChart } from '@mantine/charts'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { t } from '#web/t.ts'
import { type ChartData, type ChartKind, colorAt, type Door, type Mark, partsOf, percent, totalOf } from './chart.ts'
import css from './charts.module.css'
import { DoorLink } from './DoorLink.tsx'

/** Maximum value below which an axis has fractional steps: whole steps would leave nothing to see. */
const LEAST_WHOLE = 1

/** Returns the width in px of an axis with this longest label. */
const axisWidth = (label: string): number => Math.max(44, label.length * 7 + 4)

/** Chart drawn by the library; in a chunk of its own, since few screens need it. */
export function DrawnChart({ kind, ...data }: ChartData & { kind: ChartKind }) {
  return kind === 'donut' || kind === 'pie' ? <Parts kind={kind} {...data} /> : <Axes kind={kind} {...data} />
}

const useOpen = () => {
  const navigate = useNavigate()
  return (door: Door | undefined) => door && void navigate({ to: door.path, search: door.search })
}

type Around = { activeTooltipIndex?: number | string | null | undefined }

/**
 * Bars, lines, areas or a radar. A click or an arrow key selects a mark, whose values are shown above the drawing and link
 * to their rows; Enter opens the first. With one series a click opens it directly.
 */
function Axes({ kind, label, series, marks, format, doorOf }: ChartData & { kind: ChartKind }) {
  const { mark, move, click } = useMark({ series, marks, doorOf })
  return (
    <div
      className={css.axes}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its marks are chosen by arrow keys.
      tabIndex={0}
      aria-label={t('{label}: as setas percorrem, Enter abre', { label })}
      onKeyDown={move}
    >
      <Readout mark={mark} series={series} format={format} doorOf={doorOf} />
      {kind === 'radar' ? (
        <Radar series={series} marks={marks} onClick={click} />
      ) : (
        <Drawing kind={kind} series={series} marks={marks} format={format} mark={mark} onClick={click} />
      )}
    </div>
  )
}

/** Selects a mark by click or arrow key, and opens its rows. */
function useMark({ series, marks, doorOf }: Pick<ChartData, 'series' | 'marks' | 'doorOf'>) {
  const [chosen, setChosen] = useState<number>()
  const open = useOpen()
  const mark = chosen === undefined ? undefined : marks[chosen]
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && mark) setChosen(undefined)
    else if (event.key === 'Enter' && mark && event.target === event.currentTarget) open(doorOf(mark, firstOf(series)))
    else if (step) setChosen((was) => (was === undefined ? 0 : (was + step + marks.length) % marks.length))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const click = ({ activeTooltipIndex }: Around) => {
    const index = Number(activeTooltipIndex)
    if (activeTooltipIndex === null || activeTooltipIndex === undefined || !marks[index]) return
    if (series.length === 1) open(doorOf(marks[index], firstOf(series)))
    else setChosen(index)
  }
  return { mark, move, click }
}

/** Values of the selected mark, linked to their rows; without one, the names of the series. */
function Readout(props: Pick<ChartData, 'series' | 'format' | 'doorOf'> & { mark: Mark | undefined }) {
  const { mark, series, format, doorOf } = props
  return (
    <p className={css.readout} aria-live="polite">
      {mark ? (
        <>
          <b>{mark.label}</b>
          {series.map((one, index) => (
            <DoorLink key={one.key} door={doorOf(mark, one)}>
              <i style={{ background: colorAt(index) }} />
              {one.label} <b className="g-num">{format(mark.values[one.key] ?? 0)}</b>
            </DoorLink>
          ))}
        </>
      ) : (
        series.length > 1 &&
        series.map((one, index) => (
          <span key={one.key}>
            <i style={{ background: colorAt(index) }} />
            {one.label}
          </span>
        ))
      )}
    </p>
  )
}

const rowsOf = (marks: ChartData['marks']) => marks.map((one) => ({ at: one.label, ...one.values }))

const coloredOf = (series: ChartData['series']) =>
  series.map((one, index) => ({
    name: one.key,
    label: one.label,
    color: colorAt(index),
    ...(index > 0 ? { strokeDasharray: '5 4' } : {}),
  }))

/** Bars, lines or areas, with a line at the selected mark. */
function Drawing(
  props: Pick<ChartData, 'series' | 'marks' | 'format'> & {
    kind: ChartKind
    mark: Mark | undefined
    onClick: (around: Around) => void
  },
) {
  const { kind, series, marks, format, mark, onClick } = props
  const most = Math.max(0, ...marks.flatMap(({ values }) => Object.values(values)))
  const shared = {
    className: css.canvas,
    data: rowsOf(marks),
    series: coloredOf(series),
    dataKey: 'at',
    valueFormatter: format,
    gridColor: 'var(--g-line)',
    textColor: 'var(--g-ink-3)',
    tickLine: 'none' as const,
    strokeDasharray: '0',
    accessibilityLayer: false,
    yAxisProps: { width: axisWidth(format(most)), allowDecimals: most < LEAST_WHOLE },
    xAxisProps: { interval: 'preserveStartEnd' as const, minTickGap: 12 },
    ...(mark ? { referenceLines: [{ x: mark.label, color: 'var(--g-ink-3)' }] } : {}),
  }
  return (
    <>
      {kind === 'bar' && (
        <BarChart
          {...shared}
          maxBarWidth={28}
          barProps={{ radius: 2 }}
          cursorFill="var(--g-hover)"
          barChartProps={{ onClick }}
        />
      )}
      {kind === 'line' && (
        <LineChart {...shared} curveType="linear" withDots={marks.length === 1} lineChartProps={{ onClick }} />
      )}
      {kind === 'area' && (
        <AreaChart
          {...shared}
          curveType="linear"
          fillOpacity={0.1}
          withGradient={false}
          withDots={marks.length === 1}
          areaChartProps={{ onClick }}
        />
      )}
    </>
  )
}

function Radar(props: Pick<ChartData, 'series' | 'marks'> & { onClick: (around: Around) => void }) {
  const { series, marks, onClick } = props
  return (
    <RadarChart
      className={css.canvas}
      data={rowsOf(marks)}
      dataKey="at"
      series={coloredOf(series).map((one) => ({ ...one, opacity: 0.2 }))}
      gridColor="var(--g-line)"
      textColor="var(--g-ink-3)"
      withTooltip
      accessibilityLayer={false}
      radarChartProps={{ onClick }}
    />
  )
}

/** A ring or a pie of at most five parts, with their numbers beside it; of several series it is their sum. */
function Parts({ kind, label, series, marks, format, doorOf }: ChartData & { kind: ChartKind }) {
  const open = useOpen()
  const parts = partsOf(marks, totalOf)
  const total = marks.reduce((sum, mark) => sum + totalOf(mark), 0)
  const cells = parts.map(({ rows, count }, index) => ({
    name: rows.length === 1 ? firstOf(rows).label : t('Outros'),
    value: count,
    color: colorAt(index),
  }))
  const doorAt = (index: number) => {
    const { rows = [] } = parts[index] ?? {}
    return rows.length === 1 ? doorOf(firstOf(rows), firstOf(series)) : undefined
  }
  const shared = {
    data: cells,
    size: 140,
    strokeWidth: 2,
    strokeColor: 'var(--g-surface)',
    withTooltip: true,
    tooltipDataSource: 'segment' as const,
    valueFormatter: format,
    accessibilityLayer: false,
    pieProps: {
      rootTabIndex: -1,
      onClick: (_: unknown, index: number) => open(doorAt(index)),
    },
  }
  return (
    <div className={css.parts} role="group" aria-label={label}>
      <div className={css.ring} aria-hidden="true">
        {kind === 'pie' ? <PieChart {...shared} /> : <DonutChart {...shared} thickness={23} />}
        {kind === 'donut' && (
          <p>
            <b>{format(total)}</b>
            <small>{t('no total')}</small>
          </p>
        )}
      </div>
      <ul className={css.legend}>
        {cells.map(({ name, value, color }, index) => (
          <li
            key={name}
            title={itemAt(parts, index)
              .rows.map((row) => row.label)
              .join(', ')}
          >
            <i style={{ background: color }} />
            <DoorLink door={doorAt(index)} className="g-cut">
              {name}
            </DoorLink>
            <span className="g-num">
              <b>{format(value)}</b> {percent(itemAt(parts, index).share)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

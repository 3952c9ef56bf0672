import { useState } from 'react'
import { type FigureList, figuresOf, ofColumn } from '#domain/tickets/figures.ts'
import { formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { BarsIcon, DonutIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import type { LiveFigures } from '../contract.ts'
import { CHARTS, type Chart, chartOf, partsOf, saveChart } from './charts.ts'
import css from './dashboard.module.css'
import { Rows } from './Rows.tsx'

type Queue = LiveFigures['queues'][number]

const KINDS = { bar: { icon: BarsIcon, label: t('Em barras') }, donut: { icon: DonutIcon, label: t('Em anel') } }
const countOf = (queue: Queue) => queue.open + queue.pending
const nameOf = (queue: Queue) => queue.name ?? t('Sem fila')
const percent = (share: number) => `${Math.round(100 * share)}%`

type Drawing = { queues: readonly Queue[]; total: number; isWide: boolean; groups: boolean }

function Bars({ queues, total, isWide, groups }: Drawing) {
  const { live, open, pending } = figuresOf(groups)
  const to = (list: FigureList, queue: Queue) => ({ of: ofColumn(list, 'queue', queue.id), isWide })
  const most = Math.max(...queues.map(countOf))
  return (
    <ul className={css.bars}>
      {queues.map((queue) => (
        <li key={queue.id ?? 'none'}>
          <Rows {...to(live, queue)} className={css.bar}>
            <span className={css.barHeader}>
              <span className="g-cut">{nameOf(queue)}</span>
              <span className="g-num">
                <b>{formatNumber(countOf(queue))}</b> {percent(total && countOf(queue) / total)}
              </span>
            </span>
            <span className={css.track}>
              {countOf(queue) > 0 && <i style={{ width: `${(100 * countOf(queue)) / most}%` }} />}
            </span>
          </Rows>
          <p className={css.parts}>
            <Rows {...to(open, queue)}>{t('{open} em atendimento', { open: formatNumber(queue.open) })}</Rows>
            <Rows {...to(pending, queue)}>{plural(queue.pending, t('pendente'), t('pendentes'))}</Rows>
            {queue.free !== null && queue.id !== null && (
              <Rows path="/painel-atendimentos" search={{ fila: queue.id }}>
                {plural(queue.free, t('lugar livre'), t('lugares livres'))}
              </Rows>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}

const RADIUS = 46
const ROUND = 2 * Math.PI * RADIUS

function Donut({ queues, total, isWide, groups }: Drawing) {
  const parts = partsOf(queues, countOf)
  return (
    <div className={css.donut}>
      <div className={css.ring}>
        <svg viewBox="0 0 112 112" aria-hidden="true">
          {parts.map(({ share, from }, index) => (
            <circle
              key={from}
              cx="56"
              cy="56"
              r={RADIUS}
              stroke={`var(--g-chart-${index + 1})`}
              // A gap of two units sets parts apart; a whole ring has none.
              strokeDasharray={`${Math.max(1, share * ROUND - (parts.length > 1 ? 2 : 0))} ${ROUND}`}
              strokeDashoffset={-from * ROUND}
            />
          ))}
        </svg>
        <p>
          <b>{formatNumber(total)}</b>
          <small>{total === 1 ? 'conversa' : 'conversas'}</small>
        </p>
      </div>
      <ul className={css.legend}>
        {parts.map(({ rows, share, count }, index) => (
          <li key={rows[0]!.id ?? 'none'} title={rows.map(nameOf).join(', ')}>
            <i style={{ background: `var(--g-chart-${index + 1})` }} />
            {rows.length === 1 ? (
              <Rows of={ofColumn(figuresOf(groups).live, 'queue', rows[0]!.id)} isWide={isWide} className="g-cut">
                {nameOf(rows[0]!)}
              </Rows>
            ) : (
              <span>{t('Outros')}</span>
            )}
            <span className="g-num">
              <b>{formatNumber(count)}</b> {percent(share)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Open and pending conversations by queue, as bars or as a ring, and how many more each queue's people may be given. */
export function ByQueue({ queues, isWide, groups }: Omit<Drawing, 'total'>) {
  const [chart, setChart] = useState(() => chartOf('queue', 'bar'))
  const total = queues.reduce((sum, queue) => sum + countOf(queue), 0)
  const choose = (next: Chart) => {
    saveChart('queue', next)
    setChart(next)
  }
  const Drawn = chart === 'bar' ? Bars : Donut
  return (
    <Card
      title={t('Por fila')}
      actions={
        <span className={css.kinds}>
          {CHARTS.map((kind) => {
            const { icon: Icon, label } = KINDS[kind]
            return (
              <IconButton
                key={kind}
                size={28}
                aria-label={label}
                aria-pressed={kind === chart}
                onClick={() => choose(kind)}
              >
                <Icon size={17} />
              </IconButton>
            )
          })}
        </span>
      }
    >
      {queues.length === 0 ? (
        <p className={css.none}>{t('Nenhuma conversa aberta ou pendente.')}</p>
      ) : (
        <Drawn queues={queues} total={total} isWide={isWide} groups={groups} />
      )}
    </Card>
  )
}

import { figuresOf, ofColumn } from '#domain/tickets/figures.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import type { Mark } from '#web/charts/chart.ts'
import { formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import type { LiveFigures } from '../contract.ts'
import css from './dashboard.module.css'
import { doorOf, Rows } from './rows.tsx'

type Queue = LiveFigures['queues'][number]

/** Chart of open and pending conversations by queue, of a chosen type, with the remaining capacity of each queue's agents. */
export function ByQueue(props: { queues: readonly Queue[]; isWide: boolean; groups: boolean }) {
  const { queues, isWide, groups } = props
  const { live, open, pending } = figuresOf(groups)
  const idOf = (mark: Mark) => (mark.key === 'none' ? null : Number(mark.key))
  const marks = queues.map((queue) => ({
    key: String(queue.id ?? 'none'),
    label: queue.name ?? t('Sem fila'),
    values: { count: queue.open + queue.pending },
    note: (
      <p className={css.parts}>
        <Rows of={ofColumn(open, 'queue', queue.id)} isWide={isWide}>
          {t('{open} em atendimento', { open: formatNumber(queue.open) })}
        </Rows>
        <Rows of={ofColumn(pending, 'queue', queue.id)} isWide={isWide}>
          {plural(queue.pending, t('pendente'), t('pendentes'))}
        </Rows>
        {queue.free !== null && queue.id !== null && (
          <Rows path="/painel-atendimentos" search={{ fila: queue.id }}>
            {plural(queue.free, t('lugar livre'), t('lugares livres'))}
          </Rows>
        )}
      </p>
    ),
  }))
  return (
    <ChartCard
      panel="queueNow"
      title={t('Por fila, agora')}
      own="bar"
      quick={['bar', 'donut']}
      axis="parts"
      series={[{ key: 'count', label: t('Conversas') }]}
      marks={marks}
      format={formatNumber}
      doorOf={(mark) => doorOf({ of: ofColumn(live, 'queue', idOf(mark)), isWide })}
      empty={t('Nenhuma conversa aberta ou pendente.')}
    />
  )
}

import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { STATUS_NAMES } from '#domain/funnel/card.ts'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import type { Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { useChoices } from '#web/choices.ts'
import { query, queryClient } from '#web/client.ts'
import { formatMoney, formatNumber } from '#web/format.ts'
import { on } from '#web/realtime/realtime.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { funnelEvents, opportunities } from '../addresses.ts'
import { BoardFilters } from './BoardFilters.tsx'
import { useBoardFilter } from './board-filter.ts'
import css from './dashboard.module.css'
import { ALERT } from './labels.ts'

type Shown = Answer<typeof opportunities.dashboard>
type Search = Readonly<Record<string, string | number | undefined>>

/** Dashboard of the funnel: figures, charts and alerts; each mark opens its cards. */
export function FunnelDashboard() {
  const { url, setUrl, filter, narrowed, clear } = useBoardFilter()
  const pipelines = useChoices('pipelines')
  const pipelineId = Number(url['funil']) || undefined
  const { ordenacao: _, ...narrowing } = filter
  const asked = { ...narrowing, ...(pipelineId && { pipelineId }) }
  const { data, error, refetch } = useQuery(query(opportunities.dashboard, { query: asked }))
  useEffect(() => on(funnelEvents.moved, () => void queryClient.invalidateQueries({ queryKey: ['opportunities'] })), [])
  const all = pipelines.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Page>
      <PageHeader
        title={t('Funil')}
        facts={t('O que as suas vendas valem, o que está parado e o que vem pela frente.')}
        actions={
          <Select
            aria-label={t('Qual funil')}
            data={[{ value: '', label: t('Todos os funis') }, ...all]}
            allowDeselect={false}
            value={url['funil'] ?? ''}
            onChange={(next) => setUrl({ funil: next ?? undefined })}
          />
        }
      />
      <FilterRow filters={<BoardFilters url={url} setUrl={setUrl} />} isNarrowed={narrowed > 0} onClear={clear} />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {data && <Figures data={data} url={url} />}
    </Page>
  )
}

/** Formats money for an axis: “R$ 80 mil”. */
const shortMoney = (value: number): string =>
  value.toLocaleString('pt-BR', { style: 'currency', currency: 'BRL', notation: 'compact' })

const EMPTY = t('Ainda não há o que mostrar.')

/** Link to the cards behind a mark: the board with the same filters and further ones. */
const doorTo = (url: Search, more: Search): Door => ({
  path: '/funil/kanban',
  search: Object.fromEntries(Object.entries({ ...url, ...more }).filter(([, value]) => value !== undefined)),
})

function Figures({ data, url }: { data: Shown; url: Search }) {
  const { created, open, won, lost, winRate, average } = data
  const cards: readonly (readonly [name: string, text: string, sub: string, more: Search])[] = [
    [t('Oportunidades criadas'), formatNumber(created.count), formatMoney(created.value), { status: 'todos' }],
    [t('Em aberto'), formatNumber(open.count), formatMoney(open.value), { status: 'open' }],
    [t('Ganhas'), formatNumber(won.count), formatMoney(won.value), { status: 'win' }],
    [t('Perdidas'), formatNumber(lost.count), formatMoney(lost.value), { status: 'lose' }],
    [t('Taxa de ganho'), winRate === null ? '–' : `${winRate}%`, t('das que terminaram'), { status: 'win' }],
    [t('Ticket médio'), average === null ? '–' : formatMoney(average), t('das ganhas'), { status: 'win' }],
  ]
  const alerts = data.alerts.filter(({ count }) => count > 0)
  return (
    <>
      <div className={css.figures}>
        {cards.map(([name, text, sub, more]) => (
          <DoorLink key={name} door={doorTo(url, more)} className={css.figure}>
            <span>{name}</span>
            <b>{text}</b>
            <small>{sub}</small>
          </DoorLink>
        ))}
      </div>
      <div className={css.panels}>
        <Card title={t('Alertas')}>
          {alerts.length === 0 && <p className={css.none}>{t('Nada pede atenção agora.')}</p>}
          <div className={css.bars}>
            {alerts.map(({ alert, count, value }) => {
              const { name, icon: Icon, tone } = ALERT[alert]
              return (
                <DoorLink key={alert} door={doorTo(url, { alerta: alert })} className={css.alert}>
                  <span data-tone={tone}>
                    <Icon size={17} />
                  </span>
                  <span>{name}</span>
                  <span>
                    <b>{formatNumber(count)}</b> · {formatMoney(value)}
                  </span>
                </DoorLink>
              )
            })}
          </div>
        </Card>
        <ChartCard
          panel="funnel-forecast"
          title={t('Previsão por mês')}
          info={<small className={css.info}>{t('valor × chance da etapa')}</small>}
          own="bar"
          quick={['bar', 'line']}
          empty={EMPTY}
          axis="days"
          format={shortMoney}
          series={[
            { key: 'expected', label: t('Valor × chance') },
            { key: 'value', label: t('Valor em aberto') },
          ]}
          marks={data.forecast.map(({ month, value, expected }) => ({
            key: month ?? 'none',
            label: month ? monthText(month) : t('Sem previsão'),
            values: { expected: Number(expected), value: Number(value) },
          }))}
          doorOf={({ key }) =>
            doorTo(url, {
              status: 'open',
              ...(key !== 'none' && { previsaoDe: `${key}-01`, previsaoAte: lastDay(key) }),
            })
          }
        />
        <ChartCard
          panel="funnel-owners"
          title={t('Oportunidades por responsável')}
          own="bar"
          quick={['bar', 'donut']}
          empty={EMPTY}
          axis="parts"
          format={formatMoney}
          series={[{ key: 'value', label: t('Valor') }]}
          marks={data.owners.map(({ id, name, count, value, won: wins }) => ({
            key: String(id ?? 'none'),
            label: name ?? t('Sem responsável'),
            values: { value: Number(value) },
            note: `${plural(count, t('oportunidade'), t('oportunidades'))}, ${plural(wins, t('ganha'), t('ganhas'))}`,
          }))}
          doorOf={({ key }) => doorTo(url, { responsavel: key, status: url['status'] ?? 'todos' })}
        />
        <ChartCard
          panel="funnel-statuses"
          title={t('Status')}
          own="donut"
          quick={['donut', 'bar']}
          empty={EMPTY}
          axis="parts"
          format={formatNumber}
          series={[{ key: 'count', label: t('Oportunidades') }]}
          marks={data.statuses.map(({ status, count, value }) => ({
            key: status,
            label: STATUS_NAMES[status],
            values: { count },
            note: formatMoney(value),
          }))}
          doorOf={({ key }) => doorTo(url, { status: key })}
        />
        <ChartCard
          panel="funnel-months"
          title={t('Evolução')}
          own="bar"
          quick={['bar', 'line']}
          empty={EMPTY}
          axis="days"
          format={formatNumber}
          series={[
            { key: 'created', label: t('Criados') },
            { key: 'won', label: t('Ganhas') },
            { key: 'lost', label: t('Perdidas') },
          ]}
          marks={data.months.map(({ month, created: begun, won: wins, lost: losses }) => ({
            key: month,
            label: monthText(month),
            values: { created: begun, won: wins, lost: losses },
          }))}
          doorOf={({ key }, series) =>
            series.key === 'created'
              ? doorTo(url, { status: 'todos', periodo: undefined, de: `${key}-01`, ate: lastDay(key) })
              : doorTo(url, { status: series.key === 'won' ? 'win' : 'lose', fimDe: `${key}-01`, fimAte: lastDay(key) })
          }
        />
        <ChartCard
          panel="funnel-average"
          title={t('Ticket médio')}
          own="line"
          quick={['line', 'bar']}
          empty={EMPTY}
          axis="days"
          format={shortMoney}
          series={[{ key: 'average', label: t('Das ganhas no mês') }]}
          marks={data.months.flatMap(({ month, average: mean }) =>
            mean === null ? [] : [{ key: month, label: monthText(month), values: { average: Number(mean) } }],
          )}
          doorOf={({ key }) => doorTo(url, { status: 'win', fimDe: `${key}-01`, fimAte: lastDay(key) })}
        />
      </div>
    </>
  )
}

const monthText = (month: string) =>
  new Date(`${month}-15T12:00Z`).toLocaleDateString('pt-BR', { month: 'short', year: 'numeric', timeZone: 'UTC' })

function lastDay(month: string): string {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at, 0)).toISOString().slice(0, 10)
}

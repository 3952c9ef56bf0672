import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
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
import { useBoardFilter, WITHOUT_FILTERS } from './board-filter.ts'
import css from './dashboard.module.css'
import { ALERT, STATUS } from './labels.ts'

type Shown = Answer<typeof opportunities.dashboard>
type Search = Readonly<Record<string, string | number | undefined>>

/** What the funnel comes to: figures, charts and what asks for attention; every mark opens its cards. */
export function FunnelDashboard() {
  const { url, setUrl, filter, narrowed } = useBoardFilter()
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
      <FilterRow
        filters={<BoardFilters url={url} setUrl={setUrl} />}
        isNarrowed={narrowed > 0}
        onClear={() => setUrl(WITHOUT_FILTERS)}
      />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {data && <Figures data={data} url={url} />}
    </Page>
  )
}

/** A way to the cards behind a mark: the board under the same filters, and one more. */
function Cards({
  url,
  more,
  children,
  className,
}: {
  url: Search
  more: Search
  children: ReactNode
  className?: string | undefined
}) {
  const search = Object.fromEntries(Object.entries({ ...url, ...more }).filter(([, value]) => value !== undefined))
  return (
    <Link to="/funil/kanban" search={search} className={className}>
      {children}
    </Link>
  )
}

function Figures({ data, url }: { data: Shown; url: Search }) {
  const { created, open, won, lost, winRate, average } = data
  const cards: readonly (readonly [name: string, text: string, sub: string, more: Search])[] = [
    [t('Negócios criados'), formatNumber(created.count), formatMoney(created.value), { status: 'todos' }],
    [t('Em aberto'), formatNumber(open.count), formatMoney(open.value), { status: 'open' }],
    [t('Ganhos'), formatNumber(won.count), formatMoney(won.value), { status: 'win' }],
    [t('Perdidos'), formatNumber(lost.count), formatMoney(lost.value), { status: 'lose' }],
    [t('Taxa de negócios ganhos'), winRate === null ? '–' : `${winRate}%`, t('dos que terminaram'), { status: 'win' }],
    [t('Ticket médio'), average === null ? '–' : formatMoney(average), t('dos ganhos'), { status: 'win' }],
  ]
  const most = (values: readonly number[]) => Math.max(1, ...values)
  const mostOwner = most(data.owners.map(({ value }) => Number(value)))
  const mostMonth = most(data.months.map(({ created: count }) => count))
  const mostForecast = most(data.forecast.map(({ value }) => Number(value)))
  const mostAverage = most(data.months.map((one) => Number(one.average ?? 0)))
  const alerts = data.alerts.filter(({ count }) => count > 0)
  return (
    <>
      <div className={css.figures}>
        {cards.map(([name, text, sub, more]) => (
          <Cards key={name} url={url} more={more} className={css.figure}>
            <span>{name}</span>
            <b>{text}</b>
            <small>{sub}</small>
          </Cards>
        ))}
      </div>
      <div className={css.panels}>
        <Card title={t('Alertas')}>
          {alerts.length === 0 && <p className={css.none}>{t('Nada pede atenção agora.')}</p>}
          <div className={css.bars}>
            {alerts.map(({ alert, count, value }) => {
              const { name, icon: Icon, tone } = ALERT[alert]
              return (
                <Cards key={alert} url={url} more={{ alerta: alert }} className={css.alert}>
                  <span data-tone={tone}>
                    <Icon size={17} />
                  </span>
                  <span>{name}</span>
                  <span>
                    <b>{formatNumber(count)}</b> · {formatMoney(value)}
                  </span>
                </Cards>
              )
            })}
          </div>
        </Card>
        <Chart title={t('Previsão por mês')} hint={t('Valor em aberto e, na barra, valor × chance da etapa')}>
          {data.forecast.map(({ month, count, value, expected }) => (
            <Bar
              key={month ?? ''}
              url={url}
              more={
                month ? { previsaoDe: `${month}-01`, previsaoAte: lastDay(month), status: 'open' } : { status: 'open' }
              }
              name={month ? monthText(month) : t('Sem previsão')}
              text={`${formatMoney(expected)} ${t('de')} ${formatMoney(value)} · ${formatNumber(count)}`}
              share={Number(expected) / mostForecast}
            />
          ))}
        </Chart>
        <Chart title={t('Oportunidades por responsável')}>
          {data.owners.map(({ id, name, count, value, won: wins }) => (
            <Bar
              key={id ?? 'none'}
              url={url}
              more={{ responsavel: id ?? 'none', status: url['status'] ?? 'todos' }}
              name={name ?? t('Sem responsável')}
              text={`${formatMoney(value)} · ${plural(count, t('negócio'), t('negócios'))}, ${plural(wins, t('ganho'), t('ganhos'))}`}
              share={Number(value) / mostOwner}
            />
          ))}
        </Chart>
        <Chart title={t('Status')}>
          {data.statuses.map(({ status, count, value }) => (
            <Bar
              key={status}
              url={url}
              more={{ status }}
              name={STATUS[status]}
              text={`${formatNumber(count)} · ${formatMoney(value)}`}
              share={count / most([created.count])}
            />
          ))}
        </Chart>
        <Chart title={t('Evolução')} hint={t('Negócios criados por mês, com os ganhos e perdidos nele')}>
          {data.months.map(({ month, created: made, won: wins, lost: losses }) => (
            <Bar
              key={month}
              url={url}
              more={{ de: `${month}-01`, ate: lastDay(month), status: 'todos', periodo: undefined }}
              name={monthText(month)}
              text={`${plural(made, t('criado'), t('criados'))} · ${plural(wins, t('ganho'), t('ganhos'))} · ${plural(losses, t('perdido'), t('perdidos'))}`}
              share={made / mostMonth}
            />
          ))}
        </Chart>
        <Chart title={t('Ticket médio')} hint={t('Dos negócios ganhos em cada mês')}>
          {data.months
            .filter((one) => one.average !== null)
            .map(({ month, average: mean }) => (
              <Bar
                key={month}
                url={url}
                more={{ status: 'win' }}
                name={monthText(month)}
                text={formatMoney(mean ?? '0')}
                share={Number(mean) / mostAverage}
              />
            ))}
        </Chart>
      </div>
    </>
  )
}

function Chart({ title, hint, children }: { title: string; hint?: string; children: readonly ReactNode[] }) {
  return (
    <Card title={title}>
      {hint && <p className={css.none}>{hint}</p>}
      {children.length === 0 && <p className={css.none}>{t('Ainda não há o que mostrar.')}</p>}
      <div className={css.bars}>{children}</div>
    </Card>
  )
}

function Bar(props: { url: Search; more: Search; name: string; text: string; share: number }) {
  const { url, more, name, text, share } = props
  return (
    <Cards url={url} more={more} className={css.bar}>
      <span>
        <span className="g-cut">{name}</span>
        <span>{text}</span>
      </span>
      <i style={{ width: `${Math.min(100, Math.max(1, share * 100))}%` }} />
    </Cards>
  )
}

const monthText = (month: string) =>
  new Date(`${month}-15T12:00Z`).toLocaleDateString('pt-BR', { month: 'short', year: 'numeric', timeZone: 'UTC' })

function lastDay(month: string): string {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at, 0)).toISOString().slice(0, 10)
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer } from '#kit/contract.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { assistants } from '../addresses.ts'
import type { AssistantCall } from '../contract.ts'
import { Budget } from './Budget.tsx'
import css from './costs.module.css'
import { money, monthText } from './texts.ts'
import { uses } from './uses.ts'

const costsPath = '/configuracoes/custos-de-ia'

const outcomes: Readonly<Record<string, string>> = {
  taken: t('usada'),
  changed: t('alterada'),
  refused: t('recusada'),
}

const secondsOf = (ms: number) => t('{seconds} s', { seconds: formatNumber(Math.round(ms / 100) / 10) })

const columns: readonly Column<AssistantCall>[] = [
  {
    key: 'use',
    title: t('Uso'),
    width: 160,
    cell: (row) => (
      <NameCell
        name={uses[row.use] ?? row.use}
        detail={[row.ticketId && t('atendimento {id}', { id: row.ticketId }), row.userName].filter(Boolean).join(' · ')}
      />
    ),
  },
  {
    key: 'assistant',
    title: t('Conta'),
    width: 130,
    cell: (row) => <NameCell name={row.assistant ?? t('Conta excluída')} detail={row.model} />,
  },
  {
    key: 'tokens',
    title: t('Tokens: entrada / cache / saída'),
    width: 130,
    numeric: true,
    cell: (row) => [row.inputTokens, row.cachedTokens, row.outputTokens].map(formatNumber).join(' / '),
  },
  { key: 'ms', title: t('Tempo'), numeric: true, width: 70, cell: (row) => secondsOf(row.ms) },
  { key: 'cost', title: t('Custo'), numeric: true, width: 80, cell: (row) => money(row.cost) },
  {
    key: 'result',
    title: t('Resultado'),
    cell: (row) =>
      row.error ? (
        <span className={`g-cut ${css.error}`} title={row.error}>
          {row.error}
        </span>
      ) : (
        <Pill tone="pos">{outcomes[row.outcome ?? ''] ?? t('respondeu')}</Pill>
      ),
  },
  { key: 'when', title: t('Quando'), width: 150, cell: (row) => formatDateTime(row.createdAt) },
]

const filterNames = ['de', 'ate', 'conta', 'uso']
const series = [{ key: 'cost', label: t('Custo') }]

/** Page with the costs of assistants by day, account and use; each bar lists its calls below. */
export function Costs() {
  const [url, setUrl] = useUrlState()
  const period = useMemo(() => ({ from: url.de, to: url.ate }), [url.de, url.ate])
  const filter = useMemo(
    () => ({ ...period, searchParam: url.busca, assistantId: url.conta ? Number(url.conta) : undefined, use: url.uso }),
    [period, url.busca, url.conta, url.uso],
  )
  const list = useList(assistants.calls, (page) => page.calls, filter)
  const { data: used } = useQuery(query(assistants.costs, { query: period }))
  const { data: overview } = useQuery(query(assistants.list))
  return (
    <ListScreen
      title={t('Custos de IA')}
      nouns={[t('chamada'), t('chamadas')]}
      list={list}
      search={t('Conta, modelo, pessoa ou erro')}
      filters={<CostFilters url={url} setUrl={setUrl} overview={overview} filter={filter} />}
      filterNames={filterNames}
      empty={{
        title: t('Nenhuma chamada'),
        text: t('Cada resposta, transcrição e ajuda do copiloto aparece aqui com o que usou e custou.'),
      }}
      note={<CostNote overview={overview} url={url} used={used} />}
      table={{ columns, rowKey: (row) => row.id }}
    />
  )
}

/** The budget of the month, and charts of the period. */
function CostNote({
  overview,
  url,
  used,
}: {
  overview: Answer<typeof assistants.list> | undefined
  url: Url
  used: Answer<typeof assistants.costs> | undefined
}) {
  const warning = overview && monthText(overview.month)
  const door = (search: Readonly<Record<string, unknown>>) => ({
    path: costsPath,
    search: { de: url.de, ate: url.ate, ...search },
  })
  const common = {
    series,
    format: money,
    own: 'bar',
    quick: ['bar', 'line'],
    empty: t('Nada foi usado no período.'),
  } as const
  return (
    <div className={css.note}>
      {warning && <Notice tone="warn">{warning}</Notice>}
      {overview && <Budget month={overview.month} />}
      {used && used.total.calls > 0 && (
        <div className={css.charts}>
          <ChartCard
            {...common}
            panel="aiCostByDay"
            title={t('Custo por dia')}
            axis="days"
            marks={used.days.map(({ day, cost }) => ({ key: day, label: dayText(day), values: { cost } }))}
            doorOf={({ key }) => door({ de: key, ate: key })}
          />
          <ChartCard
            {...common}
            panel="aiCostByAccount"
            title={t('Custo por conta')}
            axis="parts"
            marks={used.accounts.map(({ assistantId, name, provider, cost }) => ({
              ...{ key: String(assistantId ?? provider), label: name, values: { cost } },
            }))}
            doorOf={({ key }) => (Number(key) > 0 ? door({ conta: key }) : undefined)}
          />
          <ChartCard
            {...common}
            panel="aiCostByUse"
            title={t('Custo por uso')}
            axis="parts"
            marks={used.uses.map(({ use, cost }) => ({ key: use, label: uses[use] ?? use, values: { cost } }))}
            doorOf={({ key }) => door({ uso: key })}
          />
        </div>
      )}
    </div>
  )
}

function CostFilters({
  url,
  setUrl,
  overview,
  filter,
}: {
  url: Url
  setUrl: SetUrl
  overview: Answer<typeof assistants.list> | undefined
  filter: { assistantId: number | undefined }
}) {
  return (
    <>
      <PeriodFilter from={url.de} to={url.ate} onChange={setUrl} />
      <ChoiceFilter
        label={t('Conta')}
        options={(overview?.assistants ?? []).map(({ id, name }) => ({ id, name }))}
        chosen={filter.assistantId ? [filter.assistantId] : []}
        onChange={(ids) => setUrl({ conta: ids.at(-1) })}
      />
      <ChoiceFilter
        label={t('Uso')}
        options={Object.entries(uses).map(([id, name]) => ({ id, name }))}
        chosen={url.uso ? [url.uso] : []}
        onChange={(ids) => setUrl({ uso: ids.at(-1) })}
      />
    </>
  )
}

const dayText = (iso: string): string => iso.split('-').slice(1).reverse().join('/')

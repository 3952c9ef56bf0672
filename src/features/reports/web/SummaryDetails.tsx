import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ITEM_STATE_NAMES } from '#domain/campaigns/states.ts'
import { STATUS_NAMES } from '#domain/funnel/card.ts'
import { OTHER_SUMMARIES, type Other, SUMMARY_NAMES } from '#domain/reports/summaries.ts'
import { formatDateTime, formatMoney } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { namedReports } from '../addresses.ts'
import type { ReportDetail } from '../contract.ts'
import { useAsked } from './asked.ts'
import { spanOf } from './spans.ts'

const TICKET_STATUS = { open: t('Aberto'), pending: t('Pendente'), closed: t('Resolvido') }
const PRESENCE = { online: t('Online'), away: t('Em pausa'), offline: t('Offline') }

/** Display names per summary: states, nouns of rows, and the time column. */
const LOOKS: Readonly<
  Record<Other, { states: Readonly<Record<string, string>>; nouns: readonly [string, string]; at: string }>
> = {
  bots: { states: TICKET_STATUS, nouns: [t('conversa'), t('conversas')], at: t('Começou em') },
  campaigns: { states: ITEM_STATE_NAMES, nouns: [t('contato'), t('contatos')], at: t('Quando') },
  funnel: { states: STATUS_NAMES, nouns: [t('oportunidade'), t('oportunidades')], at: t('Criada em') },
  presence: { states: PRESENCE, nouns: [t('período'), t('períodos')], at: t('De') },
}
const when = (at: string | null) => at && <span className="g-num">{formatDateTime(at)}</span>
const span = ({ at, until }: ReportDetail) => until && spanOf(Date.parse(until) - Date.parse(at))

/** Rows behind a number of a summary without tickets, each linked to its own screen. */
export function SummaryDetails({ report, column, row }: { report: Other; column: string; row?: string }) {
  const { url, setUrl, asked } = useAsked()
  const navigate = useNavigate()
  const text = JSON.stringify([asked, url.divisao])
  const filter = useMemo(() => {
    const [{ measure: _, by: __, hour: ___, weekday: ____, ...narrowed }, by] = JSON.parse(text)
    return { ...narrowed, report, column, ...(row === undefined ? {} : { key: row }), ...(by ? { by } : {}) }
  }, [text, report, column, row])
  const list = useList(namedReports.details, (page) => page.rows, filter)
  const title = OTHER_SUMMARIES[report].find(({ key }) => key === column)?.title ?? column
  const open = (path: string | null) => {
    const { pathname, searchParams } = new URL(path ?? '', location.origin)
    void navigate({ to: pathname, search: Object.fromEntries(searchParams) })
  }
  const back = () => setUrl({ numero: undefined, linha: undefined })
  return (
    <ListScreen
      title={t('{report}: {title}', { report: SUMMARY_NAMES[report], title: title.toLowerCase() })}
      nouns={LOOKS[report].nouns}
      list={list}
      view={<FilterChip label={t('Voltar ao resumo')} active={false} onClick={back} />}
      empty={{ title: t('Nada aqui'), text: t('O que forma o número aparece aqui.') }}
      table={{
        columns: columnsOf(report),
        rowKey: (one) => one.id,
        ...(report === 'presence'
          ? {}
          : {
              hrefOf: ({ path }: ReportDetail) => path ?? '',
              onOpen: ({ path }: ReportDetail) => open(path),
            }),
      }}
    />
  )
}

function columnsOf(report: Other): readonly Column<ReportDetail>[] {
  const { states, at } = LOOKS[report]
  const hasSpans = report === 'bots' || report === 'presence'
  return [
    { key: 'name', title: t('Nome'), cell: (one) => one.name },
    ...(report === 'presence'
      ? []
      : [
          {
            key: 'number',
            title: t('Número'),
            cell: (one: ReportDetail) => <span className="g-num">{one.number}</span>,
          },
        ]),
    { key: 'state', title: t('Situação'), width: 130, cell: (one) => states[one.state] ?? one.state },
    ...(report === 'funnel'
      ? [
          {
            key: 'value',
            title: t('Valor'),
            numeric: true,
            cell: (one: ReportDetail) => one.value && formatMoney(one.value),
          },
        ]
      : []),
    { key: 'at', title: at, width: 160, cell: (one) => when(one.at) },
    ...(hasSpans
      ? [
          { key: 'until', title: t('Até'), width: 160, cell: (one: ReportDetail) => when(one.until) },
          { key: 'span', title: t('Duração'), width: 120, numeric: true, cell: span },
        ]
      : []),
  ]
}

import type { ReactNode } from 'react'
import type { CallInput } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import type { namedReports } from '../addresses.ts'
import { FILTER_NAMES, useAsked } from './asked.ts'
import { Generate } from './chosen.tsx'
import { ReportActions } from './ReportActions.tsx'

type Body = CallInput<typeof namedReports.export>['body']

/** Column with its printed text; `cell` is rendered instead on screen, such as a link. */
export type FigureColumn<Row> = Omit<Column<Row>, 'cell'> & {
  text: (row: Row) => string
  cell?: (row: Row) => ReactNode
}

/** Report of figures: header with print, export and saving; filters; and its table or a replacement. */
export function FigureReport<Row>(props: {
  title: string
  report: Body['report']
  filter: Body['filter']
  columns: readonly FigureColumn<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  error: Error | null
  retry: () => void
  filters: ReactNode
  /** Content at the end of the filters. */
  right?: ReactNode
  empty: { title: string; text: string }
}) {
  const { title, report, filter, columns, rows, rowKey, error, retry, filters, right, empty } = props
  const { url, setUrl } = useAsked()
  return (
    <Page>
      <PageHeader
        title={title}
        actions={
          <ReportActions
            title={title}
            report={report}
            filter={filter}
            sheet={async () => ({
              columns: columns.map((one) => one.title),
              rows: (rows ?? []).map((row) => columns.map(({ text }) => text(row))),
            })}
          />
        }
      />
      <FilterRow
        filters={
          <>
            {filters}
            <Generate />
          </>
        }
        right={right}
        isNarrowed={FILTER_NAMES.some((name) => url[name])}
        onClear={() => setUrl(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
      />
      {error && !rows && <LoadError text={sentence(error)} retry={retry} />}
      {!rows && !error && <SkeletonRows kind="table" />}
      {rows?.length === 0 && <EmptyState {...empty} />}
      {rows && rows.length > 0 && (
        <DataTable
          label={title}
          columns={columns.map((column) => ({ ...column, cell: column.cell ?? column.text }))}
          rows={rows}
          rowKey={rowKey}
        />
      )}
    </Page>
  )
}

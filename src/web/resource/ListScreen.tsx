import { type ReactNode, useCallback } from 'react'
import { sentence } from '../api.ts'
import { formatNumber } from '../format.ts'
import { t } from '../t.ts'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '../ui/feedback/states.tsx'
import { AddIcon } from '../ui/icons.ts'
import { FilterRow } from '../ui/layout/FilterRow.tsx'
import { Page, PageHeader, SearchField } from '../ui/layout/page.tsx'
import { DataTable, type TableProps } from '../ui/table/DataTable.tsx'
import { useUrlState } from '../url-state.ts'
import { AddButton, type Addition } from './AddButton.tsx'
import { type CsvFile, ExportButton } from './ExportButton.tsx'
import type { List } from './use-list.ts'

type Counted = { count: number; countIsCapped?: boolean | undefined }

/** Command that adds a row: the button of the header, and the first step of the empty list. */
type Add = Addition & { first: string }

type Props<Row> = {
  title: string
  /** Title of the page, if it differs from the list's. */
  heading?: string
  icon?: ReactNode
  /** Noun for a row, singular and plural. */
  nouns: readonly [one: string, many: string]
  list: List<Row, Counted>
  table: Omit<TableProps<Row>, 'label' | 'rows' | 'onEnd'> & { rows?: readonly Row[] }
  /** Title of an empty list without its end (“Nenhuma fila”), and what will appear here. */
  empty: { title: string; text: string }
  /** Placeholder of the search: what it searches. */
  search?: string
  filters?: ReactNode
  filterNames?: readonly string[]
  /** Controls that change the view. */
  view?: ReactNode
  /** Shown in place of the count. */
  facts?: ReactNode
  note?: ReactNode
  file?: CsvFile<Row>
  actions?: ReactNode
  add?: Add | false
  /** Shown in place of the table. */
  instead?: ReactNode
  children?: ReactNode
}

/**
 * List as a page: header with count, export and button for a new row, search and filters in the address, and the table or
 * its placeholder. `filterNames` are the names of `filters` in the address; `note` is shown above them; drawers are the
 * children.
 */
export function ListScreen<Row>(props: Props<Row>) {
  const { title, heading = title, icon, nouns, list, table, empty, search, filters, filterNames = [] } = props
  const { view, note, file, actions, add, instead } = props
  const { facts = list.first && countText(list.first, nouns), children } = props
  const [url, setUrl] = useUrlState()
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const names = ['busca', ...filterNames]
  const isEmpty = list.state === 'success' && list.rows.length === 0
  const isNarrowed = names.some((name) => url[name])
  return (
    <Page>
      <PageHeader
        title={heading}
        icon={icon}
        facts={facts}
        actions={
          <>
            {actions}
            {file && <ExportButton list={list} file={file} nouns={nouns} />}
            {add && <AddButton {...add} />}
          </>
        }
      />
      {note}
      <FilterRow
        right={view}
        filters={filters}
        isNarrowed={filterNames.some((name) => url[name])}
        onClear={() => setUrl(noneOf(filterNames))}
      >
        {search && <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder={search} />}
      </FilterRow>
      {list.state === 'pending' && !instead && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {isEmpty && isNarrowed && (
        <NoneFound title={empty.title} isFiltered={Boolean(filters)} onClear={() => setUrl(noneOf(names))} />
      )}
      {isEmpty && !isNarrowed && (
        <EmptyState
          title={`${empty.title} ${t('ainda')}`}
          text={empty.text}
          {...(add ? { step: { label: add.first, run: add.run, icon: <AddIcon size={17} /> } } : {})}
        />
      )}
      {instead && list.state !== 'error' && !isEmpty && instead}
      {!instead && list.rows.length > 0 && <DataTable label={title} rows={list.rows} onEnd={list.onEnd} {...table} />}
      {children}
    </Page>
  )
}

/** Placeholder of a list without rows that match its filters and search. */
function NoneFound(props: { title: string; isFiltered: boolean; onClear: () => void }) {
  const { title, isFiltered, onClear } = props
  return (
    <EmptyState
      title={`${title} ${isFiltered ? t('com este filtro') : t('com esse texto')}`}
      text={
        isFiltered
          ? t('Confira o que foi digitado e o que está escolhido, ou veja a lista inteira.')
          : t('Confira o que foi digitado ou veja a lista inteira.')
      }
      step={{ label: t('Limpar filtros'), run: onClear }}
    />
  )
}

const noneOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

const countText = ({ count, countIsCapped }: Counted, [one, many]: readonly [string, string]) =>
  `${formatNumber(count)}${countIsCapped ? '+' : ''} ${count === 1 ? one : many}`

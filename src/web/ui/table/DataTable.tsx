import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../../t.ts'
import { ArrowDownIcon, ArrowUpIcon, CheckIcon } from '../icons.ts'
import { CommandMenu } from '../layout/CommandMenu.tsx'
import type { Command } from '../layout/command.ts'
import css from './data-table.module.css'

/** One column: the first is the row's name (title of the card on a phone); numbers go right and tabular. */
export type Column<Row> = {
  key: string
  title: string
  /** Content beside the title, in the table's header. */
  info?: ReactNode
  cell: (row: Row) => ReactNode
  width?: number
  numeric?: boolean
  sortable?: boolean
}

/** Current order of a table. */
type Sort = { key: string; down: boolean }

/** Rows and columns of a table, and its actions. */
export type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  /** Id of the element that opening a row changes, where that is on the same page. */
  controls?: string
  /** Address of the screen that opening a row leads to. */
  hrefOf?: (row: Row) => string
  commands?: (row: Row) => readonly Command[]
  sort?: Sort
  onSort?: (sort: Sort) => void
  selected?: ReadonlySet<string | number>
  onSelect?: (keys: Set<string | number>) => void
  tall?: boolean
  onEnd?: () => void
}

/** Table from 600 px on, and cards below; `onEnd` is called when the list's end comes near the window. */
export function DataTable<Row>(props: TableProps<Row>) {
  const narrow = useMediaQuery('(max-width: 599px)', undefined, { getInitialValueInEffect: false })
  return (
    <>
      {narrow ? <Cards {...props} /> : <Table {...props} />}
      {props.onEnd && <EndMark onEnd={props.onEnd} />}
    </>
  )
}

/** Selection by checkboxes: whether all rows are selected, and the keys selected after toggling one, or all. */
function selection<Row>({ rows, rowKey, selected = new Set() }: TableProps<Row>) {
  const keys = rows.map(rowKey)
  const all = keys.length > 0 && keys.every((key) => selected.has(key))
  return {
    all,
    some: !all && keys.some((key) => selected.has(key)),
    toggled: (key: string | number) => {
      const next = new Set(selected)
      if (!next.delete(key)) next.add(key)
      return next
    },
    toggledAll: () => new Set(all ? [] : keys),
  }
}

const isBlank = (content: ReactNode) => content === null || content === undefined || content === '' || content === false
const orDash = (content: ReactNode) => (isBlank(content) ? '—' : content)

/** Whether the keyboard can reach the rows, and with them the columns out of sight. */
const isReachable = <Row,>({ onOpen, hrefOf, commands, onSelect }: TableProps<Row>): boolean =>
  Boolean(onOpen || hrefOf || commands || onSelect)

function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, commands, sort, onSort, onSelect, tall } = props
  const id = useId()
  const { all, some, toggled, toggledAll } = selection(props)
  return (
    <div className={css.frame} {...(isReachable(props) ? {} : { tabIndex: 0, role: 'region', 'aria-label': label })}>
      <table className={css.table} data-tall={tall || undefined} aria-label={label}>
        <thead>
          <tr>
            {onSelect && (
              <th className={css.check}>
                <Checkbox
                  aria-label={t('Selecionar todos')}
                  checked={all}
                  indeterminate={some}
                  onChange={() => onSelect(toggledAll())}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            {commands && (
              <th className={css.menu}>
                <span className="g-hidden">{t('Ações')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={rowKey(row)}
              {...props}
              row={row}
              id={id}
              onToggle={onSelect && (() => onSelect(toggled(rowKey(row))))}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeaderCell<Row>(props: {
  column: Column<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}) {
  const { column, sort, onSort } = props
  const sorted = sort?.key === column.key
  const Arrow = sort?.down ? ArrowDownIcon : ArrowUpIcon
  return (
    <th
      style={{ width: column.width }}
      data-numeric={column.numeric || undefined}
      aria-sort={sorted ? (sort.down ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable && onSort ? (
        <button type="button" onClick={() => onSort({ key: column.key, down: sorted && !sort.down })}>
          {column.title}
          {sorted && <Arrow size={14} />}
        </button>
      ) : (
        column.title
      )}
      {column.info}
    </th>
  )
}

/** Row of a table; `id` makes its name's id, `onToggle` selects it. */
type RowProps<Row> = TableProps<Row> & {
  row: Row
  id: string
  onToggle: (() => void) | undefined
}

function Line<Row>(props: RowProps<Row>) {
  const { row, id, columns, rowKey, onOpen, hrefOf, controls, commands, selected, onToggle } = props
  const key = rowKey(row)
  const name = `${id}${key}`
  return (
    <tr data-selected={selected?.has(key) || undefined}>
      {onToggle && (
        <td className={css.check}>
          <Checkbox
            aria-label={t('Selecionar')}
            aria-describedby={name}
            checked={selected?.has(key) ?? false}
            onChange={onToggle}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.key} id={index === 0 ? name : undefined} data-numeric={column.numeric || undefined}>
          {index === 0 && onOpen ? (
            <Opening href={hrefOf?.(row)} controls={controls} onOpen={() => onOpen(row)}>
              {column.cell(row)}
            </Opening>
          ) : (
            orDash(column.cell(row))
          )}
        </td>
      ))}
      {commands && (
        <td className={css.menu}>
          <CommandMenu commands={commands(row)} size={28} of={name} />
        </td>
      )}
    </tr>
  )
}

/** Cards: “Selecionar” in a card's menu, opened by a long press, gives each card a checkbox; pressing a card then toggles it. */
function Cards<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, onSelect } = props
  const id = useId()
  const { all, some, toggled, toggledAll } = selection(props)
  const isSelecting = onSelect !== undefined && (some || all)
  return (
    <>
      {isSelecting && (
        <Checkbox
          className={css.all}
          label={t('Selecionar todos')}
          checked={all}
          indeterminate={some}
          onChange={() => onSelect(toggledAll())}
        />
      )}
      <ul className={css.cards} aria-label={label}>
        {rows.map((row) => (
          <CardOfRow
            key={rowKey(row)}
            {...props}
            row={row}
            id={id}
            isSelecting={isSelecting}
            onToggle={onSelect && (() => onSelect(toggled(rowKey(row))))}
          />
        ))}
      </ul>
    </>
  )
}

function CardOfRow<Row>(props: RowProps<Row> & { isSelecting: boolean }) {
  const { row, id, columns, rowKey, onOpen, hrefOf, controls, commands, selected, isSelecting, onToggle } = props
  const [name, ...rest] = columns
  const key = rowKey(row)
  const select = onToggle ? [{ id: 'select', label: t('Selecionar'), icon: CheckIcon, run: onToggle }] : []
  const press = isSelecting ? onToggle : onOpen && (() => onOpen(row))
  return (
    <li data-long-press={commands && !isSelecting ? '' : undefined} data-selected={selected?.has(key) || undefined}>
      <header>
        {isSelecting && (
          <Checkbox
            aria-label={t('Selecionar')}
            aria-describedby={`${id}${key}`}
            checked={selected?.has(key) ?? false}
            onChange={press}
          />
        )}
        {press ? (
          <Opening
            id={`${id}${key}`}
            href={isSelecting ? undefined : hrefOf?.(row)}
            controls={isSelecting ? undefined : controls}
            onOpen={press}
          >
            {name?.cell(row)}
          </Opening>
        ) : (
          <span id={`${id}${key}`}>{name?.cell(row)}</span>
        )}
        {commands && !isSelecting && <CommandMenu commands={[...select, ...commands(row)]} of={`${id}${key}`} />}
      </header>
      <dl>
        {rest
          .map(({ key, title, cell }) => ({ key, title, content: cell(row) }))
          .filter(({ content }) => !isBlank(content))
          .map(({ key, title, content }) => (
            <div key={key}>
              <dt>{title}</dt>
              <dd>{content}</dd>
            </div>
          ))}
      </dl>
    </li>
  )
}

/** Control that opens a row: a link if it leads to another screen. */
function Opening(props: {
  id?: string
  href: string | undefined
  controls: string | undefined
  onOpen: () => void
  children: ReactNode
}) {
  const { id, href, controls, onOpen, children } = props
  const press = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onOpen()
  }
  return href ? (
    <a id={id} href={href} className={css.open} onClick={press}>
      {children}
    </a>
  ) : (
    <button type="button" id={id} aria-controls={controls} className={css.open} onClick={onOpen}>
      {children}
    </button>
  )
}

function EndMark({ onEnd }: { onEnd: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && onEnd(), { rootMargin: '400px' })
    if (mark.current) watch.observe(mark.current)
    return () => watch.disconnect()
  }, [onEnd])
  return <div ref={mark} />
}

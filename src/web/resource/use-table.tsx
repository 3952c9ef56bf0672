import { type ReactNode, useState } from 'react'
import { ownMember } from '#domain/keys.ts'
import { memberOf } from '#domain/present.ts'
import type { Address, EventAddress } from '#kit/addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import type { ListedSpec, ResourceField } from '#kit/resource.ts'
import { sentence } from '../api.ts'
import { callAny } from '../client.ts'
import { FieldFilter, filterNames } from '../fields/field-filter.tsx'
import { useReferredBy } from '../fields/reference.tsx'
import { timeZone } from '../format.ts'
import { plural, t } from '../t.ts'
import { confirm } from '../ui/feedback/confirm.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { DeleteIcon } from '../ui/icons.ts'
import { BulkBar } from '../ui/table/BulkBar.tsx'
import { useUrlState } from '../url-state.ts'
import { useAnyList } from './use-list.ts'

type Asked = Readonly<Record<string, string | undefined>>

/** Table on its screen: its rows, their list and removal operations, and the names of rows. */
type Table<O extends Address, Row> = {
  spec: ListedSpec
  ops: { list: O; remove: Address }
  rowsOf: (page: Answer<O>) => readonly Row[]
  live?: readonly EventAddress[]
  /** Filters of the list beside those of its fields. */
  also?: Asked
  nameOf: (row: Row) => string
  /** Returns why a user with write permission may not change this row; null: they may. */
  locked?: (row: Row) => string | null
  /** Consequence of removing a row, beyond its loss. */
  loss?: string
  /** Handles a refused removal of a row; false: a toast shows it. */
  onRefused?: (row: Row, error: unknown) => boolean
  mayWrite?: boolean
}

/** Returns a function that formats fields' values for a file; a referenced row by its name. */
function useTexts(fields: ListedSpec['fields']) {
  const referred = useReferredBy(fields)
  return (key: string, field: ResourceField, value: unknown): string => {
    const name = referred[key]?.find(({ id }) => id === value)?.name
    return name ?? kindOf(field).toText(value, field, { zone: timeZone() })
  }
}

/**
 * Common parts of every list of a table, from its fields: search, filters and order in the address, selection, and removing
 * rows, one or many. `screen` is for `ListScreen`, `bar` is placed in it, `table` goes into its table.
 */
export function useTable<O extends Address, Row extends { id: number }>(props: Table<O, Row>) {
  const { spec, ops, rowsOf, live = [], also, locked = () => null, mayWrite = true } = props
  const [url, setUrl] = useUrlState()
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const fields = Object.entries<ResourceField>(spec.fields)
  const texts = useTexts(spec.fields)
  const { filters, names, query } = askedFor(fields, url, also)
  const list = useAnyList(ops.list, rowsOf, query, live)
  const { one, many } = labelsOf(spec)
  const chosen = list.rows.filter((row) => selected.has(row.id) && !locked(row))
  const { remove, removeAll } = removalOf(props, chosen, setSelected)

  const bar: ReactNode = (
    <BulkBar
      count={chosen.length}
      commands={[{ id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void removeAll() }]}
      onClear={() => setSelected(new Set())}
    />
  )
  return {
    list,
    /** Query of the list: its filters and its order. */
    query,
    remove,
    bar,
    /** Whether a column of this name can be sorted by. */
    isSortable: (key: string) => key in spec.fields && kindOf(memberOf(spec.fields, key)).sort !== undefined,
    screen: {
      title: spec.title,
      nouns: [one, many] as const,
      list,
      search: t('Buscar {title}', { title: many }),
      file: {
        name: `${ops.list.family}.csv`,
        most: 20_000,
        columns: fields.map(
          ([key, field]) => [field.label, (row: Row) => texts(key, field, ownMember(row, key))] as const,
        ),
      },
      filterNames: names,
      filters:
        filters.length > 0 &&
        filters.map(([key, field]) => <FieldFilter key={key} name={key} field={field} asked={url} onChange={setUrl} />),
    },
    table: {
      rowKey: (row: Row) => row.id,
      sort: { key: url.ordem ?? spec.order, down: url.desce !== undefined },
      onSort: ({ key, down }: { key: string; down: boolean }) =>
        setUrl({ ordem: key, desce: down ? 'true' : undefined }),
      ...(mayWrite && { selected, onSelect: setSelected }),
    },
  }
}

const labelsOf = (spec: ListedSpec) => ({
  one: spec.singular.toLowerCase(),
  many: spec.title.toLowerCase(),
  isFeminine: spec.gender === 'f',
})

/** Returns the fields with a filter, the names of the filters in the address, and the query of the list. */
function askedFor(fields: readonly (readonly [string, ResourceField])[], url: Asked, also: Asked = {}) {
  const filters = fields.filter(([, field]) => field.filter)
  const names = filters.flatMap(([key, field]) => filterNames(key, field))
  const query = {
    searchParam: url.busca,
    sort: url.ordem,
    down: url.desce,
    ...Object.fromEntries(names.map((name) => [name, url[name]?.split(',')])),
    ...also,
  }
  return { filters, names, query }
}

/** Returns the removal of a row and of all `chosen` ones, each after a question; refused rows stay selected. */
function removalOf<O extends Address, Row extends { id: number }>(
  { spec, ops, nameOf, loss, onRefused = () => false }: Table<O, Row>,
  chosen: readonly Row[],
  setSelected: (ids: ReadonlySet<string | number>) => void,
) {
  const { one, many, isFeminine } = labelsOf(spec)
  const send = ({ id }: Row) => callAny(ops.remove, { params: { id } }, { quiet: true })

  const remove = async (row: Row) => {
    const [article, pronoun] = isFeminine ? ['a', t('Ela')] : ['o', t('Ele')]
    const sure = await confirm({
      title: t('Excluir {article} {word} “{value}”?', { article, word: one, value: nameOf(row) }),
      text: loss ?? t('{one} some das listas agora, e isto não pode ser desfeito.', { one: pronoun }),
      action: t('Excluir {word}', { word: one }),
    })
    if (!sure) return
    try {
      await send(row)
      const name = { name: spec.singular }
      notify({ tone: 'pos', title: isFeminine ? t('{name} excluída', name) : t('{name} excluído', name) })
    } catch (error) {
      if (!onRefused(row, error)) notify({ tone: 'neg', title: sentence(error) })
    }
  }

  const removeAll = async () => {
    const count = plural(chosen.length, one, many)
    const sure = await confirm({
      title: t('Excluir {count}?', { count }),
      text: t('Somem das listas agora, e isto não pode ser desfeito.'),
      action: t('Excluir {count}', { count }),
    })
    if (!sure) return
    const refused: { row: Row; why: string }[] = []
    for (const row of chosen)
      await send(row).catch((error: unknown) => void refused.push({ row, why: sentence(error) }))
    setSelected(new Set(refused.map(({ row }) => row.id)))
    const [first] = refused
    if (!first) return notify({ tone: 'pos', title: t('{count}: exclusão feita', { count }) })
    const gone = chosen.length - refused.length
    const done = isFeminine ? plural(gone, t('excluída'), t('excluídas')) : plural(gone, t('excluído'), t('excluídos'))
    notify({
      tone: 'neg',
      title: `${done}, ${plural(refused.length, t('ficou'), t('ficaram'))}`,
      text: `${nameOf(first.row)}: ${first.why}`,
    })
  }
  return { remove, removeAll }
}

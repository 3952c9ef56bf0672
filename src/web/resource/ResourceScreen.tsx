import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { kindOf } from '#kit/fields/kinds.ts'
import type { Resource, ResourceField } from '#kit/resource.ts'
import { sentence } from '../api.ts'
import { attempt } from '../attempt.ts'
import { call } from '../client.ts'
import { FieldCell } from '../fields/field.tsx'
import { FieldFilter, filterNames } from '../fields/field-filter.tsx'
import { referredOf } from '../fields/reference.tsx'
import { timeZone } from '../format.ts'
import { useMay } from '../session/permissions.ts'
import { plural, t } from '../t.ts'
import { confirm } from '../ui/feedback/confirm.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { DeleteIcon, EditIcon, UploadIcon } from '../ui/icons.ts'
import { ActiveState } from '../ui/identity/badges.tsx'
import { BulkBar } from '../ui/table/BulkBar.tsx'
import type { Column } from '../ui/table/DataTable.tsx'
import { useUrlState } from '../url-state.ts'
import { ListScreen } from './ListScreen.tsx'
import { OrderHandle } from './OrderHandle.tsx'
import { ResourceForm } from './ResourceForm.tsx'
import { useList } from './use-list.ts'
import { useOrder } from './use-order.ts'

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog.tsx')).ImportDialog }))

// Every record that can be switched off has its state in this field.
const isState = (key: string) => key === 'isActive'

/** The values of fields as a file holds them; a row that is referred to by its name. */
function useTexts(fields: readonly (readonly [string, ResourceField])[]) {
  const references = fields.flatMap(([key, field]) => (field.kind === 'reference' ? [[key, field.to] as const] : []))
  const referred = useQueries({ queries: references.map(([, to]) => referredOf(to)) })
  return (key: string, value: unknown): string => {
    const field = fields.find(([name]) => name === key)?.[1] as ResourceField
    const at = references.findIndex(([name]) => name === key)
    const name = referred[at]?.data?.find(({ id }) => id === value)?.name
    return name ?? kindOf(field).toText(value, field, { zone: timeZone() })
  }
}

type Row = { id: number } & Readonly<Record<string, unknown>>

/**
 * List and form of a plain table, drawn from its description: search and open row in the address, pages by cursor.
 * `locked` says why somebody who may write in general may not change this row.
 */
export function ResourceScreen({
  resource,
  locked = () => null,
}: {
  resource: Resource
  locked?: (row: Row) => string | null
}) {
  const { spec, ops, changed } = resource
  const [url, setUrl] = useUrlState()
  const mayWrite = useMay()(spec.can.write)
  const fields = Object.entries<ResourceField>(spec.fields)
  const filters = fields.filter(([, field]) => field.filter)
  const names = filters.flatMap(([key, field]) => filterNames(key, field))
  const query = {
    searchParam: url.busca,
    sort: url.ordem,
    down: url.desce,
    ...Object.fromEntries(names.map((name) => [name, url[name]?.split(',')])),
  }
  const list = useList(ops.list, (page) => page.items as Row[], query as object, [changed])
  const { shown, move } = useOrder(resource, list.rows)
  const texts = useTexts(fields)
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const [importing, setImporting] = useState(false)
  const word = spec.singular.toLowerCase()
  const isFeminine = spec.gender === 'f'
  const [article, one, other, none, first] = isFeminine
    ? ['a', t('Ela'), t('Nova'), t('Nenhuma'), t('Criar a primeira')]
    : ['o', t('Ele'), t('Novo'), t('Nenhum'), t('Criar o primeiro')]

  const isSorted = url.ordem !== undefined && url.ordem !== spec.order
  const listed = fields.filter(([, field], index) => field.inList ?? index < 4)
  const columns: Column<Row>[] = listed.map(([key, field]) => ({
    key,
    title: field.label,
    sortable: kindOf(field).sort !== undefined,
    numeric: field.kind === 'number' || field.kind === 'money' || field.kind === 'percent',
    cell: (row) =>
      field.kind === 'order' && mayWrite && !isSorted ? (
        <OrderHandle name={nameOf(row)} place={shown.indexOf(row)} onMove={(to) => void move(row.id, to)} />
      ) : row[key] === '' || row[key] === null ? null : isState(key) ? (
        <ActiveState isActive={row[key] === true} feminine={isFeminine} />
      ) : (
        <FieldCell field={field} value={row[key]} />
      ),
  }))
  const nameOf = (row: Row) => String(row[listed[0]?.[0] ?? 'id'])
  const open = (row: Row) => {
    const reason = locked(row)
    if (reason) notify({ id: 'locked', tone: 'info', title: reason })
    else setUrl({ id: row.id })
  }
  const remove = async (row: Row) => {
    const sure = await confirm({
      title: t('Excluir {article} {word} “{value}”?', { article, word, value: nameOf(row) }),
      text: t('{one} some das listas agora, e isto não pode ser desfeito.', { one }),
      action: t('Excluir {word}', { word }),
    })
    const name = { name: spec.singular }
    const done = isFeminine ? t('{name} excluída', name) : t('{name} excluído', name)
    const send = () => call(ops.remove, { params: { id: row.id } }, { quiet: true })
    if (sure) await attempt(send, done)
  }
  const chosen = list.rows.filter((row) => selected.has(row.id) && !locked(row))
  const removeAll = async () => {
    const count = plural(chosen.length, word, spec.title.toLowerCase())
    const sure = await confirm({
      title: t('Excluir {count}?', { count }),
      text: t('Somem das listas agora, e isto não pode ser desfeito.'),
      action: t('Excluir {count}', { count }),
    })
    if (!sure) return
    const refused: { row: Row; why: string }[] = []
    for (const row of chosen) {
      await call(ops.remove, { params: { id: row.id } }, { quiet: true }).catch((error: unknown) =>
        refused.push({ row, why: sentence(error) }),
      )
    }
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
  return (
    <ListScreen
      title={spec.title}
      words={[word, spec.title.toLowerCase()]}
      list={list}
      search={t('Buscar {title}', { title: spec.title.toLowerCase() })}
      empty={{
        title: `${none} ${word}`,
        text: mayWrite
          ? t('O que você criar em {title} aparece aqui.', { title: spec.title })
          : t('Peça a um administrador para criar.'),
      }}
      filters={
        filters.length > 0 &&
        filters.map(([key, field]) => <FieldFilter key={key} name={key} field={field} asked={url} onChange={setUrl} />)
      }
      filterNames={names}
      file={{
        name: `${spec.name}.csv`,
        most: 20_000,
        columns: fields.map(([key, { label }]) => [label, (row: Row) => texts(key, row[key])] as const),
      }}
      actions={
        mayWrite && (
          <Button variant="default" leftSection={<UploadIcon size={17} />} onClick={() => setImporting(true)}>
            {t('Importar')}
          </Button>
        )
      }
      add={mayWrite && { label: `${other} ${word}`, first, run: () => setUrl({ id: 'novo' }) }}
      table={{
        columns,
        rows: shown,
        rowKey: (row) => row.id,
        sort: { key: url.ordem ?? spec.order, down: url.desce !== undefined },
        onSort: ({ key, down }) => setUrl({ ordem: key, desce: down ? 'true' : undefined }),
        ...(mayWrite && {
          selected,
          onSelect: setSelected,
          onOpen: open,
          commands: (row: Row) =>
            locked(row)
              ? []
              : [
                  { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
                  {
                    id: 'remove',
                    label: t('Excluir…'),
                    icon: DeleteIcon,
                    tone: 'neg',
                    run: () => void remove(row),
                  },
                ],
        }),
      }}
    >
      <BulkBar
        count={chosen.length}
        commands={[{ id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void removeAll() }]}
        onClear={() => setSelected(new Set())}
      />
      {importing && (
        <Suspense>
          <ImportDialog resource={resource} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {mayWrite && url.id && (
        <ResourceForm key={url.id} resource={resource} id={url.id} onClose={() => setUrl({ id: undefined })} />
      )}
    </ListScreen>
  )
}

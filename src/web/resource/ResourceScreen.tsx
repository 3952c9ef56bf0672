import { Button } from '@mantine/core'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import type { Resource, ResourceField } from '#kit/resource.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { FieldCell } from '../fields/field.tsx'
import { useMay } from '../session/permissions.ts'
import { t } from '../t.ts'
import { notify } from '../ui/feedback/notify.tsx'
import { DeleteIcon, EditIcon, UploadIcon } from '../ui/icons.ts'
import { ActiveState } from '../ui/identity/badges.tsx'
import type { Command } from '../ui/layout/command.ts'
import type { Column } from '../ui/table/DataTable.tsx'
import { useUrlState } from '../url-state.ts'
import { ListScreen } from './ListScreen.tsx'
import { OrderHandle } from './OrderHandle.tsx'
import { ResourceForm } from './ResourceForm.tsx'
import { useOrder } from './use-order.ts'
import { useTable } from './use-table.tsx'

const ImportDialog = lazyPart(async () => (await import('./ImportDialog.tsx')).ImportDialog)

// Name of the state field of every record that can be switched off.
const isState = (key: string) => key === 'isActive'

/** Row of a plain table on its screen. */
export type Row = { id: number } & Readonly<Record<string, unknown>>

/** Props of a component that draws the rows in place of the table: query of the list, and commands of a row. */
export type Drawing = {
  readonly query: Readonly<Record<string, unknown>>
  readonly commands: (row: Row) => readonly Command[]
  readonly onOpen: (row: Row) => void
}

type Props = {
  resource: Resource
  locked?: (row: Row) => string | null
  onRefused?: (row: Row, error: unknown) => boolean
  /** Further actions on the list as a whole, shown unless it is empty. */
  actions?: ReactNode
  /** Controls that change the view. */
  view?: ReactNode
  /** Columns of a row beside its fields. */
  more?: readonly Column<Row>[]
  /** Replaces the form that is generated from the fields. */
  Form?: ComponentType<{ resource: Resource; id: string; onClose: () => void }>
  /** Further commands of a row. */
  commands?: (row: Row) => readonly Command[]
  /** Draws the rows in place of the table. */
  Instead?: ComponentType<Drawing> | undefined
}

/**
 * List and form of a plain table, generated from its description: search and open row in the address, pages by cursor.
 * `locked` returns why a user with write permission may not change this row; `onRefused` handles a refused removal (false: a
 * toast shows it).
 */
export function ResourceScreen(props: Props) {
  const { resource, locked = () => null, actions, view, more = [] } = props
  const { Form = ResourceForm, commands = () => [], Instead } = props
  const { spec } = resource
  const [url, setUrl] = useUrlState()
  const mayWrite = useMay()(spec.can.write)
  const { listed, nameOf, list, query, remove, bar, isSortable, screen, table } = useRows(props, mayWrite)
  const { shown, move } = useOrder({ arrange: resource.arrange, family: spec.name }, list.rows)
  const labels = labelsOf(spec)
  const isSorted = url.ordem !== undefined && url.ordem !== spec.order
  const arranged = mayWrite && !isSorted ? { shown, move, nameOf } : null
  const own = listed.map(([key, field]) => columnOf(spec, key, field, { isSortable: isSortable(key), arranged }))
  const open = (row: Row) => {
    const reason = locked(row)
    if (reason) notify({ id: 'locked', tone: 'info', title: reason })
    else setUrl({ id: row.id })
  }
  const commandsOf = (row: Row): readonly Command[] =>
    locked(row)
      ? []
      : [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
          ...commands(row),
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ]
  return (
    <ListScreen
      {...screen}
      view={view}
      empty={{
        title: labels.none,
        text: mayWrite
          ? t('O que você criar em {title} aparece aqui.', { title: spec.title })
          : t('Peça a um administrador para criar.'),
      }}
      actions={
        mayWrite && (
          <>
            {list.rows.length > 0 && actions}
            <ImportButton resource={resource} />
          </>
        )
      }
      add={mayWrite && { label: labels.other, first: labels.first, run: () => setUrl({ id: 'novo' }) }}
      table={{
        columns: [...own, ...more],
        rows: shown,
        ...table,
        ...(mayWrite && { onOpen: open, commands: commandsOf }),
      }}
      instead={Instead && <Instead query={query} commands={mayWrite ? commandsOf : () => []} onOpen={open} />}
    >
      {!Instead && bar}
      {mayWrite && url.id && (
        <Form key={url.id} resource={resource} id={url.id} onClose={() => setUrl({ id: undefined })} />
      )}
    </ListScreen>
  )
}

/** Returns the rows as a table, the fields that are its columns, and the names of rows. */
function useRows({ resource, locked = () => null, onRefused }: Props, mayWrite: boolean) {
  const { spec, ops, changed } = resource
  const fields = Object.entries<ResourceField>(spec.fields)
  const listed = fields.filter(([, field], index) => field.inList ?? index < 4)
  const nameOf = (row: Row) => String(row[listed[0]?.[0] ?? 'id'])
  const rows = useTable({
    spec,
    ops,
    rowsOf: (page) => page.items as Row[],
    live: [changed],
    nameOf,
    locked,
    mayWrite,
    ...(onRefused ? { onRefused } : {}),
  })
  return { ...rows, listed, nameOf }
}

function labelsOf(spec: Resource['spec']) {
  const word = spec.singular.toLowerCase()
  return spec.gender === 'f'
    ? { other: `${t('Nova')} ${word}`, none: `${t('Nenhuma')} ${word}`, first: t('Criar a primeira') }
    : { other: `${t('Novo')} ${word}`, none: `${t('Nenhum')} ${word}`, first: t('Criar o primeiro') }
}

/** Rows in their own order, and how one is moved in it. */
type Arranged = {
  shown: readonly Row[]
  move: ReturnType<typeof useOrder<Row>>['move']
  nameOf: (row: Row) => string
}

/** Returns the column of a field; that of the order moves rows while they are `arranged` by it. */
function columnOf(
  spec: Resource['spec'],
  key: string,
  field: ResourceField,
  { isSortable, arranged }: { isSortable: boolean; arranged: Arranged | null },
): Column<Row> {
  return {
    key,
    title: field.label,
    sortable: isSortable,
    numeric: field.kind === 'number' || field.kind === 'money' || field.kind === 'percent',
    cell: (row) => {
      if (field.kind === 'order' && arranged) {
        const { shown, move, nameOf } = arranged
        return <OrderHandle name={nameOf(row)} position={shown.indexOf(row)} onMove={(to) => void move(row.id, to)} />
      }
      if (row[key] === '' || row[key] === null) return null
      if (isState(key)) return <ActiveState isActive={row[key] === true} feminine={spec.gender === 'f'} />
      return <FieldCell field={field} value={row[key]} />
    },
  }
}

/** Button that opens the import of a file. */
function ImportButton({ resource }: { resource: Resource }) {
  const [importing, setImporting] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<UploadIcon size={17} />} onClick={() => setImporting(true)}>
        {t('Importar')}
      </Button>
      {importing && (
        <Suspense>
          <ImportDialog resource={resource} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}

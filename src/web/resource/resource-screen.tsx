import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Resource } from '#kit/resource.ts'
import { sentence } from '../api.ts'
import { call, pages, queryClient } from '../client.ts'
import { formatNumber } from '../format.ts'
import { on } from '../realtime.ts'
import { useMay } from '../standing.ts'
import { confirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AddIcon, DeleteIcon, EditIcon, ExportIcon } from '../ui/icons.ts'
import { notify } from '../ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { EmptyState, LoadError } from '../ui/states.tsx'
import { useUrlState } from '../url-state.ts'
import { csv, download } from './csv.ts'
import { readAll } from './read-all.ts'
import { FieldCell } from './resource-field.tsx'
import { ResourceForm } from './resource-form.tsx'
import { useNextPage } from './use-next-page.ts'

type Row = { id: number } & Readonly<Record<string, unknown>>

const exportLimit = 20_000

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
  const { spec, ops } = resource
  const [url, setUrl] = useUrlState()
  const mayWrite = useMay()(spec.can.write)
  const list = useInfiniteQuery(pages(ops.list, { query: { searchParam: url.busca } }))
  useEffect(
    () => on(resource.changed, () => void queryClient.invalidateQueries({ queryKey: [spec.name] })),
    [resource, spec.name],
  )
  const rows = (list.data?.pages.flatMap((page) => page.items) ?? []) as Row[]
  const first = list.data?.pages[0]
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const word = spec.singular.toLowerCase()
  const article = spec.gender === 'f' ? 'a' : 'o'
  const onEnd = useNextPage(list)

  const listed = Object.entries(spec.fields).filter(([, field], index) => field.inList ?? index < 4)
  const columns: Column<Row>[] = listed.map(([key, field]) => ({
    key,
    title: field.label,
    cell: (row) => (row[key] === '' ? null : <FieldCell field={field} value={row[key]} />),
  }))
  const nameOf = (row: Row) => String(row[listed[0]?.[0] ?? 'id'])

  const remove = async (row: Row) => {
    const sure = await confirm({
      title: `Excluir ${article} ${word} “${nameOf(row)}”?`,
      text: `${article === 'a' ? 'Ela' : 'Ele'} some das listas agora, e isto não pode ser desfeito.`,
      action: `Excluir ${word}`,
    })
    if (!sure) return
    try {
      await call(ops.remove, { params: { id: row.id } }, { quiet: true })
      notify({ tone: 'pos', title: `${spec.singular} ${article === 'a' ? 'excluída' : 'excluído'}` })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }

  const exportAll = async () => {
    try {
      const all = await readAll(async (cursor): Promise<{ rows: Row[]; nextCursor: string | null }> => {
        const query = { searchParam: url.busca, cursor }
        const page = await call(ops.list, { query }, { long: true, quiet: true })
        return { rows: page.items as Row[], nextCursor: page.nextCursor }
      }, exportLimit)
      const fields = Object.entries(spec.fields)
      download(
        `${spec.name}.csv`,
        csv(
          fields.map(([, field]) => field.label),
          all.map((row) => fields.map(([key]) => row[key])),
        ),
      )
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }

  return (
    <Page>
      <PageHead
        title={spec.title}
        facts={
          first &&
          `${formatNumber(first.count)}${first.countIsCapped ? '+' : ''} ${first.count === 1 ? word : spec.title.toLowerCase()}`
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<ExportIcon size={17} />}
              onClick={exportAll}
              disabled={rows.length === 0}
            >
              Exportar
            </Button>
            {mayWrite && (
              <Button leftSection={<AddIcon size={17} />} onClick={() => setUrl({ id: 'novo' })}>
                {article === 'a' ? 'Nova' : 'Novo'} {word}
              </Button>
            )}
          </>
        }
      />
      <FilterRow>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder={`Buscar ${spec.title.toLowerCase()}`} />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <Empty
          resource={resource}
          searching={Boolean(url.busca)}
          onClear={() => setUrl({ busca: undefined })}
          {...(mayWrite ? { onNew: () => setUrl({ id: 'novo' }) } : {})}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label={spec.title}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          onEnd={onEnd}
          {...(mayWrite
            ? {
                onOpen: (row: Row) => {
                  const reason = locked(row)
                  if (reason) notify({ id: 'locked', tone: 'info', title: reason })
                  else setUrl({ id: row.id })
                },
                commands: (row: Row) =>
                  locked(row)
                    ? []
                    : [
                        { id: 'edit', label: 'Editar', icon: EditIcon, run: () => setUrl({ id: row.id }) },
                        {
                          id: 'remove',
                          label: 'Excluir…',
                          icon: DeleteIcon,
                          tone: 'neg' as const,
                          run: () => void remove(row),
                        },
                      ],
              }
            : {})}
        />
      )}
      {mayWrite && url.id && (
        <ResourceForm key={url.id} resource={resource} id={url.id} onClose={() => setUrl({ id: undefined })} />
      )}
    </Page>
  )
}

function Empty(props: { resource: Resource; searching: boolean; onClear: () => void; onNew?: () => void }) {
  const { resource, searching, onClear, onNew } = props
  const { title, singular, gender } = resource.spec
  const [none, make] = gender === 'f' ? ['Nenhuma', 'Criar a primeira'] : ['Nenhum', 'Criar o primeiro']
  const word = singular.toLowerCase()
  if (searching) {
    return (
      <EmptyState
        title={`${none} ${word} com esse texto`}
        text="Confira o que foi digitado ou veja a lista inteira."
        step={{ label: 'Limpar filtros', run: onClear }}
      />
    )
  }
  return (
    <EmptyState
      title={`${none} ${word} ainda`}
      text={onNew ? `O que você criar em ${title} aparece aqui.` : 'Peça a um administrador para criar.'}
      {...(onNew ? { step: { label: make, run: onNew, icon: <AddIcon size={17} /> } } : {})}
    />
  )
}

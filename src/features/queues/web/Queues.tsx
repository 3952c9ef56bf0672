import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { call, pages, queryClient } from '#web/client.ts'
import { on } from '#web/realtime.ts'
import { csv, download } from '#web/resource/csv.ts'
import { readAll } from '#web/resource/read-all.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { useMay } from '#web/standing.ts'
import { plural } from '#web/t.ts'
import { Pill, Stage } from '#web/ui/bits.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { AddIcon, DeleteIcon, EditIcon, ExportIcon, HoursIcon, PersonIcon, TransferIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type QueueRow, queueEvents, queues } from '../contract.ts'
import { MoveTickets } from './MoveTickets.tsx'
import { QueueForm, type Section } from './QueueForm.tsx'

const exportLimit = 5000
const quiet = { quiet: true }

const columns: readonly Column<QueueRow>[] = [
  { key: 'queue', title: 'Nome da Fila', cell: (row) => <Stage name={row.queue} color={row.color} /> },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  {
    key: 'people',
    title: 'Pessoas',
    cell: (row) => (row.userCount === 0 ? null : plural(row.userCount, 'pessoa', 'pessoas')),
  },
  { key: 'hours', title: 'Horário', cell: (row) => (row.hasHours ? 'Próprio' : 'Da empresa') },
  {
    key: 'active',
    title: 'Ativo',
    cell: (row) => <Pill tone={row.isActive ? 'pos' : 'plain'}>{row.isActive ? 'Ativa' : 'Inativa'}</Pill>,
  },
]

/** The queues of the company: a drawer for name, people and hours; one that goes gives its tickets to another. */
export function Queues() {
  const [url, setUrl] = useUrlState()
  const [leaving, setLeaving] = useState<QueueRow | null>(null)
  const seesAll = useMay()('tickets:all')
  const list = useInfiniteQuery(pages(queues.list, { query: { searchParam: url.busca } }))
  useEffect(
    () => on(queueEvents.changed, () => void queryClient.invalidateQueries({ queryKey: [queues.list.family] })),
    [],
  )
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const first = list.data?.pages[0]
  const onEnd = useNextPage(list)
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const open = (id: number | string, secao?: Section) => setUrl({ id, secao })

  const remove = async (row: QueueRow) => {
    const sure = await confirm({
      title: `Excluir a fila “${row.queue}”?`,
      text: 'Ela some das listas e de quem trabalha nela, e isto não pode ser desfeito.',
      action: 'Excluir fila',
    })
    if (!sure) return
    try {
      await call(queues.remove, { params: { id: row.id } }, quiet)
      notify({ tone: 'pos', title: 'Fila excluída' })
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_QUEUE_TICKET_EXISTS' && seesAll) setLeaving(row)
      else notify({ tone: 'neg', title: sentence(error) })
    }
  }

  const save = async () => {
    try {
      const all = await readAll(async (cursor): Promise<{ rows: QueueRow[]; nextCursor: string | null }> => {
        const page = await call(queues.list, { query: { searchParam: url.busca, cursor } }, { long: true, quiet: true })
        return { rows: page.items, nextCursor: page.nextCursor }
      }, exportLimit)
      const cells = all.map((row) => [row.id, row.queue, row.color, row.userCount, row.hasHours, row.isActive])
      download('filas.csv', csv(['ID', 'Nome da Fila', 'Cor', 'Pessoas', 'Horário próprio', 'Ativo'], cells))
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }

  return (
    <Page>
      <PageHead
        title="Filas"
        facts={first && plural(first.count, 'fila', 'filas')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<ExportIcon size={17} />}
              disabled={rows.length === 0}
              onClick={save}
            >
              Exportar
            </Button>
            <Button leftSection={<AddIcon size={17} />} onClick={() => open('novo')}>
              Nova fila
            </Button>
          </>
        }
      />
      <FilterRow>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder="Buscar filas" />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess &&
        rows.length === 0 &&
        (url.busca ? (
          <EmptyState
            title="Nenhuma fila com esse texto"
            text="Confira o que foi digitado ou veja a lista inteira."
            step={{ label: 'Limpar filtros', run: () => setUrl({ busca: undefined }) }}
          />
        ) : (
          <EmptyState
            title="Nenhuma fila ainda"
            text="Filas separam o que espera por assunto, e dão a cada pessoa só o que é dela."
            step={{ label: 'Criar a primeira', run: () => open('novo'), icon: <AddIcon size={17} /> }}
          />
        ))}
      {rows.length > 0 && (
        <DataTable
          label="Filas"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          onEnd={onEnd}
          onOpen={(row) => open(row.id)}
          commands={(row) => [
            { id: 'edit', label: 'Editar', icon: EditIcon, run: () => open(row.id) },
            {
              id: 'people',
              label: 'Pessoas',
              icon: PersonIcon,
              when: () => seesAll,
              run: () => open(row.id, 'pessoas'),
            },
            { id: 'hours', label: 'Horário', icon: HoursIcon, run: () => open(row.id, 'horario') },
            {
              id: 'move',
              label: 'Mover atendimentos e excluir…',
              icon: TransferIcon,
              tone: 'neg',
              when: () => seesAll,
              run: () => setLeaving(row),
            },
            { id: 'remove', label: 'Excluir…', icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
          ]}
        />
      )}
      {url.id && (
        <QueueForm
          key={url.id}
          id={url.id}
          section={(['dados', 'pessoas', 'horario'] as const).find((one) => one === url.secao) ?? 'dados'}
          onSection={(secao) => setUrl({ secao })}
          onClose={() => setUrl({ id: undefined, secao: undefined })}
        />
      )}
      {leaving && <MoveTickets queue={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  )
}

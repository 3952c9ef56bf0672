import { useState } from 'react'
import { DISTRIBUTION_MODES } from '#domain/distribution/distribute.ts'
import { isApiError } from '#web/api.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { DeleteIcon, DistributeIcon, EditIcon, HoursIcon, PersonIcon, TransferIcon } from '#web/ui/icons.ts'
import { ActiveState, Stage } from '#web/ui/identity/badges.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { queueEvents, queues } from '../addresses.ts'
import type { QueueRow } from '../contract.ts'
import { queueTable } from '../table.ts'
import { MoveTickets } from './MoveTickets.tsx'
import { QueueForm, type Section } from './QueueForm.tsx'

const columns: readonly Column<QueueRow>[] = [
  {
    key: 'queue',
    title: t('Nome da Fila'),
    sortable: true,
    cell: (row) => <Stage name={row.queue} color={row.color} />,
  },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  {
    key: 'people',
    title: t('Pessoas'),
    cell: (row) => (row.userCount === 0 ? null : plural(row.userCount, 'pessoa', 'pessoas')),
  },
  {
    key: 'distribution',
    title: t('Distribuição'),
    cell: (row) => row.distribution && DISTRIBUTION_MODES[row.distribution],
  },
  { key: 'hours', title: t('Horário'), cell: (row) => (row.hasHours ? t('Próprio') : t('Da empresa')) },
  {
    key: 'isActive',
    title: t('Ativo'),
    sortable: true,
    cell: (row) => <ActiveState isActive={row.isActive} feminine />,
  },
]

const file: CsvFile<QueueRow> = {
  name: 'filas.csv',
  most: 5000,
  columns: [
    ['ID', (row) => row.id],
    [t('Nome da Fila'), (row) => row.queue],
    [t('Cor'), (row) => row.color],
    [t('Pessoas'), (row) => row.userCount],
    [t('Horário próprio'), (row) => row.hasHours],
    [t('Ativo'), (row) => row.isActive],
  ],
}

/** Page of the company's queues: drawer with name, users and hours; a removal moves the tickets to another queue. */
export function Queues() {
  const [url, setUrl] = useUrlState()
  const [leaving, setLeaving] = useState<QueueRow | null>(null)
  const may = useMay()
  const { remove, bar, screen, table } = useTable({
    spec: queueTable,
    ops: queues,
    rowsOf: (page) => page.items,
    live: [queueEvents.changed],
    nameOf: (row) => row.queue,
    loss: t('Ela some das listas e de quem trabalha nela, e isto não pode ser desfeito.'),
    onRefused(row, error) {
      const isHere = isApiError(error) && error.code === 'ERR_QUEUE_TICKET_EXISTS' && may('tickets:all')
      if (isHere) setLeaving(row)
      return isHere
    },
  })
  const open = (id: number | string, secao?: Section) => setUrl({ id, secao })

  return (
    <ListScreen
      {...screen}
      empty={{
        title: t('Nenhuma fila'),
        text: t('Filas separam o que espera por assunto, e dão a cada pessoa só o que é dela.'),
      }}
      file={file}
      add={{ label: t('Nova fila'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns,
        ...table,
        onOpen: (row) => open(row.id),
        commands: (row) => commandsOf(row, { may, open, onLeave: setLeaving, remove }),
      }}
    >
      {bar}
      {url.id && (
        <QueueForm
          key={url.id}
          id={url.id}
          section={
            (['dados', 'pessoas', 'horario', 'distribuicao', 'encerramento'] as const).find(
              (one) => one === url.secao,
            ) ?? 'dados'
          }
          onSection={(secao) => setUrl({ secao })}
          onClose={() => setUrl({ id: undefined, secao: undefined })}
        />
      )}
      {leaving && <MoveTickets queue={leaving} onClose={() => setLeaving(null)} />}
    </ListScreen>
  )
}

type Acts = {
  may: ReturnType<typeof useMay>
  open: (id: number, section?: Section) => void
  onLeave: (row: QueueRow) => void
  remove: (row: QueueRow) => Promise<void>
}

function commandsOf(row: QueueRow, acts: Acts): readonly Command[] {
  const { may, open, onLeave, remove } = acts
  const seesAll = may('tickets:all')
  const distributes = may('distribution:write')
  return [
    { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
    {
      id: 'people',
      label: t('Pessoas'),
      icon: PersonIcon,
      when: () => seesAll,
      run: () => open(row.id, 'pessoas'),
    },
    { id: 'hours', label: t('Horário'), icon: HoursIcon, run: () => open(row.id, 'horario') },
    {
      id: 'distribution',
      label: t('Distribuição'),
      icon: DistributeIcon,
      when: () => distributes,
      run: () => open(row.id, 'distribuicao'),
    },
    {
      id: 'move',
      label: t('Mover atendimentos e excluir…'),
      icon: TransferIcon,
      tone: 'neg',
      when: () => seesAll,
      run: () => onLeave(row),
    },
    { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
  ]
}

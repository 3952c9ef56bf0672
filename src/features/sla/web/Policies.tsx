import { formatSpan } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { positionColumn } from '#web/resource/position-column.tsx'
import { switchCommand } from '#web/resource/switch-command.ts'
import { useOrder } from '#web/resource/use-order.ts'
import { useTable } from '#web/resource/use-table.tsx'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { slaEvents, slaPolicies } from '../addresses.ts'
import type { SlaPolicy } from '../contract.ts'
import { slaTable } from '../table.ts'
import { PolicyForm } from './PolicyForm.tsx'

const ofConditions = ({ queues, connections, tags, wallets }: SlaPolicy): string => {
  const parts = (
    [
      [t('Filas'), queues],
      [t('Canais'), connections],
      [t('Etiquetas'), tags],
      [t('Carteiras'), wallets],
    ] as const
  ).flatMap(([label, all]) =>
    all.length === 0 ? [] : [`${label}: ${all.map(({ name }) => name ?? t('(excluído)')).join(', ')}`],
  )
  return parts.join(' · ') || t('Todos os atendimentos')
}
const span = (minutes: number | null): string | null => (minutes === null ? null : formatSpan(minutes * 60_000))

const columns: readonly Column<SlaPolicy>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => row.name },
  { key: 'for', title: t('Vale para'), cell: (row) => <span className="g-cut">{ofConditions(row)}</span> },
  { key: 'first', title: t('Primeira resposta'), cell: (row) => span(row.firstMinutes) },
  { key: 'next', title: t('Próximas'), cell: (row) => span(row.nextMinutes) },
  { key: 'solution', title: t('Solução'), cell: (row) => span(row.solutionMinutes) },
  {
    key: 'isActive',
    title: t('Situação'),
    cell: (row) => (row.isActive ? <Pill tone="pos">{t('Ligada')}</Pill> : <Pill tone="warn">{t('Desligada')}</Pill>),
  },
]

const FILE: CsvFile<SlaPolicy> = {
  name: 'sla.csv',
  most: 50,
  columns: [
    ['ID', (row) => row.id],
    [t('Nome'), (row) => row.name],
    [t('Vale para'), ofConditions],
    [t('Primeira resposta (minutos)'), (row) => row.firstMinutes ?? ''],
    [t('Próximas respostas (minutos)'), (row) => row.nextMinutes ?? ''],
    [t('Solução (minutos)'), (row) => row.solutionMinutes ?? ''],
    [t('Em risco a partir de (%)'), (row) => row.warnPercent],
    [t('Ligada'), (row) => (row.isActive ? t('Sim') : t('Não'))],
  ],
}

/** Page of the company's SLA policies; the first that matches applies to a ticket. */
export function Policies() {
  const [url, setUrl] = useUrlState()
  const mayWrite = useMay()('sla:write')
  const { list, remove, bar, screen, table } = useTable({
    spec: slaTable,
    ops: slaPolicies,
    rowsOf: (page) => page.items,
    live: [slaEvents.changed],
    nameOf: (row) => row.name,
    loss: t('Os atendimentos dela passam à próxima política que valer, com o tempo já contado.'),
  })
  const rows = list.rows
  const order = useOrder({ arrange: slaPolicies.arrange, family: slaPolicies.list.family }, rows)
  const isWhole = url.ordem === undefined && !url.busca && !url.isActive
  const open = (id: number | string) => setUrl({ id })
  return (
    <ListScreen
      {...screen}
      heading={t('Prazos (SLA)')}
      empty={{
        title: t('Nenhuma política de SLA'),
        text: t('Uma política diz em quanto tempo se responde e se resolve. O prazo aparece em cada atendimento.'),
      }}
      file={FILE}
      {...(mayWrite
        ? { add: { label: t('Nova política'), first: t('Criar a primeira'), run: () => open('novo') } }
        : {})}
      table={{
        columns: mayWrite ? [...columns, positionColumn(order, isWhole)] : columns,
        ...table,
        rows: order.shown,
        ...(mayWrite ? { onOpen: (row: SlaPolicy) => open(row.id) } : {}),
        commands: (row) =>
          mayWrite
            ? [
                { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
                switchCommand(slaPolicies.update, row, {
                  notices: { on: t('Política ligada'), off: t('Política desligada') },
                }),
                { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
              ]
            : [],
      }}
    >
      {mayWrite && bar}
      {mayWrite && url.id && <PolicyForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </ListScreen>
  )
}

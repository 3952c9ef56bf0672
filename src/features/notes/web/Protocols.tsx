import { messageEvents } from '#features/ledger/event-addresses.ts'
import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { ticketProtocols } from '../addresses.ts'
import type { ProtocolRow } from '../contract.ts'
import { dateColumn, ticketColumn, useWrittenFilter, WrittenList } from './written-list.tsx'

const columns: readonly Column<ProtocolRow>[] = [
  { key: 'protocol', title: t('Protocolo'), cell: (row) => <span className="g-num">{row.protocol}</span> },
  { key: 'contact', title: t('Contato'), cell: (row) => row.contactName },
  { key: 'user', title: t('Usuário'), cell: (row) => row.user?.name },
  ticketColumn(),
  dateColumn,
]

const file: CsvFile<ProtocolRow> = {
  name: 'protocolos.csv',
  most: 20_000,
  columns: [
    [t('Protocolo'), (row) => row.protocol],
    [t('Contato'), (row) => row.contactName],
    [t('Usuário'), (row) => row.user?.name],
    [t('Atendimento'), (row) => row.ticketId],
    [t('Data'), (row) => formatDateTime(row.timestamp)],
  ],
}

/** Page of protocol numbers sent to customers, in visible tickets. */
export function Protocols() {
  const live = [messageEvents.create]
  const list = useList(ticketProtocols.list, (page) => page.ticketProtocols, useWrittenFilter(), live)
  return (
    <WrittenList
      title={t('Protocolos')}
      nouns={[t('protocolo'), t('protocolos')]}
      list={list}
      columns={columns}
      search={t('Protocolo, contato ou atendimento')}
      empty={{
        title: t('Nenhum protocolo'),
        text: t('Os protocolos enviados aos clientes nas conversas aparecem aqui.'),
      }}
      file={file}
    />
  )
}

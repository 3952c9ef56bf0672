import { useState } from 'react'
import { formatBrazilian } from '#domain/phone/brazil.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { t } from '#web/t.ts'
import { DeleteIcon, EditIcon, SignalIcon } from '#web/ui/icons.ts'
import { ActiveState } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { voiceDevices } from '../addresses.ts'
import type { VoiceDevice } from '../contract.ts'
import { deviceTable } from '../table.ts'
import { DeviceDialog } from './DeviceDialog.tsx'
import { DeviceForm } from './DeviceForm.tsx'

const columns: readonly Column<VoiceDevice>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => row.name },
  {
    key: 'number',
    title: t('Número'),
    sortable: true,
    cell: ({ number }) => (number && (formatBrazilian(number) ?? number)) || '–',
  },
  { key: 'token', title: t('Token'), cell: (row) => row.wavoipToken },
  { key: 'isActive', title: t('Ativa'), sortable: true, cell: (row) => <ActiveState isActive={row.isActive} /> },
]

/** Screen of the company's voice devices: create, connect, update, remove. */
export function VoiceDevices() {
  const [url, setUrl] = useUrlState()
  const [shown, setShown] = useState<VoiceDevice | null>(null)
  const { remove, bar, screen, table } = useTable({
    spec: deviceTable,
    ops: voiceDevices,
    rowsOf: (page) => page.items,
    nameOf: (row) => row.name,
  })
  const open = (id: number | string) => setUrl({ id })
  return (
    <ListScreen
      {...screen}
      empty={{
        title: t('Nenhuma linha de voz'),
        text: t('Com um dispositivo da Wavoip, a equipe faz e atende ligações de WhatsApp aqui, pelo navegador.'),
      }}
      add={{ label: t('Nova linha'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns,
        ...table,
        onOpen: (row) => open(row.id),
        commands: (row) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
          { id: 'device', label: t('Conectar o telefone…'), icon: SignalIcon, run: () => setShown(row) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && <DeviceForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
      {shown && <DeviceDialog device={shown} onClose={() => setShown(null)} />}
    </ListScreen>
  )
}

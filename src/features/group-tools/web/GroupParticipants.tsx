import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { ExportMenu } from '#web/resource/ExportMenu.tsx'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { SearchField } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { groupTools } from '../addresses.ts'
import type { ToolGroup, ToolParticipant } from '../contract.ts'
import css from './groups.module.css'
import { ROLES } from './labels.ts'

const columns: readonly Column<ToolParticipant>[] = [
  {
    key: 'name',
    title: t('Nome'),
    cell: (row) => <NameCell name={row.name} detail={row.number ? formatPhone(row.number) : ''} />,
  },
  {
    key: 'role',
    title: t('Papel'),
    cell: (row) => <Pill tone={row.role === 'member' ? 'plain' : 'brand'}>{ROLES[row.role]}</Pill>,
  },
]

/** Maximum number of participants rendered at once; the search finds the others. */
const SHOWN = 200

/** Dialog with the present participants of a group, as read from its channel. */
export function GroupParticipants(props: { whatsappId: number; group: ToolGroup; onClose: () => void }) {
  const { whatsappId, group, onClose } = props
  const [search, setSearch] = useState('')
  const asked = { whatsappId, groupId: group.id }
  const { data, error, refetch } = useQuery({ ...query(groupTools.participants, { query: asked }), staleTime: 0 })
  const found = (data?.participants ?? []).filter(
    ({ name, number }) => folded(name).includes(folded(search)) || number?.includes(search.replace(/\D/g, '') || ' '),
  )
  return (
    <Drawer opened onClose={onClose} position="right" size={540} padding={24} title={group.name}>
      <div className={css.column}>
        {group.description && <p className={css.hint}>{group.description}</p>}
        <div className={css.tools}>
          <SearchField value={search} onChange={setSearch} placeholder={t('Buscar participante')} />
          <ExportMenu
            formats={['xlsx', 'csv']}
            file="participantes"
            done={t('Participantes exportados')}
            take={(format) =>
              call(
                groupTools.exportParticipants,
                { query: { whatsappId, format, groupIds: [group.id] } },
                { long: true, quiet: true },
              )
            }
          />
        </div>
        {!data && !error && <SkeletonRows kind="table" />}
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {data && (
          <DataTable
            label={t('Participantes')}
            rows={found.slice(0, SHOWN)}
            rowKey={(one) => one.identity || 'own'}
            columns={columns}
            onEnd={() => {}}
          />
        )}
        {found.length > SHOWN && (
          <p className={css.hint}>{t('Mostrando {count}: busque para ver os outros.', { count: String(SHOWN) })}</p>
        )}
      </div>
    </Drawer>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { formatBrazilian } from '#domain/phone/brazil.ts'
import { loadStatePill } from '#features/connections/web/index.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { EditIcon, UsersIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { companyChannels } from '../addresses.ts'
import type { CompanyChannel } from '../contract.ts'

const StatePill = lazyPart(loadStatePill)

const columns: readonly Column<CompanyChannel>[] = [
  {
    key: 'name',
    title: t('Canal'),
    cell: (row) => (
      <NameCell
        picture={<ChannelTile type={row.type} />}
        name={row.name}
        detail={[channelLook(row.type).name, row.isDefault && t('padrão')].filter(Boolean).join(' · ')}
        faded={!row.isTenantActive}
      />
    ),
  },
  {
    key: 'tenant',
    title: t('Empresa'),
    cell: (row) => (
      <>
        {row.tenantName} {!row.isTenantActive && <Pill>{t('Inativa')}</Pill>}
      </>
    ),
  },
  {
    key: 'status',
    title: t('Situação'),
    cell: (row) => (
      <Suspense>
        <StatePill row={row} />
      </Suspense>
    ),
  },
  { key: 'number', title: t('Número'), cell: ({ number }) => (number && (formatBrazilian(number) ?? number)) || '–' },
  { key: 'updated', title: t('Última atualização'), width: 160, cell: ({ updatedAt }) => formatDateTime(updatedAt) },
]

/** Filters of the list, by their names in the URL; the first shows all. */
const KINDS = [
  { key: undefined, total: 'all', label: t('Todos') },
  { key: 'connected', total: 'connected', label: t('Conectados') },
  { key: 'down', total: 'down', label: t('Fora do ar') },
] as const

/** Page of the channels of all companies: which are connected, and which are down. */
export function CompanyChannels() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const shown = KINDS.find(({ key }) => key === url.situacao)
  const list = useList(companyChannels.list, (page) => page.connections, {
    searchParam: url.busca,
    only: shown?.key,
  })
  const totals = list.first?.totals
  const open = (row: CompanyChannel) => void navigate({ to: '/tenants', search: { id: row.tenantId } })
  return (
    <ListScreen
      title={t('Canais das empresas')}
      nouns={[t('canal'), t('canais')]}
      list={list}
      search={t('Canal, empresa ou número')}
      filters={KINDS.map(({ key, total, label }) => (
        <FilterChip
          key={label}
          label={totals ? `${label} ${formatNumber(totals[total])}` : label}
          active={shown?.key === key}
          onClick={() => setUrl({ situacao: shown?.key === key ? undefined : key })}
        />
      ))}
      filterNames={['situacao']}
      empty={{ title: t('Nenhum canal'), text: t('Os canais que as empresas conectam aparecem aqui.') }}
      table={{
        columns,
        rowKey: (row) => `${row.tenantId}:${row.id}`,
        tall: true,
        onOpen: open,
        commands: (row) => [
          { id: 'company', label: t('Abrir a empresa'), icon: EditIcon, run: () => open(row) },
          {
            id: 'users',
            label: t('Usuários da empresa'),
            icon: UsersIcon,
            run: () => void navigate({ to: '/usuariotenants', search: { empresa: row.tenantId } }),
          },
        ],
      }}
    />
  )
}

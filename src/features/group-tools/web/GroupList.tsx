import { Button } from '@mantine/core'
import { useState } from 'react'
import type { GroupRole } from '#domain/groups/tools.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { ExportMenu } from '#web/resource/ExportMenu.tsx'
import { type List, useList } from '#web/resource/use-list.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, CopyIcon, RefreshIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { Card, Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { groupToolEvents, groupTools } from '../addresses.ts'
import type { ToolGroup } from '../contract.ts'
import { CreateGroups } from './CreateGroups.tsx'
import { ChannelChoice, refreshGroups, useChannel, useGroups } from './choices.tsx'
import { GroupJobs } from './GroupJobs.tsx'
import { GroupParticipants } from './GroupParticipants.tsx'
import css from './groups.module.css'
import { ROLES } from './labels.ts'

const columns: readonly Column<ToolGroup>[] = [
  { key: 'name', title: t('Grupo'), cell: (row) => <NameCell name={row.name} detail={row.id} /> },
  { key: 'size', title: t('Participantes'), numeric: true, cell: (row) => formatNumber(row.size) },
  {
    key: 'role',
    title: t('Nosso papel'),
    cell: (row) => row.role && <Pill tone={row.role === 'member' ? 'plain' : 'brand'}>{ROLES[row.role]}</Pill>,
  },
  {
    key: 'who',
    title: t('Quem escreve'),
    cell: (row) => (row.adminsOnly ? t('Só administradores') : t('Todos')),
  },
  {
    key: 'description',
    title: t('Descrição'),
    cell: (row) => row.description && <span className="g-cut">{row.description}</span>,
  },
]

const roles = Object.entries(ROLES).map(([id, name]) => ({ id: id as GroupRole, name }))

const copyIds = async (whatsappId: number) => {
  const answer = await attempt(() => call(groupTools.ids, { query: { whatsappId } }, { quiet: true }))
  if (!answer) return
  await navigator.clipboard.writeText(answer.groupIds.join('\n')).then(
    () =>
      notify({
        tone: 'pos',
        title: t('{count} na área de transferência', { count: plural(answer.groupIds.length, t('ID'), t('IDs')) }),
      }),
    () => notify({ tone: 'neg', title: t('O navegador não deixou copiar.') }),
  )
}

/** Page with the groups of a channel and the own number's role in each; creates many groups at once. */
export function GroupList() {
  const [whatsappId, setChannel] = useChannel()
  return whatsappId === null ? (
    <Page>
      <PageHeader title={t('Grupos e participantes')} />
      <EmptyState
        title={t('Nenhum canal com grupos')}
        text={t('Conecte um WhatsApp por QR Code em Canais: os grupos dele aparecem aqui.')}
      />
    </Page>
  ) : (
    <GroupsOf whatsappId={whatsappId} onChannel={setChannel} />
  )
}

function GroupsOf({ whatsappId, onChannel }: { whatsappId: number; onChannel: (id: number) => void }) {
  // Reads the groups of a channel that were never read.
  useGroups(whatsappId)
  const [search, setSearch] = useState('')
  const [role, setRole] = useState<readonly GroupRole[]>([])
  const [opened, setOpened] = useState<ToolGroup | null>(null)
  const [isCreating, setCreating] = useState(false)
  const filter = {
    whatsappId,
    ...(search ? { searchParam: search } : {}),
    ...(role.length > 0 ? { role: [...role] } : {}),
  }
  const list = useList(groupTools.list, (page) => page.groups, filter, [groupToolEvents.changed])
  const seenAt = list.first?.seenAt
  return (
    <Page>
      <PageHeader
        title={t('Grupos e participantes')}
        facts={seenAt ? t('Atualizado em {when}', { when: formatDateTime(seenAt) }) : undefined}
        actions={
          <>
            <ExportMenu
              formats={['xlsx', 'csv']}
              file="participantes"
              done={t('Participantes exportados')}
              take={(format) =>
                call(groupTools.exportParticipants, { query: { whatsappId, format } }, { long: true, quiet: true })
              }
            />
            <Button leftSection={<AddIcon size={17} />} onClick={() => setCreating(true)}>
              {t('Criar grupos em massa')}
            </Button>
          </>
        }
      />
      <div className={css.column}>
        <GroupTools
          whatsappId={whatsappId}
          onChannel={onChannel}
          search={search}
          setSearch={setSearch}
          role={role}
          setRole={setRole}
        />
        <GroupTable list={list} isFiltered={search !== '' || role.length > 0} onOpen={setOpened} />
        <GroupJobs kinds={['create']} />
      </div>
      {opened && <GroupParticipants whatsappId={whatsappId} group={opened} onClose={() => setOpened(null)} />}
      {isCreating && <CreateGroups whatsappId={whatsappId} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function GroupTable(props: { list: List<ToolGroup>; isFiltered: boolean; onOpen: (row: ToolGroup) => void }) {
  const { list, isFiltered, onOpen } = props
  return (
    <Card title={t('Grupos')} flush>
      {list.state === 'pending' && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {list.state === 'success' && list.rows.length === 0 && (
        <EmptyState
          title={isFiltered ? t('Nenhum grupo encontrado') : t('Nenhum grupo ainda')}
          text={
            isFiltered
              ? t('Mude a busca ou o filtro.')
              : t('Este canal não está em nenhum grupo, ou ainda não foi perguntado: use Atualizar.')
          }
        />
      )}
      {list.rows.length > 0 && (
        <DataTable
          label={t('Grupos')}
          rows={list.rows}
          rowKey={(row) => row.id}
          columns={columns}
          onEnd={list.onEnd}
          onOpen={onOpen}
        />
      )}
    </Card>
  )
}

function GroupTools(props: {
  whatsappId: number
  onChannel: (id: number) => void
  search: string
  setSearch: (next: string) => void
  role: readonly GroupRole[]
  setRole: (next: readonly GroupRole[]) => void
}) {
  const { whatsappId, onChannel, search, setSearch, role, setRole } = props
  const [isBusy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    const answer = await refreshGroups(whatsappId)
    if (answer)
      notify({
        tone: 'pos',
        title: t('{count} neste canal', { count: plural(answer.count, t('grupo'), t('grupos')) }),
      })
    setBusy(false)
  }
  return (
    <div className={css.tools}>
      <ChannelChoice value={whatsappId} onChange={onChannel} />
      <SearchField value={search} onChange={setSearch} placeholder={t('Buscar grupo')} />
      <ChoiceFilter label={t('Nosso papel')} options={roles} chosen={role} onChange={setRole} />
      <Button variant="default" leftSection={<RefreshIcon size={17} />} loading={isBusy} onClick={() => void refresh()}>
        {t('Atualizar')}
      </Button>
      <Button variant="default" leftSection={<CopyIcon size={17} />} onClick={() => void copyIds(whatsappId)}>
        {t('Copiar IDs')}
      </Button>
    </div>
  )
}

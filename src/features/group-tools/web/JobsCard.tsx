import { Drawer } from '@mantine/core'
import { useState } from 'react'
import type { GroupJobKind } from '#domain/groups/tools.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime, formatListTime, formatNumber } from '#web/format.ts'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { PauseIcon, PlayIcon, RefreshIcon, StopIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Usage } from '#web/ui/identity/Usage.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { groupJobs, groupToolEvents } from '../addresses.ts'
import type { GroupJob, GroupJobItem } from '../contract.ts'
import css from './groups.module.css'
import { KINDS, STATES, STATUSES } from './labels.ts'

const detailOf = ({ whatsappName, createdAt }: GroupJob): string => `${whatsappName} · ${formatDateTime(createdAt)}`

const columns: readonly Column<GroupJob>[] = [
  { key: 'kind', title: t('Tarefa'), cell: (row) => <NameCell name={KINDS[row.kind]} detail={detailOf(row)} /> },
  { key: 'summary', title: t('O quê'), cell: (row) => <span className="g-cut">{row.summary}</span> },
  {
    key: 'status',
    title: t('Status'),
    cell: (row) => <Pill tone={STATUSES[row.status].tone}>{STATUSES[row.status].label}</Pill>,
  },
  {
    key: 'reason',
    title: t('Situação'),
    cell: (row) => <span className="g-cut">{row.reason}</span>,
  },
  { key: 'done', title: t('Grupos'), cell: (row) => <Usage used={row.total - row.waiting} limit={row.total} /> },
  {
    key: 'failed',
    title: t('Falhas'),
    numeric: true,
    cell: (row) => formatNumber(row.failed + row.partial + row.uncertain),
  },
]

const itemColumns: readonly Column<GroupJobItem>[] = [
  { key: 'name', title: t('Grupo'), cell: (row) => <NameCell name={row.name} detail={row.groupId} /> },
  {
    key: 'state',
    title: t('Situação'),
    cell: (row) => (
      <div className={css.state}>
        <Pill tone={STATES[row.state].tone}>{STATES[row.state].label}</Pill>
        {row.reason && <span>{row.reason}</span>}
      </div>
    ),
  },
  { key: 'at', title: t('Hora'), numeric: true, cell: (row) => (row.at ? formatListTime(row.at) : null) },
]

const move = (name: 'pause' | 'resume' | 'cancel' | 'retry', id: number, done: string) =>
  attempt(() => call(groupJobs[name] as typeof groupJobs.pause, { params: { id } }, { quiet: true }), done)

const end = async ({ id, kind }: GroupJob) => {
  const sure = await confirm({
    title: t('Encerrar “{name}”?', { name: KINDS[kind] }),
    text: t('Os grupos que ainda esperam não mudam mais. O que já foi feito continua como está.'),
    action: t('Encerrar tarefa'),
  })
  if (sure) await move('cancel', id, t('Tarefa encerrada'))
}

const commandsOf = (row: GroupJob): readonly Command[] => [
  {
    ...{ id: 'pause', label: t('Pausar'), icon: PauseIcon, when: () => row.status === 'processing' },
    run: () => void move('pause', row.id, t('Tarefa pausada')),
  },
  {
    ...{ id: 'resume', label: t('Continuar'), icon: PlayIcon, when: () => row.status === 'paused' },
    run: () => void move('resume', row.id, t('A tarefa continua')),
  },
  {
    ...{ id: 'retry', label: t('Tentar de novo as falhas'), icon: RefreshIcon },
    when: () => row.status === 'completed' && row.failed + row.partial > 0,
    run: () => void move('retry', row.id, t('As falhas são tentadas de novo')),
  },
  {
    ...{ id: 'cancel', label: t('Encerrar…'), icon: StopIcon, tone: 'neg' as const },
    when: () => row.status === 'processing' || row.status === 'paused',
    run: () => void end(row),
  },
]

/** The jobs of some kinds, the newest first; each opens its groups. */
export function JobsCard({ kinds }: { kinds: readonly GroupJobKind[] }) {
  const list = useList(groupJobs.list, (page) => page.jobs, { kind: [...kinds] }, [groupToolEvents.changed])
  const [opened, setOpened] = useState<GroupJob | null>(null)
  return (
    <Card title={t('Tarefas')} flush>
      {list.state === 'pending' && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {list.state === 'success' && list.rows.length === 0 && (
        <EmptyState
          title={t('Nenhuma tarefa ainda')}
          text={t('O que você muda em grupos segue no servidor, um grupo de cada vez, e o andamento aparece aqui.')}
        />
      )}
      {list.rows.length > 0 && (
        <DataTable
          label={t('Tarefas')}
          rows={list.rows}
          rowKey={(row) => row.id}
          columns={columns}
          onEnd={list.onEnd}
          onOpen={setOpened}
          commands={commandsOf}
        />
      )}
      {opened && <JobItems row={opened} onClose={() => setOpened(null)} />}
    </Card>
  )
}

function JobItems({ row, onClose }: { row: GroupJob; onClose: () => void }) {
  const list = useList(groupJobs.items, (page) => page.items, {} as never, [groupToolEvents.changed], { id: row.id })
  return (
    <Drawer opened onClose={onClose} position="right" size={540} title={KINDS[row.kind]}>
      {list.state === 'pending' && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {list.state === 'success' && (
        <DataTable
          label={t('Grupos da tarefa')}
          rows={list.rows}
          rowKey={(one) => one.id}
          columns={itemColumns}
          onEnd={list.onEnd}
        />
      )}
    </Drawer>
  )
}

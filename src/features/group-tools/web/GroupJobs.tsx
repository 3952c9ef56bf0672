import { useState } from 'react'
import type { GroupJobKind } from '#domain/groups/tools.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime, formatListTime, formatNumber } from '#web/format.ts'
import { type JobMove, JobRows, JobsCard, jobCommands } from '#web/resource/jobs-card.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Usage } from '#web/ui/identity/Usage.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { groupJobs, groupToolEvents } from '../addresses.ts'
import type { GroupJob, GroupJobItem } from '../contract.ts'
import css from './groups.module.css'
import { KINDS, STATES, STATUSES } from './labels.ts'

const detailOf = ({ whatsappName, createdAt }: GroupJob): string => `${whatsappName} · ${formatDateTime(createdAt)}`

const columns: readonly Column<GroupJob>[] = [
  { key: 'kind', title: t('Tarefa'), cell: (row) => <NameCell name={KINDS[row.kind]} detail={detailOf(row)} /> },
  { key: 'summary', title: t('O quê'), cell: (row) => row.summary && <span className="g-cut">{row.summary}</span> },
  {
    key: 'status',
    title: t('Status'),
    cell: (row) => <Pill tone={STATUSES[row.status].tone}>{STATUSES[row.status].label}</Pill>,
  },
  {
    key: 'reason',
    title: t('Motivo'),
    cell: (row) => row.reason && <span className="g-cut">{row.reason}</span>,
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

const move = (name: JobMove, id: number, done: string) =>
  attempt(() => call(groupJobs[name], { params: { id } }, { quiet: true }), done)

const end = async ({ id, kind }: GroupJob) => {
  const sure = await confirm({
    title: t('Encerrar “{name}”?', { name: KINDS[kind] }),
    text: t('Os grupos que ainda esperam não mudam mais. O que já foi feito continua como está.'),
    action: t('Encerrar tarefa'),
  })
  if (sure) await move('cancel', id, t('Tarefa encerrada'))
}

const DONE: Readonly<Record<Exclude<JobMove, 'cancel'>, string>> = {
  pause: t('Tarefa pausada'),
  resume: t('A tarefa continua'),
  retry: t('As falhas são tentadas de novo'),
}

const commandsOf = (row: GroupJob): readonly Command[] =>
  jobCommands(
    {
      pause: row.status === 'processing',
      resume: row.status === 'paused',
      retry: row.status === 'completed' && row.failed + row.partial > 0,
      cancel: row.status === 'processing' || row.status === 'paused',
    },
    (name) => void (name === 'cancel' ? end(row) : move(name, row.id, DONE[name])),
  )

/** List of the jobs of some kinds, newest first; each opens its groups. */
export function GroupJobs({ kinds }: { kinds: readonly GroupJobKind[] }) {
  const list = useList(groupJobs.list, (page) => page.jobs, { kind: [...kinds] }, [groupToolEvents.changed])
  const [opened, setOpened] = useState<GroupJob | null>(null)
  return (
    <>
      <JobsCard
        list={list}
        label={t('Tarefas')}
        columns={columns}
        empty={{
          title: t('Nenhuma tarefa ainda'),
          text: t('O que você muda em grupos segue no servidor, um grupo de cada vez, e o andamento aparece aqui.'),
        }}
        onOpen={setOpened}
        commands={commandsOf}
      />
      {opened && <JobItems row={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function JobItems({ row, onClose }: { row: GroupJob; onClose: () => void }) {
  const list = useList(groupJobs.items, (page) => page.items, {}, [groupToolEvents.changed], { id: row.id })
  return (
    <JobRows
      list={list}
      label={t('Grupos da tarefa')}
      columns={itemColumns}
      title={KINDS[row.kind]}
      onClose={onClose}
    />
  )
}

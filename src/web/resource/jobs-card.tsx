import { Drawer } from '@mantine/core'
import { sentence } from '../api.ts'
import { t } from '../t.ts'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '../ui/feedback/states.tsx'
import { PauseIcon, PlayIcon, RefreshIcon, StopIcon } from '../ui/icons.ts'
import type { Command } from '../ui/layout/command.ts'
import { Card } from '../ui/layout/page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import type { List } from './use-list.ts'

type Identified = { readonly id: number }
type Table<Row> = { readonly list: List<Row>; readonly label: string; readonly columns: readonly Column<Row>[] }

/** Jobs that run on the server, the newest first, each with its commands. */
export function JobsCard<Row extends Identified>(
  props: Table<Row> & {
    empty: { title: string; text: string }
    onOpen: (row: Row) => void
    commands: (row: Row) => readonly Command[]
  },
) {
  const { list, label, empty, ...table } = props
  return (
    <Card title={label} flush>
      <ListState list={list} />
      {list.state === 'success' && list.rows.length === 0 && <EmptyState {...empty} />}
      {list.rows.length > 0 && (
        <DataTable label={label} rows={list.rows} rowKey={(row) => row.id} onEnd={list.onEnd} {...table} />
      )}
    </Card>
  )
}

/** Outcome of each row of a job, in a drawer. */
export function JobRows<Row extends Identified>(props: Table<Row> & { title: string; onClose: () => void }) {
  const { list, label, columns, title, onClose } = props
  return (
    <Drawer opened onClose={onClose} position="right" size={540} title={title}>
      <ListState list={list} />
      {list.state === 'success' && (
        <DataTable label={label} rows={list.rows} rowKey={(row) => row.id} columns={columns} onEnd={list.onEnd} />
      )}
    </Drawer>
  )
}

function ListState({ list }: { list: Pick<List<unknown>, 'state' | 'error' | 'retry'> }) {
  if (list.state === 'pending') return <SkeletonRows kind="table" />
  return list.state === 'error' ? <LoadError text={sentence(list.error)} retry={list.retry} /> : null
}

/** Command of a job. */
export type JobMove = 'pause' | 'resume' | 'retry' | 'cancel'

/** Returns the commands that a job's state permits; each calls `move`. */
export function jobCommands(can: Readonly<Record<JobMove, boolean>>, move: (name: JobMove) => void): Command[] {
  const all = [
    { id: 'pause', label: t('Pausar'), icon: PauseIcon },
    { id: 'resume', label: t('Continuar'), icon: PlayIcon },
    { id: 'retry', label: t('Tentar de novo as falhas'), icon: RefreshIcon },
    { id: 'cancel', label: t('Encerrar…'), icon: StopIcon, tone: 'neg' },
  ] as const
  return all.map((command) => ({ ...command, when: () => can[command.id], run: () => move(command.id) }))
}

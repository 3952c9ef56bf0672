import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { dayIn } from '#domain/calendar/local-time.ts'
import type { Resource } from '#kit/resource.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { timeZone } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { ResourceScreen, type Row } from '#web/resource/ResourceScreen.tsx'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CheckIcon, CopyIcon, KanbanIcon, ReopenIcon, TableIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { type Url, useUrlState } from '#web/url-state.ts'
import { tasks as at } from '../addresses.ts'
import type { Task } from '../tasks.ts'
import { About } from './About.tsx'
import { put } from './put.ts'
import { TaskForm } from './TaskForm.tsx'
import css from './tasks.module.css'

const TaskBoard = lazyPart(async () => (await import('./TaskBoard.tsx')).TaskBoard)

const taskOf = (row: Row) => row as unknown as Task

const isAbout = ({ ticketId, contactId, opportunityId }: Task): boolean =>
  (ticketId ?? contactId ?? opportunityId) !== null

const more: readonly Column<Row>[] = [
  {
    key: 'about',
    title: t('Sobre'),
    cell: (row) => isAbout(taskOf(row)) && <About task={taskOf(row)} />,
  },
]

const DAY_MS = 86_400_000
/** Returns the company's day in a number of days, `YYYY-MM-DD`. */
const dayAfter = (days: number): string => dayIn(timeZone(), Date.now() + days * DAY_MS)

type View = 'all' | 'today' | 'delayed' | 'week' | 'mine'
const OPEN = 'delayed,pending'
type Narrowed = Readonly<Record<'status' | 'ownerId' | 'limitDateFrom' | 'limitDateTo', string | undefined>>
const NOTHING: Narrowed = { status: undefined, ownerId: undefined, limitDateFrom: undefined, limitDateTo: undefined }

/** Returns the filters of each view, by the list's filter names. */
const viewsNow = (): Readonly<Record<View, Narrowed>> => ({
  all: NOTHING,
  mine: { ...NOTHING, status: OPEN, ownerId: String(viewer().userId) },
  today: { ...NOTHING, status: OPEN, limitDateFrom: dayAfter(0), limitDateTo: dayAfter(0) },
  delayed: { ...NOTHING, status: 'delayed' },
  week: { ...NOTHING, status: OPEN, limitDateFrom: dayAfter(0), limitDateTo: dayAfter(6) },
})

const names: readonly { value: View; label: string }[] = [
  { value: 'all', label: t('Todas') },
  { value: 'mine', label: t('Minhas') },
  { value: 'today', label: t('Hoje') },
  { value: 'delayed', label: t('Atrasadas') },
  { value: 'week', label: t('7 dias') },
]

function Shape({ name, icon }: { name: string; icon: ReactNode }) {
  return (
    <span className={css.shape} title={name}>
      {icon}
      <span className="g-hidden">{name}</span>
    </span>
  )
}

const shapes = [
  { value: 'lista', label: <Shape name={t('Lista')} icon={<TableIcon size={17} />} /> },
  { value: 'quadro', label: <Shape name={t('Quadro')} icon={<KanbanIcon size={17} />} /> },
]

const isBoard = (url: Url) => url.visao === 'quadro'

function Views() {
  const [url, setUrl] = useUrlState()
  const views = viewsNow()
  const shown = names.find(({ value }) =>
    Object.entries(views[value]).every(([name, wanted]) => (url[name] || undefined) === wanted),
  )
  return (
    <>
      <SegmentedControl
        aria-label={t('Quais tarefas')}
        data={[...names]}
        value={shown?.value ?? ''}
        onChange={(value) => setUrl(views[value as View])}
      />
      <SegmentedControl
        aria-label={t('Como mostrar')}
        data={shapes}
        value={isBoard(url) ? 'quadro' : 'lista'}
        onChange={(value) => setUrl({ visao: value === 'quadro' ? value : undefined })}
      />
    </>
  )
}

const done = async (asked: Promise<unknown>, title: string) => {
  try {
    await asked
    notify({ tone: 'pos', title })
  } catch (error) {
    notifyError(error)
  }
}

function commandsOf(row: Row): readonly Command[] {
  const { id, name, description, limitDate, ownerId, priority, comments, status } = taskOf(row)
  const { ticketId, contactId, opportunityId } = taskOf(row)
  const about = { ticketId, contactId, opportunityId }
  const copy = { name, description, limitDate, ownerId, priority, comments, ...about }
  return [
    status === 'finished'
      ? {
          id: 'reopen',
          label: t('Reabrir'),
          icon: ReopenIcon,
          run: () => void done(put(id, 'pending'), t('Tarefa reaberta')),
        }
      : {
          id: 'finish',
          label: t('Concluir'),
          icon: CheckIcon,
          run: () => void done(put(id, 'finished'), t('Tarefa concluída')),
        },
    {
      id: 'copy',
      label: t('Duplicar'),
      icon: CopyIcon,
      run: () => void done(call(at.create, { body: copy } as never, { quiet: true }), t('Tarefa duplicada')),
    },
  ]
}

/** Creates the page of tasks, as a list or board: today's, delayed, this week's. */
export const taskScreen = (resource: Resource) => () => {
  const [url] = useUrlState()
  const drawn = isBoard(url) ? { Instead: TaskBoard } : {}
  return (
    <ResourceScreen resource={resource} view={<Views />} more={more} Form={TaskForm} commands={commandsOf} {...drawn} />
  )
}

import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { taskChanged, tasks } from '#features/tasks/addresses.ts'
import type { Task } from '#features/tasks/tasks.ts'
import { loadTaskForm } from '#features/tasks/web/index.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call, pages } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useLive } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, CheckIcon, ReopenIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './funnel.module.css'

const TaskForm = lazyPart(loadTaskForm)

const put = ({ id, status }: Task) => {
  const [next, done] =
    status === 'finished'
      ? (['pending', t('Tarefa reaberta')] as const)
      : (['finished', t('Tarefa concluída')] as const)
  const body = { status: next }
  return attempt(() => call(tasks.update, { params: { id }, body }, { quiet: true }), done)
}

/** Visible tasks of an opportunity, earliest first: complete, open, add. */
export function CardTasks({ opportunityId }: { opportunityId: number }) {
  const list = useInfiniteQuery(pages(tasks.list, { query: { opportunityId } } as never))
  useLive(tasks.list.family, [taskChanged])
  const [opened, setOpened] = useState<string | null>(null)
  const colleagues = useChoices('users')
  if (list.error) return <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />
  if (!list.data) return <SkeletonRows kind="table" rows={3} />
  const rows = list.data.pages.flatMap((page) => page.items)
  return (
    <>
      <div>
        <Button variant="default" leftSection={<AddIcon size={17} />} onClick={() => setOpened('novo')}>
          {t('Nova tarefa')}
        </Button>
      </div>
      {rows.length === 0 && <p className={css.note}>{t('Nenhuma tarefa nesta oportunidade ainda.')}</p>}
      <ul className={css.work} aria-label={t('Tarefas da oportunidade')}>
        {rows.map((task) => (
          <li key={task.id}>
            <span className={css.names}>
              <button type="button" onClick={() => setOpened(String(task.id))}>
                {task.name}
              </button>
              <small>
                {[
                  task.limitDate.split('-').reverse().join('/'),
                  colleagues.find(({ id }) => id === task.ownerId)?.name ?? t('Sem responsável'),
                ].join(' · ')}
              </small>
            </span>
            {task.status === 'delayed' && <Pill tone="neg">{t('Atrasada')}</Pill>}
            {task.status === 'finished' && <Pill tone="pos">{t('Finalizada')}</Pill>}
            <IconButton
              aria-label={
                task.status === 'finished'
                  ? t('Reabrir {name}', { name: task.name })
                  : t('Concluir {name}', { name: task.name })
              }
              onClick={() => void put(task)}
            >
              {task.status === 'finished' ? <ReopenIcon size={17} /> : <CheckIcon size={17} />}
            </IconButton>
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
      <Suspense>
        {opened !== null && (
          <TaskForm key={opened} id={opened} about={{ opportunityId }} onClose={() => setOpened(null)} />
        )}
      </Suspense>
    </>
  )
}

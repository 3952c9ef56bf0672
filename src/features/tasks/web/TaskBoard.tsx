import { useCallback, useMemo, useRef } from 'react'
import { dayIn } from '#domain/calendar/local-time.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { BoardSkeleton } from '#web/board/board-column.tsx'
import { cardOf } from '#web/board/columns.ts'
import { DragBoard } from '#web/board/DragBoard.tsx'
import { useBoard } from '#web/board/use-board.ts'
import { timeZone } from '#web/format.ts'
import type { Drawing } from '#web/resource/ResourceScreen.tsx'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { type Card, sourceOf, stateOf } from './board-source.ts'
import { put } from './put.ts'
import { TaskCard } from './TaskCard.tsx'

/** Board of tasks by status, with the list's filters; dragging a task changes its status. */
export function TaskBoard({ query, commands, onOpen }: Drawing) {
  const key = JSON.stringify(query)
  const source = useMemo(() => sourceOf(JSON.parse(key)), [key])
  const board = useBoard(source)
  const { columns, error, read } = board
  const mayMove = useMay()('tasks:write')
  const today = dayIn(timeZone(), Date.now())
  // Cards render again when they change, not with every change of the screen's commands.
  const acts = useRef({ commands, onOpen })
  acts.current = { commands, onOpen }
  const draw = useCallback(
    (card: Card) => (
      <TaskCard
        task={card}
        today={today}
        commands={() => acts.current.commands(card)}
        onOpen={() => acts.current.onOpen(card)}
      />
    ),
    [today],
  )
  const onDrop = async (id: number, columnId: number | null, index: number) => {
    const card = cardOf(columns ?? [], id)
    const to = stateOf(columnId)
    if (!card || !to || card.status === to) return
    const { name, status } = card
    if (status !== 'finished' && to !== 'finished')
      return notify({
        ...{ id: 'task day', tone: 'info', title: t('{name} ficou onde estava', { name }) },
        text: t('É a data limite que faz uma tarefa ficar atrasada ou pendente. Mude a data da tarefa.'),
      })
    if (!(await board.drop(id, columnId, index))) return
    notify({
      ...{ tone: 'pos', title: to === 'finished' ? t('{name}: concluída', { name }) : t('{name}: reaberta', { name }) },
      action: { label: t('Desfazer'), run: () => void attempt(() => put(id, status)) },
    })
  }
  if (error) return <LoadError text={sentence(error)} retry={() => void read()} />
  if (!columns) return <BoardSkeleton />
  return (
    <DragBoard label={t('Tarefas por status')} {...{ columns, mayMove, draw }} board={{ ...board, drop: onDrop }} />
  )
}

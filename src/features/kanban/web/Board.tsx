import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { sentence } from '#web/api.ts'
import { BoardSkeleton } from '#web/board/board-column.tsx'
import { DragBoard } from '#web/board/DragBoard.tsx'
import { useBoard } from '#web/board/use-board.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { StagesIcon } from '#web/ui/icons.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { showsNobody, useBoardFilter } from './board-filter.ts'
import { Card } from './Card.tsx'
import { BoardFilter, BoardTabs, NobodyFound } from './filter.tsx'
import { type Card as Row, sourceOf } from './source.ts'

const StageDialog = lazyPart(async () => (await import('./StageDialog.tsx')).StageDialog)

/** Board with a column of contacts for each stage; moves by drag or keyboard, saved at once, updated live. */
export function Board() {
  const filter = useBoardFilter()
  const board = useBoard(useMemo(() => sourceOf(filter), [filter]))
  const { columns, error, read, move, remove } = board
  const may = useMay()
  const mayMove = may('contacts:write')
  const [choosing, setChoosing] = useState<Row | null>(null)
  const stages = (columns ?? []).flatMap(({ id, name }) => (id === null ? [] : [{ id, name }]))
  const draw = useCallback(
    (card: Row) => (
      <Card
        card={card}
        {...(mayMove && { onMove: () => setChoosing(card) })}
        {...(mayMove && card.columnId !== null && { onRemove: () => void remove(card) })}
      />
    ),
    [mayMove, remove],
  )
  return (
    <Page wide>
      <PageHeader
        title={t('Kanban')}
        facts={t('Os contatos por etapa; o que você move fica salvo na hora.')}
        actions={
          may('stages:write') && (
            <Button component={Link} {...{ to: '/lanes' }} variant="default" leftSection={<StagesIcon size={17} />}>
              {t('Etapas')}
            </Button>
          )
        }
      />
      <BoardTabs />
      <BoardFilter filter={filter} isRead={columns !== null} />
      {!columns && !error && <BoardSkeleton />}
      {error && <LoadError text={sentence(error)} retry={() => void read()} />}
      {columns && showsNobody(filter, columns) && <NobodyFound />}
      {columns && !showsNobody(filter, columns) && (
        <DragBoard label={t('Contatos por etapa')} {...{ columns, board, mayMove, draw }} />
      )}
      <Suspense>
        {choosing && (
          <StageDialog
            title={t('Mover {name}', { name: choosing.name })}
            action={t('Mover')}
            stages={stages.filter(({ id }) => id !== choosing.columnId)}
            onPick={async (kanban) => {
              await move(choosing, kanban, null)
            }}
            onClose={() => setChoosing(null)}
          />
        )}
      </Suspense>
    </Page>
  )
}

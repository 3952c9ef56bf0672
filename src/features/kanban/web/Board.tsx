import { DragDropContext, Draggable, Droppable, type DropResult, type ResponderProvided } from '@hello-pangea/dnd'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, Suspense, useState } from 'react'
import { sentence } from '#web/api.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { StagesIcon } from '#web/ui/icons.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { styleNonce } from '#web/ui/nonce.ts'
import type { Card as Row } from '../contract.ts'
import css from './board.module.css'
import { BoardColumn, BoardSkeleton, useMostCards } from './board-column.tsx'
import { showsNobody, useBoardFilter } from './board-filter.ts'
import { Card } from './Card.tsx'
import { type Column, cardOf } from './columns.ts'
import { BoardFilter, BoardTabs, NobodyFound } from './filter.tsx'
import { useBoard } from './use-board.ts'

const StageDialog = lazyPart(async () => (await import('./StageDialog.tsx')).StageDialog)

const howTo = t('Espaço pega o cartão, as setas o levam, Espaço o solta e Esc o devolve.')
const keyOf = (kanban: number | null) => String(kanban ?? 0)
const kanbanOf = (key: string) => Number(key) || null

// By keyboard a card can be taken to columns that are in sight alone: its own comes to the middle.
const showNeighbours = (id: string) =>
  document
    .querySelector(`[data-rfd-draggable-id="${id}"]`)
    ?.closest('section')
    ?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'instant' })

/** The board: a column of contacts for each stage, moved by hand or by keyboard, saved at once and live. */
export function Board() {
  const filter = useBoardFilter()
  const { columns, error, read, more, move, drop, remove, setDragging } = useBoard(filter)
  const may = useMay()
  const mayMove = may('contacts:write')
  const [choosing, setChoosing] = useState<Row | null>(null)
  const stages = (columns ?? []).flatMap(({ kanban, name }) => (kanban === null ? [] : [{ id: kanban, name }]))
  const spot = ({ droppableId, index }: { droppableId: string; index: number }) => ({
    name: columns?.find(({ kanban }) => keyOf(kanban) === droppableId)?.name ?? '',
    position: index + 1,
  })
  const nameOf = (id: string) => cardOf(columns ?? [], Number(id))?.name ?? ''

  const onDragEnd = ({ draggableId, source, destination }: DropResult, { announce }: ResponderProvided) => {
    setDragging(false)
    const stays = source.droppableId === destination?.droppableId
    if (!destination || (stays && (source.index === destination.index || !kanbanOf(source.droppableId))))
      return announce(t('{name} ficou onde estava.', { name: nameOf(draggableId) }))
    announce(t('{name} solto em {column}, posição {position}.', spotOf(draggableId, destination)))
    void drop(Number(draggableId), kanbanOf(destination.droppableId), destination.index)
  }
  const spotOf = (id: string, at: { droppableId: string; index: number }) => {
    const { name, position } = spot(at)
    return { name: nameOf(id), column: name, position }
  }

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
        <DragDropContext
          nonce={styleNonce()}
          dragHandleUsageInstructions={howTo}
          onBeforeCapture={({ draggableId, mode }) => {
            setDragging(true)
            if (mode === 'SNAP') showNeighbours(draggableId)
          }}
          onDragStart={({ draggableId, source }, { announce }) =>
            announce(t('{name} na mão, de {column}, posição {position}.', spotOf(draggableId, source)))
          }
          onDragUpdate={({ draggableId, destination }, { announce }) =>
            announce(
              destination
                ? t('{name} sobre {column}, posição {position}.', spotOf(draggableId, destination))
                : t('{name} fora das colunas.', { name: nameOf(draggableId) }),
            )
          }
          onDragEnd={onDragEnd}
        >
          <section className={css.board} data-canvas aria-label={t('Contatos por etapa')}>
            {columns.map((column) => (
              <DropColumn
                key={keyOf(column.kanban)}
                column={column}
                mayMove={mayMove}
                onMore={more}
                onMove={setChoosing}
                onRemove={remove}
              />
            ))}
          </section>
        </DragDropContext>
      )}
      <Suspense>
        {choosing && (
          <StageDialog
            title={t('Mover {name}', { name: choosing.name })}
            action={t('Mover')}
            stages={stages.filter(({ id }) => id !== choosing.kanban)}
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

type Acts = { onMove: (card: Row) => void; onRemove: (card: Row) => Promise<void> }

function DropColumn(
  props: { column: Column; mayMove: boolean; onMore: (kanban: number | null) => Promise<void> } & Acts,
) {
  const { column, mayMove, onMore, onMove, onRemove } = props
  const { kanban, contacts, name, color, count, countIsCapped, hasMore } = column
  const most = useMostCards()
  return (
    <Droppable droppableId={keyOf(kanban)} isDropDisabled={!mayMove}>
      {({ innerRef, droppableProps, placeholder }, { isDraggingOver }) => (
        <BoardColumn
          {...{ name, color, count, countIsCapped }}
          hasMore={hasMore && most >= contacts.length}
          isOver={isDraggingOver}
          onMore={() => onMore(kanban)}
        >
          <div ref={innerRef} {...droppableProps} className={css.cards}>
            <Cards {...{ contacts, most, mayMove, onMove, onRemove }} />
            {placeholder}
          </div>
        </BoardColumn>
      )}
    </Droppable>
  )
}

/** The first cards of a column: drawn anew only when they change, not while one is dragged over them. */
const Cards = memo(function Cards({
  contacts,
  most,
  mayMove,
  onMove,
  onRemove,
}: { contacts: readonly Row[]; most: number; mayMove: boolean } & Acts) {
  return contacts.slice(0, most).map((card, index) => (
    <Draggable key={card.id} draggableId={String(card.id)} index={index} isDragDisabled={!mayMove}>
      {({ innerRef, draggableProps, dragHandleProps }, { isDragging }) => (
        <article
          ref={innerRef}
          {...draggableProps}
          {...dragHandleProps}
          role="group"
          aria-roledescription={t('cartão')}
          aria-label={card.name}
          className={css.card}
          data-dragging={isDragging || undefined}
        >
          <Card
            card={card}
            {...(mayMove && { onMove: () => onMove(card) })}
            {...(mayMove && card.kanban !== null && { onRemove: () => void onRemove(card) })}
          />
        </article>
      )}
    </Draggable>
  ))
})

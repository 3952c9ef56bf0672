import { DragDropContext, Draggable, Droppable, type DropResult, type ResponderProvided } from '@hello-pangea/dnd'
import { memo, type ReactNode } from 'react'
import { t } from '#web/t.ts'
import { styleNonce } from '#web/ui/nonce.ts'
import css from './board.module.css'
import { BoardColumn, useMostCards } from './board-column.tsx'
import { type BoardCard, type Column, cardOf } from './columns.ts'
import type { useBoard } from './use-board.ts'

const howTo = t('Espaço pega o cartão, as setas o levam, Espaço o solta e Esc o devolve.')
const keyOf = (id: number | null) => String(id ?? 0)
const idOf = (key: string) => Number(key) || null

// By keyboard a card can be moved only to visible columns: scrolls its own to the middle.
const showNeighbours = (id: string) =>
  document
    .querySelector(`[data-rfd-draggable-id="${id}"]`)
    ?.closest('section')
    ?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'instant' })

type Draw<C> = (card: C) => ReactNode
type Above<C> = (column: Column<C>) => { readonly facts?: ReactNode; readonly tool?: ReactNode }

/**
 * Board with a column of cards each, moved by mouse, touch or keyboard and announced; `draw` has to be stable. `above`:
 * content above a column.
 */
export function DragBoard<C extends BoardCard>(props: {
  label: string
  columns: readonly Column<C>[]
  board: Pick<ReturnType<typeof useBoard<C>>, 'more' | 'setDragging'> & {
    readonly drop: (id: number, columnId: number | null, index: number) => Promise<unknown>
  }
  mayMove: boolean
  draw: Draw<C>
  above?: Above<C>
}) {
  const { label, columns, board, mayMove, draw, above } = props
  const nameOf = (id: string) => cardOf(columns, Number(id))?.name ?? ''
  const spotOf = (id: string, { droppableId, index }: { droppableId: string; index: number }) => {
    const column = columns.find((one) => keyOf(one.id) === droppableId)?.name ?? ''
    return { name: nameOf(id), column, position: index + 1 }
  }
  const onDragEnd = ({ draggableId, source, destination }: DropResult, { announce }: ResponderProvided) => {
    board.setDragging(false)
    const stays = source.droppableId === destination?.droppableId
    if (!destination || (stays && (source.index === destination.index || !idOf(source.droppableId))))
      return announce(t('{name} ficou onde estava.', { name: nameOf(draggableId) }))
    announce(t('{name} solto em {column}, posição {position}.', spotOf(draggableId, destination)))
    void board.drop(Number(draggableId), idOf(destination.droppableId), destination.index)
  }
  return (
    <DragDropContext
      nonce={styleNonce()}
      dragHandleUsageInstructions={howTo}
      onBeforeCapture={({ draggableId, mode }) => {
        board.setDragging(true)
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
      <section className={css.board} data-canvas aria-label={label}>
        {columns.map((column) => (
          <DropColumn key={keyOf(column.id)} {...{ column, mayMove, draw }} {...above?.(column)} onMore={board.more} />
        ))}
      </section>
    </DragDropContext>
  )
}

function DropColumn<C extends BoardCard>(props: {
  column: Column<C>
  mayMove: boolean
  draw: Draw<C>
  facts?: ReactNode
  tool?: ReactNode
  onMore: (id: number | null) => Promise<void>
}) {
  const { column, mayMove, draw, facts, tool, onMore } = props
  const { id, cards, name, color, count, countIsCapped, hasMore } = column
  const most = useMostCards()
  return (
    <Droppable droppableId={keyOf(id)} isDropDisabled={!mayMove}>
      {({ innerRef, droppableProps, placeholder }, { isDraggingOver }) => (
        <BoardColumn
          {...{ name, color, count, countIsCapped, facts, tool }}
          hasMore={hasMore && most >= cards.length}
          isOver={isDraggingOver}
          onMore={() => onMore(id)}
        >
          <div ref={innerRef} {...droppableProps} className={css.cards}>
            <Cards {...{ cards, most, mayMove }} draw={draw} />
            {placeholder}
          </div>
        </BoardColumn>
      )}
    </Droppable>
  )
}

/** First cards of a column: drawn again only when they change, not while a card is dragged over them. */
const Cards = memo(function Cards({
  cards,
  most,
  mayMove,
  draw,
}: {
  cards: readonly BoardCard[]
  most: number
  mayMove: boolean
  draw: Draw<never>
}) {
  return cards.slice(0, most).map((card, index) => (
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
          {draw(card as never)}
        </article>
      )}
    </Draggable>
  ))
})

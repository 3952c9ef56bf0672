import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysBetween } from '#domain/kanban/order.ts'
import { addPage, type BoardCard, type Column, moveCard, nextOf, refreshCards } from './columns.ts'

const cardOf = (id: number, columnId: number | null, order: string | null): BoardCard => ({
  ...{ id, columnId, order, name: `Cartão ${id}` },
})
const column = (
  id: number | null,
  ids: readonly number[],
  more: Partial<Column<BoardCard>> = {},
): Column<BoardCard> => {
  const keys = keysBetween(null, null, ids.length)
  const cards = ids.map((one, index) => cardOf(one, id, id === null ? null : keys[index]!))
  const page = { count: ids.length, countIsCapped: false, hasMore: false, nextCursor: null }
  return { id, name: `Coluna ${id}`, color: '#000000', cards, ...page, ...more }
}
const shown = (columns: readonly Column<BoardCard>[]) => columns.map(({ cards }) => cards.map(({ id }) => id))
const counts = (columns: readonly Column<BoardCard>[]) =>
  columns.map(({ id, count, countIsCapped }) => ({ id, count, countIsCapped }))

describe('a board', () => {
  it('moved at random shows what a plain model says, and so does one that only reads the keys', () => {
    const move = fc.record({ card: fc.integer({ min: 1, max: 9 }), to: fc.constantFrom(null, 1, 2), index: fc.nat(9) })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        let columns = [column(null, [9, 8, 7]), column(1, [1, 2, 3]), column(2, [4, 5, 6])]
        const start = columns
        const model = new Map<number | null, number[]>(columns.map((one) => [one.id, shown([one])[0]!]))
        for (const { card: id, to, index } of moves) {
          const card = columns.flatMap(({ cards }) => cards).find((one) => one.id === id)!
          const list = model.get(to)!
          const at = Math.min(index, list.filter((one) => one !== id).length)
          columns = moveCard(columns, card, to, at)
          model.set(
            card.columnId,
            model.get(card.columnId)!.filter((one) => one !== id),
          )
          model.get(to)!.splice(at, 0, id)
          if (to === null) model.get(null)!.sort((a, b) => b - a)
        }
        expect(shown(columns)).toEqual([...model.values()])
        expect(columns.map(({ count }) => count)).toEqual([...model.values()].map((list) => list.length))
        const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        const found = { cards: columns.flatMap(({ cards }) => cards).reverse(), columns: counts(columns) }
        expect(refreshCards(start, ids, found)).toEqual(columns)
      }),
      { numRuns: 60 },
    )
  })

  it('leaves out what stands further down than is loaded, and counts it', () => {
    const columns = [column(1, [1, 2], { hasMore: true, count: 60 })]
    const far = cardOf(9, 1, keysBetween(columns[0]!.cards[1]!.order, null, 1)[0]!)
    const after = refreshCards(columns, [9], {
      cards: [far],
      columns: [{ id: 1, count: 61, countIsCapped: false }],
    })
    expect([shown(after), after[0]!.count]).toEqual([[[1, 2]], 61])
  })

  it('adds a page once, whatever was moved meanwhile', () => {
    const [whole] = [column(1, [1, 2, 3, 4])]
    const first = { ...whole!, cards: [whole!.cards[0]!, whole!.cards[2]!], hasMore: true }
    const page = { ...whole!, cards: whole!.cards.slice(2) }
    expect(shown(addPage([first], 1, page))).toEqual([[1, 3, 4]])
    expect(nextOf([first], first.cards[0]!)).toBe(3)
    expect(nextOf([first], first.cards[1]!)).toBeNull()
  })
})

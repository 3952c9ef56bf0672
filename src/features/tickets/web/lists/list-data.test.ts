import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calm, insertSorted, type ListData, type Order, remove, withFirstPage, withNext } from './list-data.ts'

type Server = Map<number, { at: number; isIn: boolean }>

const orderOf =
  (server: Server): Order =>
  (a, b) =>
    (server.get(b)?.at ?? 0) - (server.get(a)?.at ?? 0) || b - a
const truth = (server: Server): number[] =>
  [...server]
    .filter(([, ticket]) => ticket.isIn)
    .map(([id]) => id)
    .sort(orderOf(server))
const page = (server: Server, after: number, size: number): ListData => {
  const ids = truth(server)
  const shown = ids.slice(after, after + size)
  return { ids: shown, cursor: after + size < ids.length ? String(shown.at(-1)) : null }
}

const change = fc.record({ id: fc.integer({ min: 1, max: 30 }), isIn: fc.boolean(), touches: fc.boolean() })

test('a loaded list and changes make the list as the server has it', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 60 }),
      fc.array(change, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      (past, future, size) => {
        const server: Server = new Map()
        const order = orderOf(server)
        let now = 0
        const apply = ({ id, isIn, touches }: (typeof past)[number]) => {
          now += 1
          const known = server.get(id)
          server.set(id, { at: touches || !known ? now : known.at, isIn })
        }
        for (const one of past) apply(one)
        let list = page(server, 0, size)
        for (const one of future) {
          apply(one)
          list = server.get(one.id)?.isIn ? insertSorted(list, one.id, order) : remove(list, one.id)
          const whole = truth(server)
          expect(list.ids).toEqual(whole.slice(0, list.ids.length))
          if (list.cursor === null) expect(list.ids).toEqual(whole)
        }
      },
    ),
  )
})

test('a list whose head is read again keeps what lies below', () => {
  const order: Order = (a, b) => b - a
  const list = { ids: [9, 8, 7, 6, 5], cursor: '5' }
  expect(withFirstPage(list, { ids: [10, 9, 7], cursor: '7' }, order, (id) => id !== 5)).toEqual({
    ids: [10, 9, 7, 6],
    cursor: '5',
  })
  expect(withFirstPage(list, { ids: [10, 9], cursor: null }, order, () => true)).toEqual({ ids: [10, 9], cursor: null })
  expect(withNext(list, { ids: [5, 4], cursor: null })).toEqual({ ids: [9, 8, 7, 6, 5, 4], cursor: null })
})

test('held, nothing moves: new tickets wait, those that left keep their place, the next page is added', () => {
  const before = [5, 4, 3]
  expect(calm(before, { ids: [9, 3, 8, 5, 2, 1], cursor: null }, true, null)).toEqual({
    ids: [5, 4, 3, 2, 1],
    waiting: 2,
  })
  expect(calm(before, { ids: [9, 3, 8, 5, 2, 1], cursor: null }, false, null)).toEqual({
    ids: [9, 3, 8, 5, 2, 1],
    waiting: 0,
  })
})

test('the open ticket keeps its place after it left the list', () => {
  expect(calm([5, 4, 3], { ids: [5, 3], cursor: null }, false, 4)).toEqual({ ids: [5, 4, 3], waiting: 0 })
  expect(calm([5, 4, 3], { ids: [5, 3], cursor: null }, false, 7)).toEqual({ ids: [5, 3], waiting: 0 })
})

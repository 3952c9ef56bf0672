import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { withProduct } from '#test/server.ts'
import { madeOnce, statementOf } from './statements.ts'

const product = withProduct()

it('a statement is built once, and answers by the values of each time', async () => {
  const { platform } = product()
  const tenantId = await make(platform).tenant()
  let built = 0
  const ask = (a: number, b: string | null) =>
    platform.db.read(tenantId, async (db) => {
      const statement = statementOf<{ a: number; b: string | null }, { n: number; b: string | null; own: number }>(
        db,
        ['a', 'b'],
        (values) => {
          built++
          return sql`select ${values.a}::int + ${values.a}::int as n, ${values.b}::text as b, ${7}::int as own`
        },
      )
      return [await statement(db, { a, b }), await statement(db, { a: a + 1, b: null })]
    })
  expect(await ask(1, 'x')).toEqual([[{ n: 2, b: 'x', own: 7 }], [{ n: 4, b: null, own: 7 }]])
  expect(built).toBe(1)
})

it('what is made for a shape is made again for another one, and for another owner', () => {
  const once = madeOnce<object>()
  const [one, other] = [{}, {}]
  const made = once(one, 'a', () => ({}))
  expect(once(one, 'a', () => ({}))).toBe(made)
  expect(once(one, 'b', () => ({}))).not.toBe(made)
  expect(once(other, 'a', () => ({}))).not.toBe(made)
})

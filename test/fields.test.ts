import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Field, KINDS, kindOf, schemaOf } from '#kit/fields/kinds.ts'
import '#server/db/db.ts'
import { createDatabase } from './server.ts'

const to = { table: 'tags', list: {} as never, name: 'tag' }
const fieldOf = (kind: Field['kind']): Field => ({
  kind,
  label: kind,
  options: { a: 'Alfa', b: 'Beta' },
  variables: {},
  to,
})

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: await createDatabase() })
  await client.connect()
})
afterAll(() => client.end())

describe.each(KINDS)('%s', (kind) => {
  const field = fieldOf(kind)
  const { column, read, stored = (value: unknown) => value, sort, empty, samples } = kindOf(field)
  const cast = read ? `::${read}` : ''
  const good = samples(field).good.map((value) => schemaOf(field).parse(value))

  test('comes back from a column of its kind as it went in', async () => {
    await client.query(`create temp table sample (id int generated always as identity, value ${column})`)
    for (const value of [...good, empty]) await client.query('insert into sample (value) values ($1)', [stored(value)])
    const { rows } = await client.query<{ value: unknown }>(`select value${cast} as value from sample order by id`)
    expect(rows.map(({ value }) => schemaOf(field).parse(value))).toEqual([...good, empty])
    await client.query('drop table sample')
  })

  test.runIf(sort?.last)('is put in order, null last', async () => {
    const { rows } = await client.query<{ isLast: boolean }>(
      `select value is null as "isLast" from unnest($1::${column}[]) value
       order by coalesce(value::${sort?.type}, '${sort?.last}'::${sort?.type})`,
      [[...good, null]],
    )
    expect(rows.map(({ isLast }) => isLast)).toEqual([...good.map(() => false), true])
  })
})

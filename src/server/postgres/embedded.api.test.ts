import pg from 'pg'
import { expect, inject, test } from 'vitest'

test('the owner is no superuser, may create databases and roles, and sorts the same on every machine', async () => {
  const client = new pg.Client(inject('postgresUrl'))
  await client.connect()
  try {
    const role = await client.query(
      'select rolsuper, rolcreatedb, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user',
    )
    expect(role.rows).toEqual([{ rolsuper: false, rolcreatedb: true, rolcreaterole: true, rolbypassrls: false }])
    const database = await client.query(
      'select datname, datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()',
    )
    expect(database.rows).toEqual([{ datname: 'guiche', datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' }])
    for (const extension of ['pg_trgm', 'unaccent', 'btree_gin'])
      await client.query(`create extension if not exists ${extension}`)
  } finally {
    await client.end()
  }
})

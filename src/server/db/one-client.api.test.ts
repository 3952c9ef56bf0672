import { afterAll, beforeAll, expect, test } from 'vitest'
import { asyncCache } from '#server/cache.ts'
import { createLog } from '#server/log.ts'
import { createDatabase, testSecrets } from '#test/server.ts'
import { type Database, openDatabase } from './db.ts'
import { databaseUrls } from './roles.ts'

const logged: string[] = []
const log = Object.assign(createLog({ LOG_LEVEL: 'silent' }), {
  error: (_: object, text: string) => void logged.push(text),
})
let strict: Database
let lenient: Database
const loads: string[] = []
const cache = asyncCache(async (key) => {
  loads.push(key)
  return key
})

beforeAll(async () => {
  const urls = databaseUrls(await createDatabase(), { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
  const now = () => new Date()
  const onSecondClient = (error: Error) => {
    throw error
  }
  strict = openDatabase(urls, { max: 2, log, now, onSecondClient })
  lenient = openDatabase(urls, { max: 4, log, now })
})
afterAll(() => Promise.all([strict.close(), lenient.close()]))

const HELD = 'while a client of the database is held'

test.each<[string, () => Promise<unknown>]>([
  ['a reader in a reader', () => strict.read(1, () => strict.read(1, async () => {}))],
  ['another company’s reader', () => strict.read(1, () => strict.read(2, async () => {}))],
  ['a unit of work in a reader', () => strict.read(1, () => strict.write(1, async () => {}))],
  ['the platform’s client in a unit of work', () => strict.write(1, () => strict.asPlatform(async () => {}))],
  ['a reader in the platform’s work', () => strict.asPlatform(() => strict.read(1, async () => {}))],
  ['a prepared statement', () => strict.read(1, () => strict.prepared(1, 'one', 'select 1', []))],
  ['a cache that would have to load', () => strict.write(1, () => cache.get('cold'))],
  [
    'a cache that happens to know',
    async () => {
      await cache.get('warm')
      await strict.read(1, () => cache.get('warm'))
    },
  ],
  [
    'what is only reached after something else',
    () => strict.read(1, () => Promise.resolve().then(() => cache.get('x'))),
  ],
])('%s is refused', async (_, nested) => {
  await expect(nested()).rejects.toThrow(HELD)
  expect(loads).not.toContain('cold')
})

test('one after the other is fine, and so is what a unit began and goes on after it', async () => {
  await strict.read(1, async () => {})
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  let later: Promise<string> | undefined
  await strict.write(1, async () => {
    later = end.then(() => cache.get('later'))
  })
  ended()
  expect(await later).toBe('later')
})

test('a cache can be looked into at any time', async () => {
  await cache.get('known')
  expect(await strict.read(1, async () => cache.peek('known'))).toBe('known')
})

test('in production it goes on, and each place in the code is logged once', async () => {
  const nested = () => lenient.read(1, () => lenient.read(1, async () => 'done'))
  for (let time = 0; time < 3; time++) expect(await nested()).toBe('done')
  expect(logged).toEqual(['a unit of work asks for a second client'])
})

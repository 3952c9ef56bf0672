import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('the files that answer a reader’s questions are there', () => {
  const rows = readFileSync(join(root, 'docs/reading.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| Wh'))
  expect(rows.length).toBeGreaterThanOrEqual(12)
  const named = rows.map((row) => [...row.matchAll(/`([\w-]+(?:\/[\w-]+)+\.tsx?)`/g)].map(([, file]) => file!))
  expect(named.filter((files) => files.length !== 2)).toEqual([])
  expect(named.flat().filter((file) => !existsSync(join(root, 'src', file)))).toEqual([])
})

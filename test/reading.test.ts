import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

const documents = globSync('{README.md,docs/**/*.md}', { cwd: root })

test.each(documents)('the files that %s links to are there', (document) => {
  const links = [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(
    ([, to]) => to!,
  )
  expect(links.filter((to) => !existsSync(join(root, dirname(document), to)))).toEqual([])
})

test('the paths that the architecture names are there', () => {
  const named = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').matchAll(/`((?:[\w-]+\/)+[\w-]+\.tsx?)`/g)
  const paths = [...named].map(([, path]) => path!).filter((path) => !path.includes('/X/'))
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)))).toEqual([])
})

test('README and architecture stay short', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(200)
  expect(readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').split(/\s+/).length).toBeLessThanOrEqual(1800)
})

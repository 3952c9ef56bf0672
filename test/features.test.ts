import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const features = readdirSync(join(root, 'src', 'features'))

test('the tests of a feature that does not exist are refused with the names of those that do', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', 'hours', 'horas', '--fast'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(`Não há funcionalidade "horas", "--fast": há ${features.join(', ')}.\n`)
})

test('every feature with screens has journeys, by the name of their file or by a tag that names it', () => {
  const files = globSync('test/browser/*.spec.ts', { cwd: root })
  const lines = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\btag: .*/g) ?? [])
  const tags = lines.flatMap((line) => [...line.matchAll(/'@([a-z-]+)'/g)].map(([, tag]) => tag!))
  expect(tags.filter((tag) => tag !== 'wide' && !features.includes(tag))).toEqual([])
  const covered = [...tags, ...files.map((file) => basename(file, '.spec.ts'))]
  const shown = features.filter((feature) => existsSync(join(root, 'src', 'features', feature, 'web')))
  expect(shown.length).toBeGreaterThan(10)
  expect(shown.filter((feature) => !covered.includes(feature))).toEqual([])
})

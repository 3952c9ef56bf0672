import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { drawn, testFiles, VARIANTS } from '../scripts/rounds.mjs'

const root = join(import.meta.dirname, '..')

/** The files of all projects, as this run or one on another day has them. */
async function listed(TEST_CLOCK_SHIFT_MS: string): Promise<{ file: string; projectName: string }[]> {
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json']
  const env = { ...process.env, TEST_CLOCK_SHIFT_MS }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env, maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

test('each file draws each variant once a week, and the variants get alike many', () => {
  const files = testFiles()
  const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2027, 0, 29 + day, 12)))
  for (const file of files) expect(new Set(week.map((day) => drawn(file, day))).size).toBe(VARIANTS.length)
  for (const variant of VARIANTS) {
    const share = files.filter((file) => drawn(file, week[0]!) === variant).length / files.length
    expect(share * VARIANTS.length).toBeGreaterThan(0.6)
  }
})

test('each file runs at a commit or in a round; on another day everything but what breaks processes and databases', async () => {
  const [today, tomorrow] = await Promise.all([listed(''), listed('1')])
  const inProjects = (list: typeof today, which: (name: string) => boolean) =>
    list.filter(({ projectName }) => which(projectName)).map(({ file }) => file.slice(root.length + 1))
  const isDrawn = (name: string) => name === 'wide-unit' || name === 'wide-api'
  const whole = inProjects(today, (name) => !isDrawn(name))
  expect([...new Set(whole)].sort()).toEqual(testFiles().sort())
  const atCommit = inProjects(today, (name) => name === 'unit' || name === 'api')
  const breaking = atCommit.filter((file) => /test\/(crash\/|database-faults)/.test(file))
  expect(breaking.length).toBeGreaterThan(0)
  for (const which of [(name: string) => name === 'unit' || name === 'api', isDrawn]) {
    const moved = inProjects(tomorrow, which)
    expect(atCommit.filter((file) => !moved.includes(file)).sort()).toEqual(breaking.sort())
  }
})

test('few files start a product of their own, instead of sharing the worker’s', () => {
  const own = testFiles()
    .filter((file) => !/\.wide\.test|^test\/lifecycle\//.test(file))
    .filter((file) => /\b(ownProduct|startProduct|startDemo)\(/.test(readFileSync(join(root, file), 'utf8')))
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(64)
})

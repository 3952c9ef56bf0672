import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('each limit of the table stands in its file, and a test proves it', () => {
  const rows = readFileSync(join(root, 'docs/limits.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Input|---) \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.length).toBeGreaterThanOrEqual(25)
  const bare = (cell = '') => cell.replaceAll('`', '')
  const wrong = rows.filter(([, , limit = '', , said, proof]) => {
    const [file, test] = [join(root, bare(said)), join(root, bare(proof))]
    const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const constants = [...limit.matchAll(/`([^`]+)`/g)].map(([, constant]) => constant!)
    return !existsSync(test) || !constants.every((constant) => source.includes(constant))
  })
  expect(wrong.map(([, input]) => input)).toEqual([])
})

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/decisions')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

const NAME = String.raw`(?:[AB]\d{1,2}|0\d{3})\b`
const LIST = new RegExp(String.raw`\bdecisions? (${NAME}(?:(?:, and |, | and | to |–)${NAME})*)`, 'gi')

/** The decisions that a text cites: `0022`, `B21`, each of a list behind the word, in capitals. */
function citedIn(text: string): string[] {
  const joined = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ')
  const lists = [...joined.matchAll(LIST)].map(([, list = '']) => list)
  return lists.flatMap((list) => list.match(new RegExp(NAME, 'gi')) ?? []).map((name) => name.toUpperCase())
}

const index = textOf('docs/decisions/README.md')
const subjects = readdirSync(folder).filter((name) => /^[a-z].*\.md$/.test(name) && name !== 'readings.md')
const rows = index.matchAll(/^\| (0\d{3}) \| \[[^\]]+\]\(([\w-]+\.md)\) \|$/gm)
const table = new Map([...rows].map(([, number = '', file = '']) => [number, file]))
const readings = new Set(
  [...textOf('docs/decisions/readings.md').matchAll(/^\| ([AB]\d+) \|/gm)].map(([, name]) => name),
)

test('a citation is found across lines and in lists', () => {
  const text = '/** So it is (decision\n * 0120). */\n// As decisions A3–A5, and decisions 0041 and B6, say.'
  expect(citedIn(text)).toEqual(['0120', 'A3', 'A5', '0041', 'B6'])
})

test('every decision that code or documents cite is there', () => {
  const files = globSync('{src,test,bench,scripts,db,docs}/**/*.{ts,tsx,mjs,css,sql,md}', { cwd: root })
  expect(files.length).toBeGreaterThan(1000)
  const numbered = new Set(readdirSync(folder).map((name) => name.slice(0, 4)))
  const isThere = (name: string) => table.has(name) || readings.has(name) || numbered.has(name)
  const cited = [...files, 'README.md'].flatMap((file) => citedIn(textOf(file)).map((name) => ({ file, name })))
  expect(cited.length).toBeGreaterThan(100)
  expect(cited.filter(({ name }) => !isThere(name))).toEqual([])
})

test('the table of numbers leads to files, and both lists have every subject', () => {
  expect(table.size).toBeGreaterThan(150)
  expect([...table.values()].filter((file) => !existsSync(join(folder, file)))).toEqual([])
  const named = new Set(table.values())
  expect(subjects.filter((name) => !named.has(name) || !index.includes(`](${name})\n`))).toEqual([])
})

test.each(subjects)('%s has context, decision and consequences', (name) => {
  const heads = [...textOf(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map(([, head]) => head)
  const parts = ['Context', 'Decision', 'Consequences']
  expect(heads.filter((head = '') => parts.includes(head))).toEqual(parts)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { functionsOf, parse, unheldPromises } from './unawaited-promises.ts'

const root = join(import.meta.dirname, '..')
const known = functionsOf([
  parse(
    'known.ts',
    'async function ask(what) {}; function choose(what) { return ask(what.id) }; const names = (all) => all.map(String)',
  ),
])
const foundIn = (source: string) => unheldPromises(parse('a.ts', source), [], known).map(({ text }) => text)

test.each([
  ['await Promise.all([ask(db), ask(names(all))])', 'names(all)'],
  ['await Promise.all([ask(db), choose(db)])', 'choose(db)'],
  ['await Promise.all([ask(db), ask(all.map((one) => one.id))])', 'all.map((one) => one.id)'],
  ['await Promise.race([isNew ? ask(db) : null, ask({ ids: [names(all)] })])', 'names(all)'],
  ['async function work() { const asked = ask(db); await ask(other); return asked }', 'asked = ask(db)'],
])('a promise that is started before what may throw is found: %s', (source, text) =>
  expect(foundIn(source)).toEqual([text]),
)

test.each([
  'await Promise.all([ask(names(all)), ask(db)])',
  'const ids = names(all); await Promise.all([ask(db), ask(ids)])',
  'await Promise.all([ask(db), (async () => names(all))()])',
  "await Promise.all([ask(db), import('node:fs'), new Promise((done) => names(done))])",
  "await Promise.all([ask(db), db.selectFrom('users').where('id', '=', id).execute()])",
  'async function work() { const asked = ask(db); asked.catch(() => {}); await ask(other); return asked }',
  'async function names(all) {}; await Promise.all([ask(db), names(all)])',
])('one that is held is left alone: %s', (source) => expect(foundIn(source)).toEqual([]))

test('every promise of the server is held before anything else may throw', () => {
  const files = globSync('src/{server,features/*/server,providers,domain,kit}/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.*'],
  })
  expect(files.length).toBeGreaterThan(900)
  const trees = files.map((file) => parse(file, readFileSync(join(root, file), 'utf8')))
  const functions = functionsOf(trees)
  const starting = trees.filter(({ text }) => /Promise\.\w+\(|^ *const \w+ = \w+\(/m.test(text))
  const found = starting.flatMap((tree) =>
    unheldPromises(tree, trees, functions).map(({ line, text }) => `${tree.fileName}:${line} ${text}`),
  )
  expect(
    found,
    'what is evaluated behind a promise that was started may throw: first everything else, or `async`',
  ).toEqual([])
})

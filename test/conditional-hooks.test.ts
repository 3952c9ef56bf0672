import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** A hook behind `||`, `&&`, `??` (with `=` too) or `?` runs on some renders alone, and React ends the screen; a query's options name none. */
const CONDITIONAL = /(?:(?:\|\||&&|\?\?)=?| \?) ?\(?(?:\w+\.use|use[A-Z]\w*)\(/

test('no hook is called on a condition', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (CONDITIONAL.test(line) && !/^\s*(?:\*|\/\/)/.test(line) ? [`${file}:${at + 1}`] : [])),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(found).toEqual([])
})

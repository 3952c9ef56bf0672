import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..', '..')
const read = (pattern: string) =>
  globSync(pattern, { cwd: src }).map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
const sheets = read('**/*.css').map(([file, text]) => [file, text.replace(/\/\*.*?\*\//gs, '')] as const)
const code = read('**/*.{ts,tsx}')

/** Returns the prelude of each `{` of a sheet, without the statements before it. */
const preludes = (sheet: string): string[] => [...sheet.matchAll(/([^{}]*)\{/g)].map(([, text = '']) => text.trim())

test('a sheet is whole: every brace is closed, no declaration stands in a selector, no list has a hole', () => {
  const broken = sheets.flatMap(([file, sheet]) => {
    const isOpen = sheet.split('{').length !== sheet.split('}').length
    const wrong = preludes(sheet.replace(/@(import|layer)[^;{]*;/g, '')).filter((text, index, all) => {
      const own = text.split(';').at(-1)?.trim() ?? ''
      const isNested = text.includes(';') && index > 0 && /^[&@.:[]/.test(own)
      return (text.includes(';') && !isNested) || /,\s*(,|$)|^\s*,|\n\s*\n/.test(own) || all.length === 0
    })
    return [...(isOpen ? [`${file}: braces`] : []), ...wrong.map((text) => `${file}: ${text}`)]
  })
  expect(broken).toEqual([])
})

test('a list over several components of Mantine names one part of them', () => {
  const mixed = sheets.flatMap(([file, sheet]) =>
    preludes(sheet)
      .filter((text) => {
        const named = [...text.matchAll(/\.mantine-([A-Za-z]+)-([A-Za-z]+)/g)]
        const count = (at: 1 | 2) => new Set(named.map((one) => one[at])).size
        return text.includes(',') && count(1) > 1 && count(2) > 1
      })
      .map((text) => `${file}: ${text}`),
  )
  expect(mixed).toEqual([])
})

test('a class that a component takes from its sheet is there', () => {
  const missing = code.flatMap(([file, text]) =>
    [...text.matchAll(/import (\w+) from '[^']*?([\w-]+\.module\.css)'/g)].flatMap(([, name, sheet = '']) => {
      const candidates = sheets.filter(([path]) => basename(path) === sheet).map(([, css]) => css)
      const used = [...text.matchAll(new RegExp(`(?<![./'\\w-])${name}\\.(?!tsx?\\b)(\\w+)`, 'g'))].map(
        ([, one = '']) => one,
      )
      return used
        .filter((one) => !candidates.some((css) => new RegExp(`\\.${one}(?![\\w-])`).test(css)))
        .map((one) => `${file}: ${sheet} has no .${one}`)
    }),
  )
  expect(missing).toEqual([])
})

test('sizes come from the scales of tokens.css: only measures of single parts are raw, and they do not multiply', () => {
  const own = sheets.filter(([file]) => /^(web|features)\//.test(file) && !file.endsWith('tokens.css'))
  const raw = own.flatMap(([, sheet]) =>
    [...sheet.replace(/@(media|container)[^{]*/g, '').matchAll(/(?<![\w.#-])-?([\d.]+)px/g)].map(([, px]) =>
      Number(px),
    ),
  )
  const measures = [...new Set(raw.filter((px) => px > 1))].sort((a, b) => a - b)
  expect(measures.length).toBeLessThanOrEqual(42)
  // Text, corners, and what the scale of spaces reaches have no raw value at all.
  expect(measures.filter((px) => px >= 2 && px <= 28 && px !== 2.6)).toEqual([])
})

test('a token that a sheet uses is there, and one that is there is used', () => {
  const [, tokens = ''] = sheets.find(([file]) => file.endsWith('ui/tokens.css')) ?? []
  const made = new Set(
    [...tokens.matchAll(/(--g-(?:text|lh|space|h|r)-[\w-]+|--g-bar|--g-stroke):/g)].map(([, name]) => name),
  )
  const used = new Set(
    [...sheets.map(([, text]) => text), ...code.map(([, text]) => text)].flatMap((text) =>
      [...text.matchAll(/var\((--g-(?:text|lh|space|h|r)-[\w-]+|--g-bar|--g-stroke)\b/g)].map(([, name]) => name),
    ),
  )
  expect([...used].filter((name) => !made.has(name))).toEqual([])
  expect([...made].filter((name) => !used.has(name))).toEqual([])
})

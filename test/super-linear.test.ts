import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patternsIn, whySuperLinear } from './super-linear.ts'

const root = join(import.meta.dirname, '..')

/** Patterns with more than linear time, each with the reason why their input is short. */
const SHORT: Readonly<Record<string, string>> = {
  'src/domain/ratings/answer.ts /(?<=^|\\s)(\\S+) ?(?:\\/|de) ?(?:5|cinco)$/':
    'readAnswer reads no more than LONGEST letters',
  'src/providers/channels/webmail/addresses.ts /[^\\s@<>()",;]+@[^\\s@<>()",;]+\\.[^\\s@<>()",;]{2,}/':
    'cleanName cuts a name to MOST_NAME letters before it looks for an address',
}

/** Results of composed patterns; null for those made of words only. */
const BUILT: Readonly<Record<string, RegExp | null>> = {
  'src/domain/recurrence/rule.ts `^${WEEKDAY}(,${WEEKDAY}){0,6}$`': /^(?:MO|TU)(,(?:MO|TU)){0,6}$/,
  'src/domain/recurrence/rule.ts `^([1-5]|-1)${WEEKDAY}$`': /^([1-5]|-1)(?:MO|TU)$/,
  "src/features/messages/web/parts/rich-text.tsx longestFirst.join('|')": null,
  'src/features/push/contract.ts `^[\\\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`': /^[\w-]{87}=*$/,
  'src/providers/channels/file-in-answer.ts `"${field}"\\\\s*:\\\\s*"`': /"base64"\s*:\s*"/i,
  'src/providers/channels/webmail/bounce.ts `^${name}[ \\\\t]*:[ \\\\t]*(.*(?:\\\\r?\\\\n[ \\\\t].*)*)`':
    /^Action[ \t]*:[ \t]*(.*(?:\r?\n[ \t].*)*)/im,
  'src/providers/channels/webmail/invitation.ts `^${name}((?:;[^:\\\\r\\\\n\\\\u2028\\\\u2029]*)?):(.*)$`':
    /^SUMMARY((?:;[^:\r\n\u2028\u2029]*)?):(.*)$/im,
  "src/web/shell/screens.ts `^${route.replace(/\\/$/, '').replace(/\\$\\w+/g, '[^/]+')}$`":
    /^\/contatos\/[^/]+\/[^/]+$/,
}

test.each([
  '/\\s+$/',
  '/^(a+)+$/',
  '/^(?:a|a)*$/',
  '/<script\\b[^>]*>/',
  '/^(.*?)\\s*<([^<>]*)>$/s',
  '/^TEL[^:]*:/m',
  '/(?<=a\\s*)b/',
  '/x(?=.*y)/',
  '/(?:;[^:"]*(?:"[^"]*")?)*:/',
  '/before .* after/',
  '/\\S+@\\S+/',
  '/^(?:\\w|\\d)*$/',
  '/(?:a|ab|b)*c/',
])('%s takes more than linear time', (literal) => expect(whySuperLinear(literal)).not.toBeNull())

test.each([
  '/^\\s+|x+/g',
  '/\\s+/g',
  '/^\\s*(\\w+)\\s*:/',
  '/<[^<>]*>/g',
  '/(?:[^"\\\\]|\\\\.)*/y',
  '/^METHOD:(\\w+)/im',
  '/"(?:[^"\\\\]|\\\\.)*"?/g',
  '/[^\\s](?:.*[^\\s])?/g',
  '/a{1,40}b/',
])('%s takes linear time', (literal) => expect(whySuperLinear(literal)).toBeNull())

test('every pattern takes time in proportion to its text, or its text is known to be short', {
  timeout: 300_000,
}, () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] })
  const seen = new Set<string>()
  const judged = new Map<string, string | null>()
  const bad = files.flatMap((file) =>
    patternsIn(file, readFileSync(join(root, file), 'utf8')).flatMap(({ line, literal, written }) => {
      const name = `${file} ${written}`
      seen.add(name)
      if (Object.hasOwn(SHORT, name) || (literal === null && BUILT[name] === null)) return []
      const read = literal ?? BUILT[name]?.toString()
      if (read === undefined) return [`${file}:${line} ${written}: say in BUILT what it becomes`]
      if (!judged.has(read)) judged.set(read, whySuperLinear(read))
      const why = judged.get(read)
      return why ? [`${file}:${line} ${read}: ${why}`] : []
    }),
  )
  expect(judged.size).toBeGreaterThan(400)
  expect(bad).toEqual([])
  expect([...Object.keys(SHORT), ...Object.keys(BUILT)].filter((name) => !seen.has(name))).toEqual([])
})

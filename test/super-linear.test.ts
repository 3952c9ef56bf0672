import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { numberProblem } from '#domain/contacts/import-row.ts'
import { readCard } from '#domain/contacts/vcard.ts'
import { bareSubject, MAIL_ADDRESS, peopleTyped } from '#domain/messages/mail.ts'
import { parseText } from '#domain/messages/rich-text.ts'
import { renderTemplate, withoutGaps } from '#domain/messages/template.ts'
import { readAnswer } from '#domain/ratings/answer.ts'
import { isCloseKeyword } from '#domain/tickets/close-keywords.ts'
import { plain } from '#providers/channels/hub/mail-text.ts'
import { formattedOf } from '#providers/channels/webmail/clean.ts'
import { textOfInvitation } from '#providers/channels/webmail/invitation.ts'
import { respelled } from '#providers/channels/whatsapp-spelling.ts'
import { cleanName } from '#server/file-kind.ts'
import { readCsv } from '#web/resource/csv.ts'
import { matches } from '#widget/frame/mask.ts'
import { pieces } from '#widget/frame/text.ts'
import { patternsIn, whySuperLinear } from './super-linear.ts'

const root = join(import.meta.dirname, '..')

/** Patterns that take more than linear time, each with what keeps the text short that they meet. */
const SHORT: Readonly<Record<string, string>> = {
  'src/domain/ratings/answer.ts /(?<=^|\\s)(\\S+) ?(?:\\/|de) ?(?:5|cinco)$/':
    'readAnswer reads no more than LONGEST letters',
  'src/providers/channels/webmail/addresses.ts /[^\\s@<>()",;]+@[^\\s@<>()",;]+\\.[^\\s@<>()",;]{2,}/':
    'cleanName cuts a name to MOST_NAME letters before it looks for an address',
}

/** What patterns that are put together become; null for those that are made of words alone. */
const BUILT: Readonly<Record<string, RegExp | null>> = {
  'src/domain/recurrence/recurrence.ts `^${WEEKDAY}(,${WEEKDAY}){0,6}$`': /^(?:MO|TU)(,(?:MO|TU)){0,6}$/,
  'src/domain/recurrence/recurrence.ts `^([1-5]|-1)${WEEKDAY}$`': /^([1-5]|-1)(?:MO|TU)$/,
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

type Read = (times: number) => unknown
const card = (line: string) => readCard(['FN:a', ...line.split('\n')])
const spelled = (name: string) => respelled({ [name]: 1 })

/** What strangers write, by how often: each was, or would be, slow by the square of it. */
test.each<[string, Read]>([
  [
    'a greeting behind lines',
    (n) => renderTemplate(`x${'\n'.repeat(n)}${'a{{greeting}}'.repeat(n / 10)}`, { greeting: 'oi' }),
  ],
  ['greetings apart by marks', (n) => renderTemplate('{{greeting}}***'.repeat(n), { greeting: 'oi' })],
  ['a withheld name', (n) => withoutGaps(`${' '.repeat(n)}a`)],
  ['a property of a card', (n) => card(`TEL${';'.repeat(n)}`)],
  ['quotes in a card', (n) => card(`TEL${';x="a"'.repeat(n)}`)],
  ['broken lines of a card', (n) => card(`NOTE;QUOTED-PRINTABLE:a=\n${'b=\n'.repeat(n)}`)],
  ['a closing word', (n) => isCloseKeyword(`${'.'.repeat(n)}a`, ['fim'])],
  ['a rating', (n) => readAnswer(`${'!'.repeat(n)}a`, [])],
  ['a name of a file', (n) => cleanName(`${'.'.repeat(n)}a${'.'.repeat(n)}a`)],
  ['a subject', (n) => bareSubject('re: '.repeat(n))],
  ['receivers', (n) => peopleTyped(`${' '.repeat(n)}<${' "'.repeat(n)}`)],
  ['an address', (n) => MAIL_ADDRESS.test(`a@${'a.'.repeat(n)} `)],
  ['a number', (n) => numberProblem('1 '.repeat(n))],
  ['capitals', (n) => spelled(`${'A'.repeat(n)}a`)],
  ['an address with a sentence behind it', (n) => parseText(`https://a${'!'.repeat(n)}`)],
  ...[' *a', '_a ', 'a.', 'a@a.', 'www.', '*_~', '`', '```', 'http://a_ ', '@Ana '].map((part): [string, Read] => [
    `a text of ${JSON.stringify(part)}`,
    (n) => parseText(part.repeat(n), ['Ana']),
  ]),
  ['marks that never end, in the widget', (n) => pieces(' *a'.repeat(n))],
  ['marks within marks, in the widget', (n) => pieces(`${'*_'.repeat(n)}a${'_*'.repeat(n)}`)],
  ['a path of a site', (n) => matches('*a*a*a*b', `https://loja.com/${'a'.repeat(n)}`)],
  ['a cell in quotes', (n) => readCsv('"'.repeat(n * 2 + 1))],
  ['tags of a mail', (n) => plain('<'.repeat(n))],
  ['scripts of a mail', (n) => plain('<script>'.repeat(n))],
  ['a border in a mail', (n) => formattedOf(`<p style="border:1px${' '.repeat(n)}(">a</p>`, [])],
  ['an invitation', (n) => textOfInvitation(`BEGIN:VEVENT\n${'\u2028SUMMARY;'.repeat(n)}`)],
])('%s: four times as long takes about four times as long', (_, read) => {
  const took = (times: number): number => {
    const began = process.cpuUsage().user
    read(times)
    return process.cpuUsage().user - began
  }
  // What takes no time to speak of is measured with more; what else runs on the machine disturbs a try, not each of them.
  let size = 20_000
  while (took(size) < 4000 && size < 300_000) size *= 2
  const ratios: number[] = []
  while (ratios.length < 6 && !ratios.some((ratio) => ratio < 8))
    ratios.push(took(size * 4) / Math.max(took(size), 1000))
  expect(Math.min(...ratios)).toBeLessThan(8)
})

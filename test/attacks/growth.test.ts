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

type Read = (times: number) => unknown
const card = (line: string) => readCard(['FN:a', ...line.split('\n')])
const spelled = (name: string) => respelled({ [name]: 1 })

/** Inputs of strangers, by number of repetitions: each took, or would take, quadratic time. */
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
  // Fast readers are measured with larger input; other load on the machine disturbs single attempts only.
  let size = 20_000
  while (took(size) < 4000 && size < 300_000) size *= 2
  const ratios: number[] = []
  while (ratios.length < 6 && !ratios.some((ratio) => ratio < 8))
    ratios.push(took(size * 4) / Math.max(took(size), 1000))
  expect(Math.min(...ratios)).toBeLessThan(8)
})

import { parseText } from '#domain/messages/rich-text.ts'
import { readPage } from '#features/ledger/server/links/page.ts'
import { formattedOf } from '#providers/channels/webmail/clean.ts'
import { readMail } from '#providers/channels/webmail/read-mail.ts'
import type { FrontEnd } from './front-end.ts'

// Messages have a tenth of them: they are never longer.
const LETTERS = 300_000
const ROUNDS = 3

const mail = (source: string) => readMail(Buffer.from(source, 'latin1'), { receivedAt: 0, own: [] })
const page = (html: string) =>
  readPage(Buffer.from(`<title>Cama</title>${html}`), { url: 'https://loja.test/', contentType: 'text/html' })

/** Input that is made to take long, by how often its part is repeated. */
const inputs: Readonly<Record<string, (letters: number) => unknown>> = {
  'page, deep': (n) => page('<b>'.repeat(n / 3)),
  'page, open brackets': (n) => page('<'.repeat(n)),
  'page, many attributes': (n) => page(`<meta ${'a=1 '.repeat(n / 4)}>`),
  'mail, header without an end': (n) => mail(`Subject: ${'<'.repeat(n)}\r\n\r\nOi`),
  'mail, quotations without an end': (n) => mail(`\r\n\r\n${'> '.repeat(n / 2)}`),
  'mail, an address without an end': (n) => mail(`\r\n\r\nx <${'@'.repeat(n)}:`),
  'mail, tags without an end': (n) => mail(`Content-Type: text/html\r\n\r\n${'<div>'.repeat(n / 5)}`),
  'formatted mail, deep': (n) => formattedOf('<div>'.repeat(n / 5), []),
  'message, words that may be addresses': (n) => parseText('a@a.'.repeat(n / 40), []),
  'message, marks that do not end': (n) => parseText('*_~'.repeat(n / 30), []),
}

/**
 * Measures by which factor the time of hostile input grows when its length doubles: two, unless the input is scanned
 * repeatedly.
 */
export async function measureHostile(): Promise<FrontEnd> {
  const figures: FrontEnd[number][] = []
  for (const [name, read] of Object.entries(inputs)) {
    await leastOf(read, LETTERS / 10)
    const value = (await leastOf(read, 2 * LETTERS)) / (await leastOf(read, LETTERS))
    figures.push({ key: 'hostile', name, value, unit: '×', goal: '≤ 3' })
  }
  return figures
}

async function leastOf(read: (letters: number) => unknown, letters: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    await read(letters)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

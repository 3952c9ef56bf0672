import { describe, expect, test } from 'vitest'
import { type MailCase, OWN } from '#test/mails/case.ts'
import { charsets } from '#test/mails/charsets.ts'
import { bounces, loops } from '#test/mails/machines.ts'
import { structures } from '#test/mails/parts.ts'
import { quotes } from '#test/mails/quotes.ts'
import { threads } from '#test/mails/threads.ts'
import { addressIn } from './addresses.ts'
import { readMail } from './read-mail.ts'

const RECEIVED = Date.parse('2026-11-20T13:00:05Z')
const read = (source: Uint8Array) => readMail(source, { receivedAt: RECEIVED, own: [OWN] })

async function expectToRead({ source, reads = {} }: MailCase): Promise<void> {
  const { from, files, bounce, ...wanted } = reads
  const mail = await read(source)
  expect(mail).toMatchObject(wanted)
  if (from !== undefined)
    expect(mail.from.name ? `${mail.from.name} <${mail.from.address}>` : mail.from.address).toBe(from)
  if (files) {
    const named = mail.files.map(({ name, bytes }, n) => (Array.isArray(files[n]) ? [name, bytes.length] : name))
    expect(named).toEqual(files)
  }
  if (bounce === null) expect(mail.bounce).toBeNull()
  else if (bounce) expect(mail.bounce).toMatchObject(bounce)
  // The result can be stored in a database, whatever the mail.
  expect(JSON.stringify([mail.id, mail.parents, mail.text, mail.quoted, mail.subject, mail.from])).not.toMatch(
    /\\u0000|\\ud[89a-f]/i,
  )
}

describe.each([
  ['encodings', charsets, 24],
  ['ids, senders and times', threads, 31],
  ['machines', loops, 19],
  ['bounces', bounces, 15],
  ['quotations', quotes, 16],
  ['parts', structures, 16],
] as const)('%s', (_, cases, most) => {
  test('are all there', () => expect(cases).toHaveLength(most))
  test.each(cases)('$name', expectToRead)
})

test('the same bytes without an id are the same mail, others are another', async () => {
  const [one, again, other] = await Promise.all(
    ['Oi', 'Oi', 'Olá'].map((text) => read(Buffer.from(`From: a@x.example\r\n\r\n${text}`))),
  )
  expect(again!.id).toBe(one!.id)
  expect(other!.id).not.toBe(one!.id)
})

test('a mail that cannot be read is told of, whatever its reading fails by', async () => {
  const failing = Object.assign(Buffer.from('From: a@x.example\r\n\r\nOi'), {
    indexOf() {
      throw new RangeError('too much')
    },
  })
  expect(await read(failing)).toMatchObject({
    ...{ id: expect.stringMatching(/@sem-id>$/), text: expect.stringContaining('não pôde ser lido') },
    ...{ from: { address: 'desconhecido@invalid' }, timestamp: RECEIVED, isAutomatic: true },
  })
})

test('an address is one that a database can be asked for', () => {
  expect(['a@x.example', 'a\0b@x.example', 'a@x\x07.example'].map(addressIn)).toEqual(['a@x.example', null, null])
})

/** Returns a mail of an HTML text and `count` parts that it may refer to. */
const manyParts = (count: number, html: string, type: string, content: string): string => {
  const part = (n: number) => `--b\r\nContent-Type: ${type}\r\nContent-ID: <c${n}@x>\r\n\r\n${content}${n}\r\n`
  const parts = Array.from({ length: count }, (_, n) => part(n)).join('')
  const begin = `Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n`
  return `${begin}${html}\r\n${parts}--b--\r\n`
}

test.each([
  ['a header without an end', `Subject: ${'<'.repeat(200_000)}\r\n\r\nOi`],
  ['ids without an end', `In-Reply-To: ${'<a '.repeat(60_000)}\r\n\r\nOi`],
  ['a word without an end', `From: mailer-daemon@x.example\r\nSubject: failure notice\r\n\r\n${'a'.repeat(400_000)}`],
  ['quotations without an end', `\r\n\r\n${'> '.repeat(100_000)}`],
  ['rows without an end', `\r\n\r\n${'De: a\n'.repeat(50_000)}`],
  ['empty rows without an end', `\r\n${'\r\n'.repeat(500_000)}`],
  ['spaces between two letters', `\r\n\r\na${' '.repeat(400_000)}b`],
  ['an address without an end', `\r\n\r\nx <${'@'.repeat(200_000)}:`],
  ['a sender of spaces', `\r\n\r\nDe:${' '.repeat(200_000)}\r\nx`],
  ['who wrote, without an end', `\r\n\r\nam aaaa ${'schrieb '.repeat(24)}${' '.repeat(400_000)}x:`],
  ['tags without an end', `Content-Type: text/html\r\n\r\n${'<div>'.repeat(1_000_000)}`],
  ['letters each in a tag of its own', `Content-Type: text/html\r\n\r\n${'a<i></i>'.repeat(150_000)}`],
  ['spaces by the million', `Content-Type: text/html\r\n\r\n<p>a${' '.repeat(12_000_000)}b</p>`],
  ['pictures without an end', manyParts(10_000, `<p>${'abc '.repeat(1_000_000)}`, 'image/png', 'x')],
  ['invitations without an end', manyParts(20_000, '', 'text/calendar', 'BEGIN:VEVENT\r\nSUMMARY:x')],
  ['spaces without an end', `Content-Type: text/html\r\n\r\n<p>${' \t'.repeat(100_000)}<br>`.repeat(2)],
  // Quadratic time would exceed the time-out of a test.
])('%s ends', async (_, source) => {
  expect(await read(Buffer.from(source, 'latin1'))).toBeDefined()
})

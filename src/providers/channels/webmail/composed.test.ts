import { Readable } from 'node:stream'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import type { MailAccount } from './account.ts'
import { compose } from './composed.ts'

const account = { from: 'contato@loja.example', fromName: 'Loja\r\nX-Nome: 1', replyTo: '', signature: '' }
const end = '\r\nX-Mais: 1\r\n\r\nOutro texto'
const file = { name: `nota.pdf"${end}`, mime: 'application/pdf', path: 'x' }

test('whatever stands in a subject, a name, an id or the name of a file begins no row of its own', async () => {
  const ana = { name: `Ana${end}`, address: 'ana@cliente.example' }
  const envelope = {
    ...{
      id: '<1@loja.example>',
      subject: `Oi${end}`,
      to: [ana],
      cc: [ana],
      bcc: [{ ...ana, address: 'bia@x.example' }],
    },
    ...{ inReplyTo: `<a${end}@x>`, references: [`<a${end}@x>`] },
  }
  const { bytes, copy } = await compose(
    { body: 'Segue', isAutomatic: false, files: [file] },
    envelope,
    account as MailAccount,
    { now: () => new Date(0), readFile: () => Readable.from([Buffer.from('%PDF')]) },
  )
  const read = await PostalMime.parse(bytes)
  expect(read.headers.map(({ key }) => key).sort()).toEqual([
    'cc',
    'content-type',
    'date',
    'from',
    'in-reply-to',
    'message-id',
    'mime-version',
    'references',
    'subject',
    'to',
  ])
  expect(read.text?.trim()).toBe('Segue')
  expect(read.attachments).toHaveLength(1)
  expect(bytes.toString()).not.toMatch(/^x-(mais|nome)|bia@x\.example/im)
  expect((await PostalMime.parse(copy)).bcc).toMatchObject([{ address: 'bia@x.example' }])
})

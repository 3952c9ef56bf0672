import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { MailInFile } from '#features/files/mail-file.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'

const product = withProduct()
let token: string
let ticketId: number
beforeAll(async () => {
  const made = make(product().platform)
  testChannel(product().platform)
  const tenantId = await made.tenant()
  const connection_id = await made.connection(tenantId, { type: 'test' })
  const agent = await made.user(tenantId, { profile: 'admin' })
  token = await made.token(agent)
  ticketId = await made.ticket(tenantId, { connection_id, channel: 'test', user_id: agent.id })
})

async function kept(name: string, bytes: string): Promise<string> {
  const form = new FormData()
  form.append('idFront', randomUUID())
  form.append('medias', new Blob([bytes]), name)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${product().address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
  return ((await reply.json()) as { messages: MessageRow[] }).messages[0]!.file!.url
}
const get = (path: string) => fetch(product().address + path)

const part = (type: string, name: string, text: string) =>
  [
    `--b\r\nContent-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n`,
    Buffer.from(text).toString('base64'),
  ].join('\r\n')
const mail = [
  'From: =?iso-8859-1?Q?Jo=E3o?= <joao@x.example>\r\nTo: lia@x.example\r\nSubject: Proposta',
  'Date: Fri, 20 Nov 2026 10:00:00 -0300\r\nMIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b\r\n',
  '--b\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n',
  '<p>Segue a proposta de manuten=E7=E3o.</p><script>alert(1)</script>',
  part('application/pdf', 'proposta.pdf', '%PDF-1.4 proposta'),
  part('application/octet-stream', 'fatura.exe', 'MZ'),
  '--b--',
].join('\r\n')

it('a mail that is kept as a file is opened as text, its attachments are downloads, and programs are refused', async () => {
  const url = await kept('Proposta original.eml', mail)
  const shown = (await (await get(`${url}/mail`)).json()) as MailInFile
  expect(shown).toEqual({
    ...{ subject: 'Proposta', from: { name: 'João', address: 'joao@x.example' } },
    ...{ to: [{ name: '', address: 'lia@x.example' }], cc: [], quoted: '' },
    ...{ text: 'Segue a proposta de manutenção.', writtenAt: Date.parse('2026-11-20T13:00:00Z') },
    files: [
      { name: 'proposta.pdf', size: 17, isTaken: true },
      { name: 'fatura.exe', size: 2, isTaken: false },
    ],
  })
  const pdf = await get(`${url}/mail/0`)
  expect([pdf.headers.get('content-type'), pdf.headers.get('x-content-type-options')]).toEqual([
    ...['application/octet-stream', 'nosniff'],
  ])
  expect(pdf.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''proposta.pdf")
  expect(await pdf.text()).toBe('%PDF-1.4 proposta')
  expect([(await get(`${url}/mail/1`)).status, (await get(`${url}/mail/2`)).status]).toEqual([415, 404])
})

it('what is no mail, or is not signed, is not opened', async () => {
  const url = await kept('nota.txt', 'Oi')
  expect((await get(`${url}/mail`)).status).toBe(404)
  const [start, claim = '', ...rest] = (await kept('outra.eml', mail)).split(/(?<=files\/)|(?=\/)/g)
  expect((await get(`${start}${claim.slice(0, -3)}xxx${rest.join('')}/mail`)).status).toBe(404)
})

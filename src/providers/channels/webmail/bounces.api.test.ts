import { afterAll, expect, test } from 'vitest'
import { mailCompany } from '#test/channels/mail-company.ts'
import { letter, SHOP } from '#test/channels/mail-end.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

const ANA = 'ana@cliente.example'

/** Returns a server's notice about a returned mail with this header. */
const bounce = (header: string) =>
  [
    ...['From: MAILER-DAEMON@mx.example', `To: ${SHOP}`, 'Subject: Undelivered', 'Return-Path: <>'],
    ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', '', '--b'],
    ...['Content-Type: message/delivery-status', '', `Final-Recipient: rfc822; ${ANA}`, 'Action: failed'],
    ...['Status: 5.2.2', '', '--b', 'Content-Type: text/rfc822-headers', '', header, '', '--b--', ''],
  ].join('\r\n')

test('a bounce marks its message failed with the reason, also where the answer was lost', async () => {
  const loses = (raw: string) => raw.includes('Sumiu')
  const { imap, arrives, take, send, becomes, reasonOf, rows } = await mailCompany(product(), closes, {
    servers: { smtp: { loses } },
  })
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  const sent = await send(ticketId, 'Chegou?')
  await becomes(sent, 'sent')
  imap.deliver(bounce(`Message-ID: <${sent}@loja.example>`))
  await becomes(sent, 'failed')
  expect(await reasonOf(sent)).toContain(`A caixa de entrada de ${ANA} está cheia.`)
  const lost = await send(ticketId, 'Sumiu')
  await until(async () => (await reasonOf(lost)).includes('se perdeu') || (await rows()).length > 0)
  await becomes(lost, 'queued')
  imap.deliver(bounce(`Message-ID: <${lost}@loja.example>`))
  await becomes(lost, 'failed')
  expect((await rows()).map(({ body }) => body)).toEqual(['Oi', 'Chegou?', 'Sumiu'])
})

test('an answer that comes back is the one that failed, not the one before it that its header names', async () => {
  const { imap, smtp, arrives, take, send, becomes, rows } = await mailCompany(product(), closes)
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  const first = await send(ticketId, 'Olá')
  await becomes(first, 'sent')
  const second = await send(ticketId, 'Mais isto')
  await becomes(second, 'sent')
  const [header] = smtp.mails.at(-1)!.raw.split(/\r?\n\r?\n/)
  expect(header).toMatch(new RegExp(`In-Reply-To: <${first}@.*Message-ID: <${second}@`, 's'))
  imap.deliver(bounce(header!))
  await becomes(second, 'failed')
  expect((await rows()).map(({ status }) => status)).toEqual(['received', 'sent', 'failed'])
})

import { afterAll, expect, test } from 'vitest'
import { mailCompany } from '#test/channels/mail-company.ts'
import { letter, SHOP } from '#test/channels/mail-end.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

const ANA = 'ana@cliente.example'

test('a bounce marks its message failed with the reason, also where the answer was lost', async () => {
  const loses = (raw: string) => raw.includes('Sumiu')
  const { imap, arrives, take, send, becomes, reasonOf, rows } = await mailCompany(product(), closes, {
    servers: { smtp: { loses } },
  })
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  const bounce = (id: string) =>
    [
      ...['From: MAILER-DAEMON@mx.example', `To: ${SHOP}`, 'Subject: Undelivered', 'Return-Path: <>'],
      ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', '', '--b'],
      ...['Content-Type: message/delivery-status', '', `Final-Recipient: rfc822; ${ANA}`, 'Action: failed'],
      ...['Status: 5.2.2', '', '--b', 'Content-Type: text/rfc822-headers', '', `Message-ID: <${id}@loja.example>`],
      ...['', '--b--', ''],
    ].join('\r\n')
  const sent = await send(ticketId, 'Chegou?')
  await becomes(sent, 'sent')
  imap.deliver(bounce(sent))
  await becomes(sent, 'failed')
  expect(await reasonOf(sent)).toContain(`A caixa de entrada de ${ANA} está cheia.`)
  const lost = await send(ticketId, 'Sumiu')
  await until(async () => (await reasonOf(lost)).includes('se perdeu') || (await rows()).length > 0)
  await becomes(lost, 'queued')
  imap.deliver(bounce(lost))
  await becomes(lost, 'failed')
  expect((await rows()).map(({ body }) => body)).toEqual(['Oi', 'Chegou?', 'Sumiu'])
})

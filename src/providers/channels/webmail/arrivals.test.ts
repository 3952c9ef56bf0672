import { expect, test } from 'vitest'
import type { Ledger } from '../port.ts'
import { makeArrivals } from './arrivals.ts'
import { readMail } from './read-mail.ts'

const ledger = {
  known: async () => [],
  withSender: async () => [],
  store: async ({ name, bytes }) => ({ id: name, mime: 'text/plain', size: bytes.length }),
} as Partial<Ledger> as Ledger

test('of a mail with more files than are taken, how many are left out stands in it', async () => {
  const files = Array.from(
    { length: 102 },
    (_, n) => `--b\r\nContent-Disposition: attachment; filename="${n}.txt"\r\n\r\n${n}\r\n`,
  )
  const head = 'From: ana@cliente.example\r\nMessage-ID: <1@x>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
  const source = Buffer.from(`${head}--b\r\n\r\nSeguem\r\n${files.join('')}--b--\r\n`)
  const mail = await readMail(source, { receivedAt: 0, own: [] })
  const [events = []] = await makeArrivals(ledger, 'contato@loja.example').of([mail])
  expect(events).toHaveLength(101)
  expect(events[0]).toMatchObject({
    message: { body: 'Seguem\n\n[Mais 2 anexos, que só o programa de e-mail mostra]' },
  })
})

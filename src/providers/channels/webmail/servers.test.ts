import { afterAll, expect, test } from 'vitest'
import { startImap } from '#test/peers/imap/server.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import type { MailAccount } from './account.ts'
import { openImap, storesCopies } from './imap.ts'
import { handOver } from './smtp.ts'

const closes: (() => unknown)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

const login = { user: 'contato@loja.example', pass: 'segredo' }
const accountAt = (port: number): MailAccount => {
  const server = { host: 'caixa.invalid', port, secure: 'none' } as const
  return {
    ...{ ...login, imap: server, smtp: server, tokens: null, from: login.user, fromName: '', replyTo: '' },
    ...{ signature: '', days: 0, own: [login.user] },
  }
}

/** Host name that resolves to this machine once, and fails afterwards. */
function rebound() {
  let asked = 0
  const addressOf = async (host: string) => {
    expect(host).toBe('caixa.invalid')
    if (++asked > 1) throw new Error('looked up twice')
    return '127.0.0.1'
  }
  return { addressOf, isNear: () => true }
}

test('mailboxes are read at the address that was checked, however their name is resolved afterwards', async () => {
  const imap = await startImap()
  closes.push(imap.close)
  const client = await openImap(accountAt(imap.port), rebound())
  expect(client.usable).toBe(true)
  client.close()
})

test('mails are handed over at the address that was checked', async () => {
  const smtp = await startSmtp({ login: { user: login.user, password: login.pass } })
  closes.push(smtp.close)
  const connected: string[] = []
  const { connect } = await import('node:net')
  const tools = {
    ...rebound(),
    connect: async ({ host, port }: { host: string; port: number }) => {
      connected.push(host)
      return connect(port, host)
    },
  }
  const ana = { name: '', address: 'ana@cliente.example' }
  const to = { id: '<1@loja.example>', subject: '', to: [ana], cc: [], bcc: [], inReplyTo: null, references: [] }
  await handOver(Buffer.from('Subject: Oi\r\n\r\nOi'), to, accountAt(smtp.port), tools)
  expect(connected).toEqual(['127.0.0.1'])
  expect(smtp.mails.map((mail) => mail.to)).toEqual([['ana@cliente.example']])
})

test.each([
  ['outlook.office365.com', [], true],
  ['imap-mail.outlook.com', [], true],
  ['imap.gmail.com', ['X-GM-EXT-1'], true],
  ['imap.loja.example', [], false],
  ['outlook.com.loja.example', [], false],
  ['meuoutlook.com', [], false],
])('%s stores what it sends by itself: %#', (host, capabilities, does) => {
  const client = { capabilities: new Map(capabilities.map((one) => [one, true])) } as never
  const account = { imap: { host, port: 993, secure: 'tls' } } as const
  expect(storesCopies(client, account)).toBe(does)
  // Known from its host name before it is queried.
  expect(storesCopies(null, account)).toBe(does)
})

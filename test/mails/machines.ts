import { type MailCase, mail, OWN, ofParts } from './case.ts'

const automatic = (name: string, header: Readonly<Record<string, string>>, body = 'Oi'): MailCase => ({
  ...{ name, source: mail(header, body), reads: { isAutomatic: true } },
})
const personal = (name: string, header: Readonly<Record<string, string>>): MailCase => ({
  ...{ name, source: mail(header, 'Oi'), reads: { isAutomatic: false } },
})

/** Mails that never get an automatic reply, and mails that only look like them. */
export const loops: readonly MailCase[] = [
  automatic('Auto-Submitted: auto-replied', { 'Auto-Submitted': 'auto-replied' }),
  automatic('Auto-Submitted with a comment', { 'Auto-Submitted': 'auto-generated; owner="x"' }),
  automatic('Precedence: bulk', { Precedence: 'bulk' }),
  automatic('Precedence: list', { Precedence: ' LIST' }),
  automatic('a list', { 'List-Id': 'Avisos <avisos.lista.example>' }),
  automatic('a newsletter', { 'List-Unsubscribe': '<https://lista.example/sair>' }),
  automatic('an answering machine', { 'X-Autoreply': 'yes' }),
  automatic('Exchange asks for no answers', { 'X-Auto-Response-Suppress': 'OOF, AutoReply' }),
  automatic('a null return path', { 'Return-Path': '<>' }),
  automatic('our own address', { From: `Loja <${OWN}>` }),
  automatic('nobody reads there', { From: 'nao-responda@banco.example' }),
  automatic('a daemon', { From: 'Mail Delivery System <MAILER-DAEMON@mx.example>' }),
  automatic('an absence that says so in its subject alone', { Subject: 'Resposta automática: férias' }),
  automatic('an absence in English', { Subject: 'Out of Office: back on Monday' }),
  personal('a person', {}),
  personal('Auto-Submitted: no', { 'Auto-Submitted': 'no' }),
  personal('Precedence: first-class', { Precedence: 'first-class' }),
  personal('a return path that is theirs', { 'Return-Path': '<ana@cliente.example>' }),
  personal('somebody whose name begins like a machine', { From: 'noreplyson@cliente.example' }),
]

const OUR_ID = '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001'
const OURS = `<${OUR_ID}@loja.example>`
const EARLIER_ID = '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000'
const EARLIER = `<${EARLIER_ID}@loja.example>`
const ABOVE = `In-Reply-To: ${EARLIER}\nReferences: <a1@cliente.example>\n ${EARLIER}`
const NOBODY = 'Final-Recipient: rfc822; bia@cliente.example\nAction: failed\nStatus: 5.1.1'
const DAEMON = {
  From: 'Mail Delivery System <mailer-daemon@mx.example>',
  Subject: 'Undelivered Mail Returned to Sender',
}
const report = (status: string, returned = `Message-ID: ${OURS}\nSubject: Oi`) =>
  ofParts(
    { ...DAEMON, 'Content-Type': 'multipart/report; report-type=delivery-status; boundary="b1"' },
    'report',
    ['Content-Type: text/plain', 'I am sorry.'],
    ['Content-Type: message/delivery-status', `Reporting-MTA: dns; mx.example\n\n${status}`],
    ['Content-Type: text/rfc822-headers', returned],
  )
const bounced = (name: string, status: string, reason: string): MailCase => ({
  ...{
    name,
    source: report(status),
    reads: { bounce: { action: 'failed', messageIds: [OUR_ID], reason }, isAutomatic: true },
  },
})

/** Bounces: reports of servers about our mails. */
export const bounces: readonly MailCase[] = [
  bounced(
    'nobody has that address',
    'Final-Recipient: rfc822; bia@cliente.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user',
    'O endereço bia@cliente.example não existe.',
  ),
  bounced(
    'a full mailbox, with a code that is broken over rows',
    'Final-Recipient: rfc822;bia@cliente.example\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp;\n 552 5.2.2 Mailbox\n full',
    'A caixa de entrada de bia@cliente.example está cheia.',
  ),
  bounced(
    'taken for spam',
    'Final-Recipient: rfc822; bia@cliente.example\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; 554 blocked using a blocklist',
    'O servidor de bia@cliente.example recusou o e-mail por suas regras contra spam.',
  ),
  bounced(
    'everything under one code: the words decide',
    'Final-Recipient: rfc822; bia@cliente.example\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 Message size exceeds limit',
    'O e-mail é grande demais para o servidor de bia@cliente.example.',
  ),
  bounced(
    'a server that says why in no known way',
    'Final-Recipient: rfc822; bia@cliente.example\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 Nope',
    'O servidor de bia@cliente.example não aceitou o e-mail.',
  ),
  {
    name: 'it is still tried',
    source: report('Final-Recipient: rfc822; bia@cliente.example\nAction: delayed\nStatus: 4.4.1'),
    reads: { bounce: { action: 'delayed', messageIds: [OUR_ID] } },
  },
  {
    name: 'it has arrived',
    source: report('Final-Recipient: rfc822; bia@cliente.example\nAction: delivered\nStatus: 2.1.5'),
    reads: { bounce: { action: 'delivered', messageIds: [OUR_ID] } },
  },
  {
    name: 'of a mail that is not ours',
    source: report(
      'Final-Recipient: rfc822; x@y.example\nAction: failed\nStatus: 5.1.1',
      'Message-ID: <z@other.example>',
    ),
    reads: { bounce: null, isAutomatic: true },
  },
  {
    name: 'of an answer, which names those before it above its own id',
    source: report(NOBODY, `${ABOVE}\nSubject: Re: Oi\nMessage-ID:\n ${OURS}\nMIME-Version: 1.0`),
    reads: { bounce: { messageIds: [OUR_ID] } },
  },
  {
    name: 'of an answer of somebody else to ours',
    source: report(NOBODY, `${ABOVE}\nMessage-ID: <z@other.example>`),
    reads: { bounce: null },
  },
  {
    name: 'of a mail that is given back without its own id',
    source: report(NOBODY, `In-Reply-To: ${EARLIER}\nX-Id: ${OURS}`),
    reads: { bounce: { messageIds: [EARLIER_ID, OUR_ID] } },
  },
  {
    name: 'a notice that names ours in its own header, and has an id as ours are',
    source: mail(
      { ...DAEMON, 'Message-ID': EARLIER, 'In-Reply-To': EARLIER, Subject: 'failure notice' },
      `550 no such mailbox here\n\n${ABOVE}\nMessage-ID: ${OURS}\n`,
    ),
    reads: { bounce: { messageIds: [OUR_ID] } },
  },
  {
    name: 'an older server, in words and with the mail behind them',
    source: mail(
      { ...DAEMON, Subject: 'failure notice' },
      `Hi. This is the qmail-send program.\n\n<bia@cliente.example>:\n550 no such mailbox here\n\n--- Below this line is a copy.\n\nMessage-ID: ${OURS}\n`,
    ),
    reads: {
      bounce: { action: 'failed', messageIds: [OUR_ID], reason: 'O endereço bia@cliente.example não existe.' },
    },
  },
  {
    name: 'Exim names whom it failed for in the header',
    source: mail(
      {
        ...DAEMON,
        Subject: 'Mail delivery failed: returning message to sender',
        'X-Failed-Recipients': 'bia@cliente.example',
      },
      `The mail server could not deliver.\n  Unrouteable address\n\nMessage-ID: ${OURS}\n`,
    ),
    reads: {
      bounce: { action: 'failed', reason: 'O domínio de bia@cliente.example não existe ou não recebe e-mails.' },
    },
  },
  {
    name: 'a person who quotes a failure',
    source: mail({ Subject: 'Re: failure notice' }, `Recebi isto:\n550 no such user\n${OURS}`),
    reads: { bounce: null, isAutomatic: false },
  },
]

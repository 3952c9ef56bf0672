import { type MailCase, mail, OWN, utf8 } from './case.ts'

const OURS = '<0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001@loja.example>'

/** Mails with ids, senders and times of all kinds. */
export const threads: readonly MailCase[] = [
  {
    name: 'a first mail',
    source: mail({}, 'Oi'),
    reads: { id: '<a1@cliente.example>', parents: [], subject: 'Pedido' },
  },
  {
    name: 'an answer to ours',
    source: mail({ 'In-Reply-To': OURS, References: `<a0@cliente.example> ${OURS}` }, 'Oi'),
    reads: { parents: [OURS, '<a0@cliente.example>'] },
  },
  {
    name: 'a chain is read from its end',
    source: mail({ References: '<r1@x.example>\r\n <r2@x.example>\r\n\t<r3@x.example>' }, 'Oi'),
    reads: { parents: ['<r3@x.example>', '<r2@x.example>', '<r1@x.example>'] },
  },
  {
    name: 'an empty In-Reply-To',
    source: mail({ 'In-Reply-To': '<>', References: ' ' }, 'Oi'),
    reads: { parents: [] },
  },
  {
    name: 'an In-Reply-To of spaces in brackets',
    source: mail({ 'In-Reply-To': '<  >' }, 'Oi'),
    reads: { parents: [] },
  },
  {
    name: 'an In-Reply-To in words',
    source: mail({ 'In-Reply-To': 'Your message of "Fri, 20 Nov" <p@x.example>' }, 'Oi'),
    reads: { parents: ['<p@x.example>'] },
  },
  {
    name: 'ids without brackets',
    source: mail({ 'In-Reply-To': 'p@x.example' }, 'Oi'),
    reads: { parents: ['<p@x.example>'] },
  },
  {
    name: 'ids with characters in them that nobody stores',
    source: mail(
      { 'Message-ID': '=?utf-8?Q?<i=00d@x.example>?=', 'In-Reply-To': '=?utf-8?Q?<q=00q@x.example>?=' },
      'Oi',
    ),
    reads: { id: '<id@x.example>', parents: ['<qq@x.example>'] },
  },
  {
    name: 'an id that was broken over rows',
    source: mail({ 'In-Reply-To': '<muito-\r\n longo@x.example>' }, 'Oi'),
    reads: { parents: ['<muito-longo@x.example>'] },
  },
  {
    name: 'no Message-ID',
    source: mail({ 'Message-ID': '' }, 'Sem id'),
    reads: { id: '<bebb2f6874bac1d30ec9e6cbb29b5249ce045e66@sem-id>' },
  },
  {
    name: 'an empty Message-ID',
    source: mail({ 'Message-ID': '<>' }, 'Sem id'),
    reads: { id: '<e019a771ba6e597754fff7b0356bcfe5b698c4ec@sem-id>' },
  },
  {
    name: 'a Message-ID of a thousand letters',
    source: mail({ 'Message-ID': `<${'x'.repeat(990)}@x.example>` }, 'Oi'),
    reads: { id: '<21dcbfb09a9bb8eb150e37a187d9670cda0b0e68@hash>' },
  },
  {
    name: 'a form of the own site, which writes in our name',
    source: mail({ From: `Site <${OWN}>`, 'Reply-To': 'Bia <bia@cliente.example>' }, 'Quero um orçamento'),
    reads: { from: 'Bia <bia@cliente.example>', isAutomatic: false },
  },
  {
    name: 'an answer that goes elsewhere',
    source: mail({ 'Reply-To': 'Vendas <vendas@cliente.example>, eu@cliente.example' }, 'Oi'),
    reads: {
      from: 'Ana Souza <ana@cliente.example>',
      replyTo: [
        { name: 'Vendas', address: 'vendas@cliente.example' },
        { name: '', address: 'eu@cliente.example' },
      ],
    },
  },
  {
    name: 'several receivers, groups among them, one of them twice',
    source: mail(
      { To: `Equipe: Ana <a@x.example>, b@x.example;, "Silva, B" <B@X.example>`, Cc: 'undisclosed-recipients:;' },
      'Oi',
    ),
    reads: {
      to: [
        { name: 'Ana', address: 'a@x.example' },
        { name: '', address: 'b@x.example' },
      ],
      cc: [],
    },
  },
  {
    name: 'nobody as its sender',
    source: mail({ From: '' }, 'Oi'),
    reads: { from: 'Remetente desconhecido <desconhecido@invalid>' },
  },
  {
    name: 'a sender without an address',
    source: mail({ From: 'Ana', Sender: 'ana@cliente.example' }, 'Oi'),
    reads: { from: 'ana@cliente.example' },
  },
  {
    name: 'a name that is the address once more, in other letters',
    source: mail({ From: '"ANA@cliente.example" <Ana@Cliente.Example>' }, 'Oi'),
    reads: { from: 'ana@cliente.example' },
  },
  {
    name: 'a name with the address behind it',
    source: mail(
      { From: '"Ana (Vendas) (ANA@cliente.example)" <ana@cliente.example>', 'Reply-To': '"Bia (RH)" <bia@x.example>' },
      'Oi',
    ),
    reads: { from: 'Ana (Vendas) <ana@cliente.example>', replyTo: [{ name: 'Bia (RH)', address: 'bia@x.example' }] },
  },
  {
    name: 'a name that shows another address',
    source: mail({ From: '"Diretoria <diretoria@banco.example>" <golpe@x.example>' }, 'Oi'),
    reads: { from: 'golpe@x.example' },
  },
  {
    name: 'a name that turns the end of the row around',
    source: mail({ From: `"${utf8('Ana\u202e')}" <ana@cliente.example>` }, 'Oi'),
    reads: { from: 'Ana <ana@cliente.example>' },
  },
  {
    name: 'a date that cannot be one',
    source: mail({ Date: 'ontem' }, 'Oi'),
    reads: { timestamp: Date.parse('2026-11-20T13:00:05Z') },
  },
  {
    name: 'a date of 1970',
    source: mail({ Date: 'Thu, 01 Jan 1970 00:00:00 +0000' }, 'Oi'),
    reads: { timestamp: Date.parse('2026-11-20T13:00:05Z') },
  },
  {
    name: 'a date that is still to come',
    source: mail({ Date: 'Fri, 20 Nov 2026 18:00:00 -0300' }, 'Oi'),
    reads: { timestamp: Date.parse('2026-11-20T13:00:05Z') },
  },
  {
    name: 'a subject of several rows with a bell in it',
    source: mail({ Subject: 'Pedido\x07\r\n de\r\n\thoje' }, 'Oi'),
    reads: { subject: 'Pedido de hoje' },
  },
  { name: 'no header at all', source: Buffer.from('\r\nSó um texto', 'latin1'), reads: { text: 'Só um texto' } },
  { name: 'nothing at all', source: Buffer.alloc(0), reads: { text: '', subject: '', files: [] } },
  {
    name: 'what was filled into a form of a site, by whoever is named for the answer',
    source: mail({ From: 'Loja <no-reply@forms.example>', 'Reply-To': 'Davi <davi@visita.example>' }, 'Oi'),
    reads: { from: 'Davi <davi@visita.example>', isAutomatic: false },
  },
  {
    name: 'the same by our own domain',
    source: mail({ From: 'Site <pedidos@loja.example>', 'Reply-To': 'davi@visita.example' }, 'Oi'),
    reads: { from: 'davi@visita.example' },
  },
  {
    name: 'a newsletter that names another address for answers is its sender’s',
    source: mail(
      { From: 'noreply@news.example', 'Reply-To': 'ajuda@apoio.example', 'List-Unsubscribe': '<https://x.example>' },
      'Oi',
    ),
    reads: { from: 'noreply@news.example', isAutomatic: true },
  },
  {
    name: 'a person who wants answers elsewhere stays who they are',
    source: mail({ 'Reply-To': 'Ana <ana@casa.example>' }, 'Oi'),
    reads: { from: 'Ana Souza <ana@cliente.example>' },
  },
]

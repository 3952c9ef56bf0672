import { base64, type MailCase, mail, ofParts, utf8 } from './case.ts'

const plain = (charset: string, encoding = '8bit') => ({
  'Content-Type': charset ? `text/plain; charset=${charset}` : 'text/plain',
  'Content-Transfer-Encoding': encoding,
})
const GREETING = 'Olá, não recebi a nota. Atenção: é urgente.'
const WESTERN = 'Ol\xe1, n\xe3o recebi a nota. Aten\xe7\xe3o: \xe9 urgente.'

/** Mails with correct, wrong, unknown and missing encodings. */
export const charsets: readonly MailCase[] = [
  { name: 'UTF-8', source: mail(plain('utf-8'), utf8(GREETING)), reads: { text: GREETING } },
  { name: 'ISO-8859-1', source: mail(plain('iso-8859-1'), WESTERN), reads: { text: GREETING } },
  { name: 'UTF-8 is said, the bytes are Western', source: mail(plain('utf-8'), WESTERN), reads: { text: GREETING } },
  {
    name: 'US-ASCII is said, the bytes are Western',
    source: mail(plain('us-ascii'), WESTERN),
    reads: { text: GREETING },
  },
  { name: 'nothing is said, the bytes are UTF-8', source: mail(plain(''), utf8(GREETING)), reads: { text: GREETING } },
  { name: 'nothing is said, the bytes are Western', source: mail(plain(''), WESTERN), reads: { text: GREETING } },
  { name: 'an encoding that nobody knows', source: mail(plain('x-unknown'), WESTERN), reads: { text: GREETING } },
  {
    name: 'Windows-1252 with its own marks',
    source: mail(plain('windows-1252'), '\x93Ol\xe1\x94 \x96 custa \x80 5'),
    reads: { text: '“Olá” – custa € 5' },
  },
  {
    name: 'quoted-printable with a soft break within a letter',
    source: mail(plain('utf-8', 'quoted-printable'), 'N=C3=\n=A3o recebi'),
    reads: { text: 'Não recebi' },
  },
  {
    name: 'quoted-printable that is broken',
    source: mail(plain('utf-8', 'quoted-printable'), 'Cem =X por cento = e =C3=A9 isso'),
    reads: { text: 'Cem =X por cento = e é isso' },
  },
  {
    name: 'Japanese by escape sequences',
    source: mail(plain('iso-2022-jp', '7bit'), '\x1b$B$3$s$K$A$O\x1b(B'),
    reads: { text: 'こんにちは' },
  },
  { name: 'Russian in KOI8-R', source: mail(plain('koi8-r'), '\xf0\xd2\xc9\xd7\xc5\xd4'), reads: { text: 'Привет' } },
  { name: 'Chinese in GB2312', source: mail(plain('gb2312', 'base64'), 'xOO6ww=='), reads: { text: '你好' } },
  {
    name: 'a name and a subject in encoded words, broken within a letter',
    source: mail(
      {
        From: '=?utf-8?Q?Jos=C3=A9_da_Concei=C3=A7?= =?utf-8?Q?=C3=A3o?= <jose@cliente.example>',
        Subject: '=?utf-8?B?T3LDp2FtZW50?= =?utf-8?B?byDigJMgdXJnZW50ZQ==?=',
      },
      'Bom dia',
    ),
    reads: { from: 'José da Conceição <jose@cliente.example>', subject: 'Orçamento – urgente' },
  },
  {
    name: 'bare Western letters in the header',
    source: mail({ From: 'Jos\xe9 <jose@cliente.example>', Subject: 'Or\xe7amento' }, 'Bom dia'),
    reads: { from: 'José <jose@cliente.example>', subject: 'Orçamento' },
  },
  {
    name: 'bare Western letters in the header above a text that is UTF-8',
    source: mail({ ...plain('utf-8'), Subject: 'Or\xe7amento' }, utf8(GREETING)),
    reads: { subject: 'Orçamento', text: GREETING },
  },
  {
    name: 'bare UTF-8 in the header',
    source: mail({ Subject: utf8('Orçamento') }, 'Bom dia'),
    reads: { subject: 'Orçamento' },
  },
  {
    name: 'a page that says another encoding than its part',
    source: mail(
      { 'Content-Type': 'text/html; charset=utf-8', 'Content-Transfer-Encoding': '8bit' },
      utf8('<html><head><meta charset="iso-8859-1"></head><body><p>Não recebi</p></body></html>'),
    ),
    reads: { text: 'Não recebi' },
  },
  {
    name: 'a file whose name is encoded in two ways',
    source: ofParts(
      {},
      'mixed',
      ['Content-Type: text/plain', 'Segue'],
      [
        'Content-Type: application/pdf; name="=?iso-8859-1?Q?or=E7amento.pdf?="\nContent-Disposition: attachment; filename*0*=utf-8\'\'or%C3%A7; filename*1*=amento.pdf\nContent-Transfer-Encoding: base64',
        base64('%PDF-1.4'),
      ],
    ),
    reads: { files: [['orçamento.pdf', 8]], text: 'Segue' },
  },
  {
    name: 'NUL bytes and half a letter',
    source: mail(plain('utf-8'), `Oi\0 tudo ${utf8('é')} bem`),
    reads: { text: 'Oi tudo é bem' },
  },
  {
    name: 'a code page of DOS, in a name of a file and in words too',
    source: ofParts(
      { Subject: '=?IBM850?Q?Or=87amento?=' },
      'mixed',
      ['Content-Type: text/plain; charset="ibm850"', 'N\x84o, \xc6 tarde'],
      ['Content-Type: text/plain; charset=us-ascii; name="a.txt"\nContent-Disposition: attachment', 'x'],
    ),
    reads: { subject: 'Orçamento', text: 'Näo, ã tarde' },
  },
  { name: 'UTF-7', source: mail(plain('UTF-7', '7bit'), 'Atenc+AOM-o: 2 +- 2'), reads: { text: 'Atencão: 2 + 2' } },
  {
    name: 'Japanese by escape sequences that nothing names',
    source: mail(plain('', '7bit'), 'ABC \x1b$B$3$s$K$A$O\x1b(B'),
    reads: { text: 'ABC こんにちは' },
  },
  {
    name: 'bare Western bytes in names of people and files',
    source: ofParts(
      { Cc: 'Jos\xe9 <jose@x.example>', 'Reply-To': 'Concei\xe7\xe3o <c@x.example>' },
      'mixed',
      ['Content-Type: text/plain; charset=iso-8859-1', 'Ol\xe1'],
      ['Content-Type: application/pdf; name="relat\xf3rio.pdf"\nContent-Disposition: attachment', '%PDF'],
    ),
    reads: {
      ...{ text: 'Olá', cc: [{ name: 'José', address: 'jose@x.example' }], files: ['relatório.pdf'] },
      replyTo: [{ name: 'Conceição', address: 'c@x.example' }],
    },
  },
]

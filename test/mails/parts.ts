import { base64, type MailCase, mail, ofParts, parts, utf8 } from './case.ts'
import { winmail } from './winmail.ts'

const TEXT = 'Content-Type: text/plain; charset=utf-8'
const HTML = 'Content-Type: text/html; charset=utf-8'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const nested = (type: string, ...all: Parameters<typeof parts>[1][]) => {
  const { body } = parts(type, ...all)
  return [`Content-Type: multipart/${type}; boundary="b2"`, body.replaceAll('--b1', '--b2')] as const
}
const EVENT = [
  ...[
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'SUMMARY:Reunião\\, sala 2',
    'DTSTART;TZID=America/Sao_Paulo:20261127T140000',
  ],
  ...['LOCATION:Av. Paulista', 'END:VEVENT', 'END:VCALENDAR'],
].join('\n')

/** Mails with parts, files, and wrappers of mail programs. */
export const structures: readonly MailCase[] = [
  {
    name: 'a text with its formatted twin',
    source: ofParts({}, 'alternative', [TEXT, 'Oi'], [HTML, '<p>Oi</p>']),
    reads: { text: 'Oi', files: [] },
  },
  {
    name: 'a twin whose text is empty',
    source: ofParts({}, 'alternative', [TEXT, ' '], [HTML, '<p>Oi<br>tudo?</p><ul><li>um</li><li>dois</li></ul>']),
    reads: { text: 'Oi\ntudo?\n\n• um\n• dois' },
  },
  {
    name: 'a picture within the text, and a file',
    source: ofParts(
      {},
      'mixed',
      nested(
        'related',
        [HTML, '<p>Veja <img src="cid:foto@x"></p>'],
        ['Content-Type: image/png; name=foto.png\nContent-ID: <foto@x>\nContent-Transfer-Encoding: base64', PNG],
      ),
      [
        'Content-Type: application/pdf; name=nota.pdf\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment',
        base64('%PDF-1.4 nota'),
      ],
    ),
    reads: { text: 'Veja', files: ['foto.png', ['nota.pdf', 13]] },
  },
  {
    name: 'a file and no words',
    source: mail(
      { 'Content-Type': 'application/pdf; name="nota.pdf"', 'Content-Transfer-Encoding': 'base64' },
      base64('%PDF'),
    ),
    reads: { text: '', files: [['nota.pdf', 4]] },
  },
  {
    name: 'a file without a name',
    source: ofParts(
      {},
      'mixed',
      [TEXT, 'Segue'],
      ['Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment', PNG],
    ),
    reads: { files: ['imagem.png'] },
  },
  {
    name: 'a mail within a mail within a mail',
    source: ofParts(
      {},
      'mixed',
      [TEXT, 'Veja'],
      [
        'Content-Type: message/rfc822\nContent-Disposition: attachment; filename="anterior.eml"',
        `Subject: Primeiro\nContent-Type: message/rfc822\n\nSubject: Segundo\n\nFim`,
      ],
    ),
    reads: { text: 'Veja', files: ['anterior.eml'] },
  },
  {
    name: 'an invitation',
    source: ofParts(
      { Subject: utf8('Convite: Reunião') },
      'alternative',
      [TEXT, 'Venha'],
      ['Content-Type: text/calendar; charset=utf-8; method=REQUEST', utf8(EVENT)],
    ),
    reads: {
      text: 'Convite: Reunião, sala 2\nQuando: 27/11/2026, 14:00 (America/Sao_Paulo)\nOnde: Av. Paulista\n\nVenha',
      files: ['convite.ics'],
    },
  },
  {
    name: 'an invitation twice: as a reading and as a file',
    source: ofParts(
      {},
      'mixed',
      nested(
        'alternative',
        [TEXT, 'Venha'],
        ['Content-Type: text/calendar; charset=utf-8; method=REQUEST', utf8(EVENT)],
      ),
      ['Content-Type: text/calendar; name=invite.ics\nContent-Disposition: attachment', utf8(EVENT)],
    ),
    reads: { files: ['convite.ics'] },
  },
  {
    name: 'an appointment that is cancelled, in universal time',
    source: mail(
      { 'Content-Type': 'text/calendar; method=CANCEL; charset=utf-8' },
      'BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nSUMMARY:Visita\nDTSTART:20261127T170000Z\nEND:VEVENT\nEND:VCALENDAR',
    ),
    reads: { text: 'Evento cancelado: Visita\nQuando: 27/11/2026, 17:00 (UTC)' },
  },
  {
    name: 'what Outlook wraps',
    source: ofParts(
      {},
      'mixed',
      [TEXT, 'Segue'],
      [
        'Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64',
        base64(
          winmail({ text: 'Segue', files: [{ name: 'NOTA~1.PDF', longName: 'nota fiscal.pdf', bytes: '%PDF-1.4' }] }),
        ),
      ],
    ),
    reads: { text: 'Segue', files: [['nota fiscal.pdf', 8]] },
  },
  {
    name: 'what Outlook wraps, its text with it',
    source: mail(
      { 'Content-Type': 'application/ms-tnef; name="winmail.dat"', 'Content-Transfer-Encoding': 'base64' },
      base64(winmail({ text: 'Só aqui', files: [] })),
    ),
    reads: { text: 'Só aqui', files: [] },
  },
  {
    name: 'a winmail.dat that is none',
    source: ofParts(
      {},
      'mixed',
      [TEXT, 'Segue'],
      ['Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64', base64('nada')],
    ),
    reads: { files: [['winmail.dat', 4]] },
  },
  {
    name: 'a boundary that never ends',
    source: mail(
      { 'Content-Type': 'multipart/mixed; boundary="b1"' },
      `--b1\n${TEXT}\n\nSegue\n--b1\nContent-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n${base64('%PDF-1.4')}`,
    ),
    reads: { text: 'Segue', files: ['a.pdf'] },
  },
  {
    name: 'a boundary that is nowhere',
    source: mail({ 'Content-Type': 'multipart/mixed; boundary="outra"' }, 'Só isto'),
    reads: { files: [] },
  },
  {
    name: 'base64 that is broken',
    source: mail(
      { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' },
      'T2ksIHR1ZG8gYmVt*P*w=',
    ),
    reads: { text: 'Oi, tudo bem?' },
  },
  {
    name: 'parts two hundred deep',
    source: deep(200),
    reads: { subject: 'Pedido' },
  },
]

function deep(levels: number): Uint8Array {
  let body = `${TEXT}\n\nFundo`
  for (let n = levels; n > 0; n--)
    body = `Content-Type: multipart/mixed; boundary="n${n}"\n\n--n${n}\n${body}\n--n${n}--`
  return Buffer.from(`From: Ana <ana@cliente.example>\nSubject: Pedido\n${body}\n`.replace(/\n/g, '\r\n'), 'latin1')
}

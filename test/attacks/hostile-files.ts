import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { ZipFile } from 'yazl'

/** File made to harm the program that opens it. */
export type Hostile = { readonly name: string; readonly mime: string; make(): Promise<Buffer> | Buffer | string }

const MB = 1024 * 1024
const SHEET = 'xl/worksheets/sheet1.xml'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const BOOK = {
  '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  'xl/workbook.xml': '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}

function zipOf(parts: Record<string, string | Buffer | Readable>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, part] of Object.entries(parts))
    if (part instanceof Readable) zip.addReadStream(part, name)
    else zip.addBuffer(Buffer.from(part as string), name)
  zip.end()
  return buffer(zip.outputStream as Readable)
}
const repeated = (text: string, bytes: number) =>
  Readable.from(Array(Math.ceil(bytes / MB)).fill(text.repeat(Math.ceil(MB / text.length))))
const sheet = (rows: string | Readable) => zipOf({ ...BOOK, [SHEET]: rows })
const many = (count: number, make: (n: number) => [string, string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => make(n)))

async function nested(depth: number): Promise<Buffer> {
  let inner = await zipOf({ 'a.txt': repeated('a', 10 * MB) })
  for (let level = 0; level < depth; level++) inner = await zipOf({ 'a.zip': inner, 'b.zip': inner })
  return inner
}

/** Bytes of a picture, changed at some places. */
async function changed(format: 'png' | 'jpeg' | 'webp' | 'gif', change: (bytes: Buffer) => void): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#c08a55' } })
    .toFormat(format)
    .toBuffer()
  change(bytes)
  return bytes
}
const uint32 = (...numbers: number[]) =>
  Buffer.concat(
    numbers.map((one) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(one)
      return bytes
    }),
  )
const box = (type: string, inner: Buffer, size = inner.length + 8) =>
  Buffer.concat([uint32(size), Buffer.from(type), inner])
const ftyp = (brand: string) => box('ftyp', Buffer.concat([Buffer.from(brand), uint32(0), Buffer.from(brand)]))

function deepBoxes(depth: number): Buffer {
  const heads = Array.from({ length: depth }, (_, n) => box(n % 2 ? 'trak' : 'moov', Buffer.alloc(0), (depth - n) * 8))
  return Buffer.concat([ftyp('isom'), ...heads])
}

function frames(count: number): Buffer {
  const head = Buffer.from('474946383961100010008000000000ffffff', 'hex')
  const frame = Buffer.from(
    '21f904000100000000' + '2c000000001000100000' + '02' + '0e8c8fa9cbed0fa39cb4da8bb3de' + '00',
    'hex',
  )
  return Buffer.concat([head, ...Array(count).fill(frame), Buffer.from(';')])
}

/** Pictures, sounds, films, archives and documents, as anybody attaches them. */
export const attachments: readonly Hostile[] = [
  {
    name: 'largo.png',
    mime: 'image/png',
    make: () => changed('png', (bytes) => bytes.set(uint32(2 ** 31 - 1, 2 ** 31 - 1), 16)),
  },
  {
    name: 'falso.png',
    mime: 'image/png',
    make: () => changed('png', (bytes) => bytes.set(uint32(90_000, 90_000), 16)),
  },
  { name: 'cortado.png', mime: 'image/png', make: async () => (await changed('png', () => {})).subarray(0, 60) },
  {
    name: 'gigante.jpg',
    mime: 'image/jpeg',
    make: () =>
      changed('jpeg', (bytes) => bytes.fill(0xff, bytes.indexOf('ffc0', 'hex') + 5, bytes.indexOf('ffc0', 'hex') + 9)),
  },
  {
    name: 'gigante.webp',
    mime: 'image/webp',
    make: () => changed('webp', (bytes) => bytes.set([0xff, 0x3f, 0xff, 0x3f], 26)),
  },
  { name: 'partido.heic', mime: 'image/heic', make: () => Buffer.concat([ftyp('heic'), Buffer.alloc(5000, 7)]) },
  { name: 'quadros.gif', mime: 'image/gif', make: () => frames(20_000) },
  { name: 'gigante.gif', mime: 'image/gif', make: () => changed('gif', (bytes) => bytes.fill(0xff, 6, 10)) },
  {
    name: 'mentira.mp3',
    mime: 'audio/mpeg',
    make: () =>
      Buffer.concat([Buffer.from('49443304000000' + '7f7f7f', 'hex'), Buffer.from('fffb9064'.repeat(4000), 'hex')]),
  },
  {
    name: 'mentira.ogg',
    mime: 'audio/ogg',
    make: () =>
      Buffer.concat([
        Buffer.from('OggS\0\x02'),
        Buffer.alloc(20, 0xff),
        Buffer.alloc(256, 0xff),
        Buffer.from('OpusHead'),
      ]),
  },
  {
    name: 'mentira.wav',
    mime: 'audio/wav',
    make: () =>
      Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff', 'latin1'), Buffer.alloc(500, 1)]),
  },
  {
    name: 'voltas.mp4',
    mime: 'video/mp4',
    make: () =>
      Buffer.concat([
        ftyp('isom'),
        ...Array(5000).fill(box('free', Buffer.alloc(0), 1)),
        box('moov', Buffer.alloc(8), 0),
      ]),
  },
  { name: 'fundo.mp4', mime: 'video/mp4', make: () => deepBoxes(20_000) },
  { name: 'caixas.zip', mime: 'application/zip', make: () => nested(8) },
  {
    name: 'voltas.pdf',
    mime: 'application/pdf',
    make: () =>
      `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Parent 1 0 R>>endobj\n${'['.repeat(100_000)}\nstartxref\n9\n%%EOF`,
  },
  {
    name: 'entidades.svg',
    mime: 'image/svg+xml',
    make: () =>
      `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.replace(/./g, (one, at: number) => `<!ENTITY ${one} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)}]><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`,
  },
]

/** Hostile tables and address books, as users import them. */
export const imports: readonly Hostile[] = [
  { name: 'bomba.xlsx', mime: XLSX, make: () => sheet(repeated('<c/>', 140 * MB)) },
  { name: 'celula.xlsx', mime: XLSX, make: () => sheet(repeated('x', 5 * MB)) },
  {
    name: 'linha.xlsx',
    mime: XLSX,
    make: () => sheet('<worksheet><sheetData><row r="1000000000"/></sheetData></worksheet>'),
  },
  {
    name: 'longe.xlsx',
    mime: XLSX,
    make: () =>
      sheet('<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'),
  },
  {
    name: 'entidades.xlsx',
    mime: XLSX,
    make: () =>
      sheet(
        '<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>',
      ),
  },
  { name: 'partes.xlsx', mime: XLSX, make: () => zipOf({ ...BOOK, ...many(2100, (n) => [`xl/${n}.xml`, 'a']) }) },
  { name: 'cortada.xlsx', mime: XLSX, make: async () => (await sheet(repeated('<c/>', MB))).subarray(0, 900) },
  { name: 'linha.vcf', mime: 'text/vcard', make: () => `BEGIN:VCARD\nFN:a\nNOTE:${'x'.repeat(20 * MB)}\nEND:VCARD\n` },
  { name: 'aberto.vcf', mime: 'text/vcard', make: () => 'BEGIN:VCARD\nFN:a\n'.repeat(50_000) },
  { name: 'parametros.vcf', mime: 'text/vcard', make: () => `BEGIN:VCARD\nFN:a\nTEL${';'.repeat(60)}\nEND:VCARD\n` },
  { name: 'dobras.vcf', mime: 'text/vcard', make: () => `BEGIN:VCARD\nFN:a${'\n b'.repeat(100_000)}\nEND:VCARD\n` },
  { name: 'aspas.csv', mime: 'text/csv', make: () => `nome;numero\n"${'x\n'.repeat(300_000)}` },
  { name: 'largo.csv', mime: 'text/csv', make: () => `${'a;'.repeat(40_000)}\n${'1;'.repeat(40_000)}\n` },
  { name: 'utf16.csv', mime: 'text/csv', make: () => Buffer.from('\uFEFFnome;numero\nAna;11987654321\n', 'utf16le') },
  { name: 'nulos.csv', mime: 'text/csv', make: () => `nome;numero\n${'A\0na;1198765\0 4321\n'.repeat(2000)}` },
]

const MAIL = 'From: a@x.example\r\nTo: b@x.example\r\nSubject: oi\r\nMessage-ID: <1@x.example>\r\n'
const deepMail = (depth: number) =>
  Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
/** Returns a winmail.dat with many attributes whose length exceeds the file. */
const winmail = () =>
  Buffer.concat([Buffer.from('789f3e220100', 'hex'), ...Array(5000).fill(Buffer.from('020f800600ffffff7f', 'hex'))])

/** Mails, as they lie in a mailbox. */
export const mails: readonly Hostile[] = [
  {
    name: 'partes.eml',
    mime: 'message/rfc822',
    make: () =>
      `${MAIL}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n'.repeat(10_000)}--b--\r\n`,
  },
  { name: 'fundo.eml', mime: 'message/rfc822', make: () => MAIL + deepMail(5000) },
  {
    name: 'cabecalho.eml',
    mime: 'message/rfc822',
    make: () => `${MAIL}References: ${'<a@b> '.repeat(200_000)}\r\n\r\noi`,
  },
  {
    name: 'winmail.eml',
    mime: 'message/rfc822',
    make: () =>
      `${MAIL}Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n${winmail().toString('base64')}\r\n`,
  },
]

import { pipeline, Readable } from 'node:stream'
import type { Options } from 'csv-stringify'
import { itemAt, memberOf } from '#domain/present.ts'
import type { Download } from './http/download.ts'

/** CSV as Brazilian spreadsheets open it: `;` between cells, CRLF, a byte-order mark; and no text runs as a formula. */
const CSV: Options = { delimiter: ';', record_delimiter: 'windows', bom: true, escape_formulas: true }

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Returns rows as a file, sent while they come; `name` has no ending, `sheet` names it in a workbook. Reading that fails ends the file. */
export async function tableFile(
  format: 'csv' | 'xlsx',
  { name, sheet = name }: { readonly name: string; readonly sheet?: string },
  rows: AsyncIterable<readonly string[]>,
): Promise<Download> {
  if (format === 'xlsx') return { name: `${name}.xlsx`, contentType: XLSX, stream: await sheetOf(sheet, rows) }
  const { stringify } = await import('csv-stringify')
  const stream = stringify(CSV)
  pipeline(Readable.from(rows), stream, () => {})
  return { name: `${name}.csv`, contentType: 'text/csv; charset=utf-8', stream }
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}

const workbookXml = (name: string) =>
  `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="${escaped(name).replaceAll('"', '&quot;')}" sheetId="1" r:id="rId1"/></sheets></workbook>`

/**
 * Streams a workbook of one sheet of that name (at most 31 letters, none of `:\/?*[]`) and at most 702 columns while its
 * rows come; every cell is a text, so that none is ever run as a formula.
 */
export async function sheetOf(name: string, rows: AsyncIterable<readonly string[]>): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  const failed = (error: Error) => out.destroy(error)
  zip.on('error', failed)
  const parts = { ...PARTS, 'xl/workbook.xml': workbookXml(name) }
  for (const [path, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(DECLARATION + xml), path)
  const sheet = Readable.from(sheetXml(rows))
  sheet.on('error', failed)
  out.on('close', () => sheet.destroy())
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { compressionLevel: COMPRESSION })
  zip.end()
  return out
}

/** Compression level: rows repeat themselves so much that the quickest one is enough. */
const COMPRESSION = 1
/** Number of characters written at once. */
const CHUNK = 128 * 1024

async function* sheetXml(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let xml = `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>`
  let number = 0
  for await (const row of rows) {
    number++
    xml += `<row r="${number}">`
    for (const [at, cell] of row.entries()) xml += cellXml(`${columnAt(at)}${number}`, cell)
    xml += '</row>'
    if (xml.length < CHUNK) continue
    yield xml
    xml = ''
  }
  yield `${xml}</sheetData></worksheet>`
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const columnAt = (at: number): string =>
  (at < 26 ? '' : itemAt(LETTERS, Math.floor(at / 26) - 1)) + itemAt(LETTERS, at % 26)
const cellXml = (cell: string, text: string) =>
  `<c r="${cell}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>]/g, (one) => memberOf(ENTITIES, one))

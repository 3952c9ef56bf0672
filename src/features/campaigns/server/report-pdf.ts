import type { Readable } from 'node:stream'
import { printable, writeParts } from '#server/pdf.ts'

const MARGIN = 40
const ROW_HEIGHT = 15
const LETTERS = 8

/** Column with its width as a share of the page. */
type Column = { readonly title: string; readonly share: number }

/** Creates a table on A4 pages: title, sentences below it, and rows as they come, one line each; longer ones are cut. */
export async function tablePdf(
  { title, facts, columns, now }: { title: string; facts: readonly string[]; columns: readonly Column[]; now: Date },
  rows: AsyncIterable<readonly string[]>,
): Promise<Readable> {
  const { default: PdfDocument } = await import('pdfkit')
  const info = { Title: title, CreationDate: now }
  const pdf = new PdfDocument({ size: 'A4', layout: 'landscape', margin: MARGIN, info })
  const width = pdf.page.width - 2 * MARGIN
  const write = (cells: readonly string[], font: string) => {
    if (pdf.y + ROW_HEIGHT > pdf.page.height - MARGIN) pdf.addPage()
    const { y } = pdf
    let x = MARGIN
    pdf.font(font).fontSize(LETTERS)
    for (const [at, { share }] of columns.entries()) {
      pdf.text(printable((cells[at] ?? '').replace(/\n+/g, '¤')), x, y, {
        width: share * width - 6,
        height: LETTERS,
        ellipsis: true,
      })
      x += share * width
    }
    pdf.y = y + ROW_HEIGHT
  }
  pdf.font('Helvetica-Bold').fontSize(15).text(printable(title))
  pdf.font('Helvetica').fontSize(10).moveDown(0.4)
  for (const fact of facts) pdf.text(printable(fact))
  pdf.moveDown()
  write(
    columns.map((column) => column.title),
    'Helvetica-Bold',
  )
  return writeParts(pdf, rows, (row) => write(row, 'Helvetica'))
}

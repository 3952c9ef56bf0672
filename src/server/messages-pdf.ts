import type { Readable } from 'node:stream'
import { printable, writeParts } from './pdf.ts'

/** Row of a printed conversation: time, author, text. */
export type PaperRow = { readonly at: Date; readonly who: string; readonly what: string }

/** Conversation to print: title, the line below it, and its rows in order, read while they are written. */
export type Paper = {
  readonly title: string
  readonly about: string
  readonly timezone: string
  readonly now: Date
  readonly rows: AsyncIterable<readonly PaperRow[]>
}

const MARGIN = 48
const COLUMNS = { at: 96, who: 110 } as const

/** Returns a conversation as a PDF (product facts, F): date and time, who, what. It is written while it is read. */
export async function messagesPdf({ title, about, timezone, now, rows }: Paper): Promise<Readable> {
  const { default: PdfDocument } = await import('pdfkit')
  const pdf = new PdfDocument({ size: 'A4', margin: MARGIN, info: { Title: title, CreationDate: now } })
  const at = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone: timezone })
  const left = MARGIN
  const width = pdf.page.width - 2 * MARGIN
  const texts = { x: left + COLUMNS.at + COLUMNS.who, width: width - COLUMNS.at - COLUMNS.who }

  const row = (cells: readonly [string, string, string], font: string) => {
    pdf.font(font).fontSize(9)
    const [when, who, what] = [printable(cells[0]), printable(cells[1]), printable(cells[2])]
    const height = Math.max(
      pdf.heightOfString(who, { width: COLUMNS.who - 8 }),
      Math.min(pdf.heightOfString(what, { width: texts.width }), 40),
    )
    if (pdf.y + height > pdf.page.height - MARGIN) pdf.addPage()
    const { y } = pdf
    const page = pdf.page
    pdf.text(when, left, y, { width: COLUMNS.at, lineBreak: false })
    pdf.text(who, left + COLUMNS.at, y, { width: COLUMNS.who - 8 })
    const below = pdf.y
    pdf.text(what, texts.x, y, { width: texts.width })
    pdf.y = (pdf.page === page ? Math.max(pdf.y, below) : pdf.y) + 5
  }

  pdf.font('Helvetica-Bold').fontSize(15).text(title)
  pdf.font('Helvetica').fontSize(10).moveDown(0.4)
  pdf.text(printable(about))
  pdf.text(`Gerado em ${at.format(now)}`).moveDown()
  row(['Data/Hora', 'Usuário', 'Mensagem'], 'Helvetica-Bold')

  return writeParts(pdf, rows, (page) => {
    for (const one of page) row([at.format(one.at), one.who, one.what], 'Helvetica')
  })
}

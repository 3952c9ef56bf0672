import type { Readable } from 'node:stream'
import { groupEventOf, groupEventText } from '#domain/messages/group-event.ts'
import { MESSAGE_TYPE_LABELS, type MessageType } from '#domain/messages/types.ts'
import type { MessageRecord } from '#features/ledger/server/messages/index.ts'

/** A conversation to export: header, and messages in order, read while they are written. */
export type Exported = {
  readonly name: string
  readonly contact: string
  readonly protocol: string
  readonly timezone: string
  readonly now: Date
  readonly messages: AsyncIterable<MessageRecord[]>
}

const MARGIN = 48
const COLUMNS = { at: 96, who: 110 } as const
const WAITING_BYTES = 1 << 20

/** The conversation on paper (product facts, F): date and time, who, what; a file is named. */
export async function conversationPdf(exported: Exported): Promise<Readable> {
  const { default: PdfDocument } = await import('pdfkit')
  const title = 'Relatório de Mensagens - Atendimento'
  const pdf = new PdfDocument({ size: 'A4', margin: MARGIN, info: { Title: title, CreationDate: exported.now } })
  const at = new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: exported.timezone,
  })
  const left = MARGIN
  const width = pdf.page.width - 2 * MARGIN
  const texts = { x: left + COLUMNS.at + COLUMNS.who, width: width - COLUMNS.at - COLUMNS.who }

  const row = (cells: readonly [string, string, string], font: string) => {
    pdf.font(font).fontSize(9)
    const [when, who, what] = cells.map(printable) as [string, string, string]
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
  pdf.text(printable(`${exported.contact} · protocolo ${exported.protocol}`))
  pdf.text(`Gerado em ${at.format(exported.now)}`).moveDown()
  row(['Data/Hora', 'Usuário', 'Mensagem'], 'Helvetica-Bold')

  const write = async () => {
    for await (const page of exported.messages) {
      for (const message of page) row([at.format(message.timestamp), authorOf(message), textOf(message)], 'Helvetica')
      // Waits for slow readers, so that a long conversation is never in memory as a whole.
      while (pdf.readableLength > WAITING_BYTES && !pdf.destroyed)
        await new Promise((resolve) => setTimeout(resolve, 20))
      if (pdf.destroyed) return
    }
    pdf.end()
  }
  write().catch((error: Error) => pdf.destroy(error))
  return pdf
}

const authorOf = (message: MessageRecord): string =>
  message.from_me
    ? `${message.user_name ?? 'Sistema'}${message.is_note && message.media_type !== 'group_event' ? ' (nota interna)' : ''}`
    : (message.sender?.name ?? message.contact_name)

function textOf({ is_deleted, media_type, body, file_name, data }: MessageRecord): string {
  if (is_deleted) return '(mensagem apagada)'
  const event = media_type === 'group_event' ? groupEventOf(data) : null
  if (event) return groupEventText(event)
  const label = MESSAGE_TYPE_LABELS[media_type as MessageType] ?? media_type
  const file = file_name ? `[${label}: ${file_name}]` : ''
  return [file, body].filter(Boolean).join('\n') || `[${label}]`
}

// The fonts that every reader of PDF has know Latin letters; what they lack is shown as missing, never as another letter.
const printable = (text: string): string =>
  text.normalize('NFC').replace(/[^\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/g, '¤')

import type { Readable } from 'node:stream'

/** Maximum number of bytes buffered for a slow reader. */
const WAITING_BYTES = 1 << 20

/** Writes parts into a PDF as they come, while it is read, and ends it; a long one is never in memory as a whole. */
export function writeParts<Part>(
  pdf: Readable & { end(): void },
  parts: AsyncIterable<Part>,
  write: (part: Part) => void,
): Readable {
  const writeAll = async () => {
    for await (const part of parts) {
      write(part)
      while (pdf.readableLength > WAITING_BYTES && !pdf.destroyed)
        await new Promise((resolve) => setTimeout(resolve, 20))
      if (pdf.destroyed) return
    }
    pdf.end()
  }
  writeAll().catch((error: Error) => pdf.destroy(error))
  return pdf
}

/** Returns a text in the Latin letters that the fonts of every reader of PDF have; others are shown as missing (`¤`). */
export const printable = (text: string): string =>
  text.normalize('NFC').replace(/[^\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/g, '¤')

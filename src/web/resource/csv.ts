import { lastOf } from '#domain/present.ts'
import { t } from '../t.ts'
/** Formats a CSV file as Brazilian spreadsheets open it: `;` between cells, CRLF, a byte-order mark, no formulas run. */
export function csv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`
}

function cell(value: unknown): string {
  const text = value === true ? t('Sim') : value === false ? t('Não') : String(value ?? '')
  // A spreadsheet would run a leading = + - @, tab or line end as a formula.
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Parses a CSV file into cells by line, separated by `;`, `,` or a tab; empty lines are left out. */
export function readCsv(file: string): string[][] {
  const text = file.replace(/^\uFEFF/, '')
  const [header = ''] = text.split(/\r?\n/, 1)
  const between = [';', '\t', ','].find((one) => header.includes(one)) ?? ';'
  const lines: string[][] = [[]]
  for (let at = 0; at < text.length; ) {
    const closed = quotedUpTo(text, at)
    let end = closed
    while (end < text.length && text[end] !== between && text[end] !== '\n') end += 1
    const cell = text.slice(at, end).replace(/\r$/, '')
    const isQuoted = closed > at && cell.length === closed - at
    const bare = isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell
    lastOf(lines).push(bare.replace(/^'(?=[=+\-@\t\r\n])/, ''))
    if (text[end] === '\n') lines.push([])
    else if (end === text.length - 1) lastOf(lines).push('')
    at = end + 1
  }
  return lines.filter((line) => line.some((one) => one.trim() !== ''))
}

/** Returns the end of the quoted cell that begins at a position; that position without one. */
function quotedUpTo(text: string, at: number): number {
  if (text[at] !== '"') return at
  let end = text.indexOf('"', at + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end < 0 ? at : end + 1
}

/** Decodes a spreadsheet's text file, in UTF-8 or in the Windows code page. */
export function decodeText(bytes: BufferSource): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Downloads a file in the browser. */
export function download(name: string, content: BlobPart, type = 'text/csv;charset=utf-8'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

import { t } from '../t.ts'
/** Text of a CSV file as Brazilian spreadsheets open it: `;` between cells, CRLF, a byte-order mark, no formulas run. */
export function csv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`
}

function cell(value: unknown): string {
  const text = value === true ? t('Sim') : value === false ? t('Não') : String(value ?? '')
  // A leading = + - @, tab or line end would be run as a formula by a spreadsheet.
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The cells of a CSV file by line, whether `;`, `,` or a tab stands between them; empty lines are left out. */
export function readCsv(file: string): string[][] {
  const text = file.replace(/^\uFEFF/, '')
  const [header = ''] = text.split(/\r?\n/, 1)
  const between = [';', '\t', ','].find((one) => header.includes(one)) ?? ';'
  const cells = new RegExp(`("(?:[^"]|"")*"|[^"${between}\r\n][^${between}\r\n]*|)(${between}|\r?\n|$)`, 'g')
  const lines: string[][] = [[]]
  for (const [all, cell = '', end] of text.matchAll(cells)) {
    if (all === '' && lines.at(-1)?.length === 0) break
    const bare = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
    lines.at(-1)!.push(bare.replace(/^'(?=[=+\-@\t\r\n])/, ''))
    if (end !== between) lines.push([])
    if (end === '') break
  }
  return lines.filter((line) => line.some((one) => one.trim() !== ''))
}

/** The text of a file that a spreadsheet wrote, in UTF-8 or in the Windows code page. */
export function decodeText(bytes: BufferSource): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Hands a file to the person. */
export function download(name: string, content: BlobPart, type = 'text/csv;charset=utf-8'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

import { t } from '../t.ts'
/** Text of a CSV file as Brazilian spreadsheets open it: `;` between cells, CRLF, a byte-order mark, no formulas run. */
export function csv(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`
}

function cell(value: unknown): string {
  const text = value === true ? t('Sim') : value === false ? t('Não') : String(value ?? '')
  // A leading = + - @, tab or line end would be run as a formula by a spreadsheet.
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands a file to the person. */
export function download(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { isUnreadable, unreadable } from './unreadable.ts'

const MB = 1024 * 1024
/** Maximum size of a spreadsheet, packed and unpacked (docs/limits.md); it is parsed as a whole. */
const MOST_BYTES = 20 * MB
const MOST_UNPACKED = 128 * MB
const MOST_PARTS = 2000
/** Maximum length of a text between two tags, in bytes; a cell has at most 32,767 characters. */
const LONGEST_TEXT = 400_000
/** Maximum number of cells between the first and the last one; empty cells take memory too. */
const MOST_CELLS = 40_000_000
/** Address of a row or cell element. */
const CELL_ADDRESS = /<(?:\w{1,20}:)?(?:row|c)\s[^<>]{0,200}?\br\s?=\s?["']([A-Z]{0,3})(\d{1,7})["']/g
/** Row or cell element with an unexpected address. */
const ODD_ADDRESS = /<(?:\w{1,20}:)?(?:row|c)\s[^<>]{0,200}?\br\s?=\s?["'](?![A-Z]{0,3}\d{1,7}["'])/
const LONGEST_ADDRESS = 250
const TOO_LARGE = 'Esta planilha é grande demais. Salve-a como CSV e importe de novo.'
const LONG_CELL = 'Esta planilha tem uma célula longa demais. Encurte o texto e importe de novo.'
/** Error texts of a spreadsheet that cannot be parsed, or would need too much memory. */
export const NOT_A_SHEET = 'Esta planilha não pôde ser aberta. Salve-a de novo como XLSX, ou como CSV.'

/** Returns the first sheet's cells as texts. Throws an `isUnreadable` error if there is none, or if it unpacks to too much. */
export async function sheetRows(path: string): Promise<string[][]> {
  if ((await stat(path)).size > MOST_BYTES) throw unreadable(TOO_LARGE)
  const { readSheet } = await import('read-excel-file/node')
  try {
    await measure(path)
    return (await readSheet(await readFile(path))).map((cells) => cells.map(cellText))
  } catch (error) {
    throw isUnreadable(error) ? error : unreadable(NOT_A_SHEET)
  }
}

/** Measures the unpacked size without storing anything; the parser would keep all of it in memory. */
async function measure(path: string): Promise<void> {
  const { Parse } = await import('unzipper-esm')
  const parts = pipeline(createReadStream(path), Parse({ forceStream: true }), () => {})
  let unpacked = 0
  let count = 0
  const area = { rows: 1, columns: 1 }
  for await (const part of parts) {
    if (++count > MOST_PARTS) throw unreadable(TOO_LARGE)
    let text = 0
    let tail = ''
    for await (const bytes of part) {
      unpacked += bytes.length
      if (unpacked > MOST_UNPACKED) throw unreadable(TOO_LARGE)
      const last = bytes.lastIndexOf('<')
      text = last < 0 ? text + bytes.length : bytes.length - last
      if (text > LONGEST_TEXT) throw unreadable(LONG_CELL)
      const xml = tail + bytes.toString('latin1')
      widen(area, xml)
      if (area.rows * area.columns > MOST_CELLS) throw unreadable(TOO_LARGE)
      tail = xml.slice(-LONGEST_ADDRESS)
    }
  }
}

/** Extends the area to the rows and cells named in a piece of a sheet; throws for an unexpected address. */
function widen(area: { rows: number; columns: number }, xml: string): void {
  for (const [, letters = '', row] of xml.matchAll(CELL_ADDRESS)) {
    area.rows = Math.max(area.rows, Number(row))
    area.columns = Math.max(
      area.columns,
      [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
    )
  }
  // An address may be cut off at the end of a piece.
  if (ODD_ADDRESS.test(xml.slice(0, -LONGEST_ADDRESS))) throw unreadable(NOT_A_SHEET)
}

const cellText = (cell: unknown): string => {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não'
  return typeof cell === 'number' ? String(cell).replace('.', ',') : String(cell ?? '')
}

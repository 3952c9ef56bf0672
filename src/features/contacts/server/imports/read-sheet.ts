import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { isUnreadable, unreadable } from './unreadable.ts'

const MB = 1024 * 1024
/** A spreadsheet is taken apart as a whole: what it may be as it is, and unpacked (docs/limits.md). */
const MOST_BYTES = 20 * MB
const MOST_UNPACKED = 128 * MB
const MOST_PARTS = 2000
/** A text between two tags, in bytes: a cell has at most 32,767 letters. */
const LONGEST_TEXT = 400_000
/** Cells between the first and the last that is named: what is empty takes memory too. */
const MOST_CELLS = 40_000_000
/** Which row or cell an element is, as far as it can be one. */
const CELL_ADDRESS = /<(?:\w{1,20}:)?(?:row|c)\s[^<>]{0,200}?\br\s?=\s?["']([A-Z]{0,3})(\d{1,7})["']/g
/** An element of which it is not said so. */
const ODD_ADDRESS = /<(?:\w{1,20}:)?(?:row|c)\s[^<>]{0,200}?\br\s?=\s?["'](?![A-Z]{0,3}\d{1,7}["'])/
const LONGEST_ADDRESS = 250
const TOO_LARGE = 'Esta planilha é grande demais. Salve-a como CSV e importe de novo.'
const LONG_CELL = 'Esta planilha tem uma célula longa demais. Encurte o texto e importe de novo.'
/** What is said of a spreadsheet that cannot be taken apart, or only with more memory than there is for it. */
export const NOT_A_SHEET = 'Esta planilha não pôde ser aberta. Salve-a de novo como XLSX, ou como CSV.'

/** The cells of the first sheet as texts. Throws what is `isUnreadable` where it is none, or becomes too much unpacked. */
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

/** Unpacks it once without keeping anything: what reads it afterwards would keep all that it finds. */
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

/** Makes an area as large as the rows and cells that a piece of a sheet names. Throws where one is named otherwise. */
function widen(area: { rows: number; columns: number }, xml: string): void {
  for (const [, letters = '', row] of xml.matchAll(CELL_ADDRESS)) {
    area.rows = Math.max(area.rows, Number(row))
    area.columns = Math.max(
      area.columns,
      [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
    )
  }
  // Where a piece ends, so may a name.
  if (ODD_ADDRESS.test(xml.slice(0, -LONGEST_ADDRESS))) throw unreadable(NOT_A_SHEET)
}

const cellText = (cell: unknown): string => {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não'
  return typeof cell === 'number' ? String(cell).replace('.', ',') : String(cell ?? '')
}

import { createReadStream } from 'node:fs'
import iconv from 'iconv-lite'
import { type Encoding, judgeEncoding, likeliness } from '#domain/contacts/letters.ts'

/** Encoding of a text file, and the candidates with sample cells. */
export type Letters = {
  readonly encoding: Encoding
  /** True if another encoding is as likely and none was chosen. */
  readonly isDoubtful: boolean
  readonly candidates: readonly { readonly encoding: Encoding; readonly samples: readonly string[] }[]
}

const MOST_TERMS = 5000
const MOST_CELLS = 400
const SAMPLES = 4
/** Number of bytes examined on either side of a non-ASCII byte. */
const REACH = 40
const LINE_FEED = 10

/** Bytes that end a cell; letters and digits around a non-ASCII byte belong to its word. */
const CELL_ENDS = new Set(Buffer.from(';,\t|\r\n":='))
const isOfWord = (byte: number) =>
  byte >= 128 || (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)

/**
 * Returns the encoding of a text file: UTF-16 by its byte order mark, UTF-8 if valid throughout, else `chosen` or the most
 * likely one by its words.
 */
export async function lettersOf(path: string, chosen?: Encoding): Promise<Letters> {
  const sure = await sureEncoding(path)
  if (sure) return { encoding: chosen ?? sure, isDoubtful: false, candidates: [] }
  const { terms, cells } = await accentedIn(path)
  const { best, isDoubtful, candidates } = judgeEncoding(terms, decode)
  const samples = tellingCells(cells, candidates)
  return {
    encoding: chosen ?? best,
    isDoubtful: isDoubtful && chosen === undefined,
    candidates: candidates.map((encoding) => ({
      encoding,
      samples: samples.map((cell) => decode(cell, encoding).trim()),
    })),
  }
}

async function sureEncoding(path: string): Promise<Encoding | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  for await (const chunk of createReadStream(path)) {
    if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le'
    if (isFirst && chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be'
    isFirst = false
    if (!isDecoded(decoder, chunk)) return null
  }
  return isDecoded(decoder) ? 'utf-8' : null
}

function isDecoded(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

const decode = (bytes: string, encoding: Encoding): string => iconv.decode(Buffer.from(bytes, 'latin1'), encoding)

/** Returns the distinct words with non-ASCII bytes, and their cells; each letter is a byte. */
async function accentedIn(path: string): Promise<{ terms: string[]; cells: string[] }> {
  const terms = new Set<string>()
  const cells = new Set<string>()
  let rest: Buffer = Buffer.alloc(0)
  const take = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length && terms.size < MOST_TERMS; at++) {
      if (bytes[at]! < 128) continue
      const [begins, ends] = around(bytes, at, isOfWord)
      terms.add(bytes.toString('latin1', begins, ends))
      if (cells.size < MOST_CELLS)
        cells.add(bytes.toString('latin1', ...around(bytes, at, (byte) => !CELL_ENDS.has(byte))))
      at = ends
    }
  }
  for await (const chunk of createReadStream(path)) {
    const bytes: Buffer = Buffer.concat([rest, chunk])
    // Examines whole lines, unless one is longer than any of a table.
    const whole = bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length
    take(bytes.subarray(0, whole))
    rest = bytes.subarray(whole)
    if (terms.size >= MOST_TERMS) break
  }
  take(rest)
  return { terms: [...terms], cells: [...cells] }
}

function around(bytes: Buffer, at: number, isWithin: (byte: number) => boolean): [begins: number, ends: number] {
  let [begins, ends] = [at, at + 1]
  while (begins > 0 && at - begins < REACH && isWithin(bytes[begins - 1]!)) begins--
  while (ends < bytes.length && ends - at < REACH && isWithin(bytes[ends]!)) ends++
  return [begins, ends]
}

/** Returns the cells that best distinguish the candidates: short ones that most candidates decode to words. */
function tellingCells(cells: readonly string[], candidates: readonly Encoding[]): string[] {
  const termsOf = (cell: string) => cell.split(/[^\w\x80-\xff]+/).filter((term) => /[^ -~]/.test(term))
  const scoreOf = (cell: string) =>
    candidates.reduce(
      (sum, encoding) => sum + Math.min(...termsOf(cell).map((term) => likeliness(decode(term, encoding)))),
      0,
    )
  return cells
    .map((cell) => ({ cell, score: scoreOf(cell) }))
    .toSorted((one, other) => other.score - one.score || one.cell.length - other.cell.length)
    .slice(0, SAMPLES)
    .map(({ cell }) => cell)
}

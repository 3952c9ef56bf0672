import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { checkFile } from './check-file.ts'
import { checkInThread } from './check-thread.ts'
import type { SourceFile } from './read-file.ts'

/** Small files that become large, slow or endless when read. */
const folder = mkdtempSync(join(tmpdir(), 'guiche-imports-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MB = 1024 * 1024
const SHEET = 'xl/worksheets/sheet1.xml'
const asks = {
  persons: async () => ({ persons: new Map(), known: [] }),
  save: async () => true,
  saveLetters: async () => true,
  saveColumns: async () => true,
}
let files = 0
function fileOf(kind: SourceFile['kind'], bytes: string | Buffer) {
  const path = join(folder, `${++files}.${kind}`)
  writeFileSync(path, bytes)
  const options = { onDuplicate: 'update', tags: [], wallets: [], addTags: false, onlyFor: null } as const
  return { kind, path, columns: [], own: [], today: '2026-03-01', options } as unknown as Parameters<
    typeof checkFile
  >[0]
}
/** Creates a zip whose parts repeat a text. */
function zipOf(parts: Record<string, readonly [text: string, times: number]>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, [text, times]] of Object.entries(parts)) {
    const block = text.repeat(Math.ceil(MB / text.length))
    const all =
      times * text.length <= MB ? [text.repeat(times)] : Array(Math.ceil((times * text.length) / MB)).fill(block)
    zip.addReadStream(Readable.from(all), name)
  }
  zip.end()
  return buffer(zip.outputStream as Readable)
}
const manyParts = () => Object.fromEntries(Array.from({ length: 2100 }, (_, n) => [`xl/${n}.xml`, ['a', 1]] as const))

describe('what a file becomes is bounded', () => {
  it.each([
    ['a sheet of 160 MB', 'xlsx', () => zipOf({ [SHEET]: ['<c/>', 40 * MB] }), /grande demais/],
    ['a cell of 10 MB', 'xlsx', () => zipOf({ [SHEET]: ['x', 10 * MB] }), /célula longa demais/],
    ['a row beyond all others', 'xlsx', () => zipOf({ [SHEET]: ['<row r="1000000000">', 1] }), /não pôde ser aberta/],
    ['a cell far away', 'xlsx', () => zipOf({ [SHEET]: ['<c s="1" r="XFD1048576">', 1] }), /grande demais/],
    ['very many parts', 'xlsx', () => zipOf(manyParts()), /grande demais/],
    ['no sheet', 'xlsx', () => zipOf({ 'a.txt': ['a', 1] }), /não pôde ser aberta/],
    [
      'a line of an address book of 20 MB',
      'vcf',
      () => `BEGIN:VCARD\nNOTE:${'x'.repeat(20 * MB)}\nEND:VCARD\n`,
      /longa demais/,
    ],
    ['a line of a table of 20 MB', 'csv', () => `nome;numero\n${'x'.repeat(20 * MB)};1\n`, /longa demais/],
    ['a line of a table with very many cells', 'csv', () => `nome;numero\nAna${';'.repeat(90_000)}\n`, undefined],
  ] as const)('%s', async (_, kind, make, problem) => {
    const said = await checkFile(fileOf(kind, await make()), asks)
    if (problem) expect(said).toMatch(problem)
    else expect(said).toBeUndefined()
  })
})

describe('a thread that reads a file', () => {
  const table = () => fileOf('csv', `nome;numero\n${'Ana;21999990001\n'.repeat(1000)}`)
  const never = { ...asks, persons: () => new Promise<never>(() => {}) }

  it('ends when its import is cancelled, whatever it waits for', async () => {
    const looked: boolean[] = []
    const isOn = async () => looked.push(true) < 3
    expect(await checkInThread(table(), never, { isOn, lookMs: 20 })).toBeUndefined()
    expect(looked.length).toBeGreaterThanOrEqual(3)
  })

  it('ends when it works for too long without a word', async () => {
    const said = checkInThread(table(), asks, { isOn: async () => true, silentMs: 1 })
    expect(await said).toMatch(/demorou demais/)
  })
})

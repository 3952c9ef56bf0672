import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, it } from 'vitest'
import { sheetOf } from '#server/sheet.ts'
import { importsBy } from '#test/contact-imports.ts'
import { crossing } from '#test/crossing.ts'
import { make } from '#test/make.ts'
import { withProduct } from '#test/server.ts'

let atCheckpoint: ((name: string) => unknown) | null = null
const product = withProduct({ checkpoint: async (name) => void (await atCheckpoint?.(name)) })
let tenantId: number
let admin: string
const { send, ended, imported, steer } = importsBy(product, () => admin)

beforeEach(async () => {
  atCheckpoint = null
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = (await m.person(tenantId, { profile: 'admin' })).token
})

const everybody = () =>
  product().platform.db.read(tenantId, (db) => db.selectFrom('contacts').selectAll().orderBy('id').execute())
/** Returns valid lines below a header; a thousand of them are read in a worker thread. */
const lines = (count: number) => [
  'nome;numero;nota',
  ...Array.from({ length: count }, (_, n) => `Cliente ${n};2198${String(n).padStart(7, '0')};${'-'.repeat(120)}`),
]
/** Returns a workbook with a truncated sheet. */
async function tornSheet(): Promise<Buffer> {
  const rows = Readable.from(lines(500).map((line) => line.split(';')))
  const bytes = await buffer(await sheetOf('Contatos', rows))
  return bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 500)
}
/** Cancels an import after a committed block. */
function cancelBehind(block: number, id: () => Promise<string>) {
  let blocks = 0
  atCheckpoint = async (name) => {
    if (name === 'import block committed' && ++blocks === block) await steer('cancel', await id())
  }
}

it('killed in the middle it goes on, and nobody comes in twice', async () => {
  let blocks = 0
  atCheckpoint = (name) => {
    // Once during the check, once while contacts are written.
    if (name === 'import block committed' && [2, 8].includes(++blocks))
      throw Object.assign(new Error('killed'), { code: 'ECONNRESET' })
  }
  const { id } = (await send(lines(1200).join('\n'))).body
  expect(await ended(id)).toMatchObject({ status: 'done', total: 1200, created: 1200, done: 1200, rejected: 0 })
  expect(blocks).toBeGreaterThan(8)
  const all = await everybody()
  expect([all.length, new Set(all.map(({ number }) => number)).size]).toEqual([1200, 1200])
  expect(await steer('undo', id)).toMatchObject({ restored: 1200, skipped: 0 })
  expect(await everybody()).toEqual([])
}, 60_000)

it('stopped while it is written, what came in stays and can be undone', async () => {
  const dry = await imported(lines(1200).join('\n'), { dryRun: true })
  cancelBehind(1, async () => dry.id)
  expect(await steer('run', dry.id)).toMatchObject({ status: 'canceled', done: 500, mayUndo: true })
  expect(await steer('undo', dry.id)).toMatchObject({ restored: 500 })
})

it('stopped while it is checked, no more of it counts', async () => {
  const begun = Promise.withResolvers<string>()
  // The first block is left from an earlier check.
  cancelBehind(2, () => begun.promise)
  const { id } = (await send(lines(1700).join('\n'), { dryRun: true })).body
  begun.resolve(id)
  expect(await ended(id)).toMatchObject({ phase: 'check', status: 'canceled', total: 500 })
})

it('what was said far above is a repetition, and a spreadsheet that is none is told so', async () => {
  const long = lines(1200)
  const done = await imported([...long, long[1], 'Ana;119'].join('\n'), { dryRun: true })
  expect(done).toMatchObject({ status: 'done', total: 1202, created: 1200, rejected: 2 })
  expect(done.firstRejected).toMatchObject([
    { line: 1202, problems: ['Repete a linha 2.'] },
    { line: 1203, problems: [expect.stringMatching(/^Número: /)] },
  ])
  const broken = await imported(await tornSheet(), {}, 'rasgada.xlsx')
  expect(broken).toMatchObject({
    status: 'failed',
    problem: expect.stringMatching(/^Esta planilha não pôde ser aberta/),
  })
})

it('a block that is decided while the next one is read counts, also where that one cannot be read', async () => {
  const broken = await imported([...lines(600), `"sem fim;1\n${'x'.repeat(200_000)}`].join('\n'))
  expect(broken).toMatchObject({ phase: 'check', status: 'failed', total: 500 })
  expect(broken.problem).toMatch(/aspas/)
  expect(await everybody()).toEqual([])
})

it('meets whoever takes one of its numbers in that very moment, and is undone whole all the same', async () => {
  const dry = await imported('nome;numero\nAna;21999990001\nBia;21999990002\nCaio;21999990003', { dryRun: true })
  expect(dry).toMatchObject({ created: 3 })
  const beatriz = `insert into contacts (tenant_id, name, number) values ($1, 'Beatriz', '5521999990002')`
  const run = await crossing(product().ownerUrl, [[beatriz, [tenantId]]], () => steer('run', dry.id))
  expect(run).toMatchObject({ status: 'done', done: 3 })
  const names = async () => (await everybody()).map(({ name }) => name).sort()
  expect(await names()).toEqual(['Ana', 'Bia', 'Caio'])
  expect(await steer('undo', dry.id)).toMatchObject({ status: 'done', restored: 3, skipped: 0 })
  expect(await names()).toEqual(['Beatriz'])
})

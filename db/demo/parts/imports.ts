import { Readable } from 'node:stream'
import type { DemoPart } from '#db/demo/part.ts'
import { usesOf } from '#domain/contacts/columns.ts'
import { readRow } from '#features/contacts/server/imports/rows.ts'
import { uuidv7 } from '#server/ids.ts'
import { phoneReader } from '#server/phone.ts'

const NAME = 'feira-de-outubro.csv'
const HEADER = 'nome;numero;email;dataNascimento;Origem;Limite de crédito'
const LINES = [
  'Aparecida Nunes;(19) 90555-0141;aparecida@casa.test;14/03/1968;Indicação;1.500,00',
  'Benedito Salles;19 90555-0142;;;Site;',
  'Célia Ramos;+55 19 90555-0143;celia@casa.test;;Loja;800',
  'Durval Pinto;90555-0144;;;Loja;',
  'Elza Moreira;(19) 90555-0145;elza.casa.test;;Instagram;',
  'Firmino Dias;(19) 90555-0146;;31/02/1975;Site;',
  'Graça Teles;(19) 90555-0147;graca@casa.test;;Televisão;muito',
  'Hélio Braga;(19) 90555-0148;;02/11/1981;Indicação;2.000',
]

/** Checked file of contacts that waits to be imported, with rejected rows and their reasons. */
export const part: DemoPart = {
  after: ['contact-fields'],
  async seed({ platform, db, tenantId }) {
    const now = platform.now()
    const name = { name: NAME, maxBytes: 10_000, now }
    const file = await platform.storage.save(tenantId, Readable.from([[HEADER, ...LINES].join('\r\n')]), name)
    await platform.storage.commit(file)
    await platform.storage.discard([file])
    const [id, fileId] = [uuidv7(), uuidv7()]
    const { sha256, path, mime, size } = file
    await db
      .insertInto('files')
      .values({ tenant_id: tenantId, id: fileId, sha256, path, name: NAME, mime, size })
      .execute()
    const own = await db.selectFrom('contact_fields').selectAll().where('tenant_id', '=', tenantId).execute()
    const titles = HEADER.split(';')
    const uses = usesOf(titles, own)
    const cells = LINES.map((line) => line.split(';'))
    const columns = titles.map((title, at) => ({
      ...{ title, use: uses[at]!, samples: cells.slice(0, 3).map((line) => line[at]!) },
    }))
    const fields = new Map(own.map((one) => [one.id, one as never]))
    const reading = { columns, fields, today: now.toISOString().slice(0, 10), readPhone: await phoneReader() }
    const read = cells.map((line, at) => readRow({ line: at + 2, cells: line }, reading))
    const rejected = read.flatMap((one) => ('problems' in one ? [one] : []))
    const lines = read.flatMap((one) => ('content' in one ? [{ line: one.line, content: one.content }] : []))
    await db
      .insertInto('contact_imports')
      .values({
        ...{ tenant_id: tenantId, id, kind: 'csv', file_id: fileId, name: NAME, columns: JSON.stringify(columns) },
        options: JSON.stringify({ onDuplicate: 'update', tags: [], wallets: [], addTags: false, onlyFor: null }),
        ...{ is_dry_run: true, phase: 'check', status: 'done', total: read.length, created: lines.length },
        ...{ rejected: rejected.length, created_at: now, ended_at: now },
      })
      .execute()
    await db
      .insertInto('contact_import_rows')
      .values(
        rejected.map(({ line, cells, problems }) => ({
          ...{ tenant_id: tenantId, import_id: id, line },
          ...{ cells: JSON.stringify(cells), problems: JSON.stringify(problems) },
        })),
      )
      .execute()
    await db
      .insertInto('contact_import_blocks')
      .values({ tenant_id: tenantId, import_id: id, line: lines[0]!.line, lines: JSON.stringify(lines) })
      .execute()
  },
}

import { Readable } from 'node:stream'
import { writeCard } from '#domain/contacts/vcard.ts'
import { formatDocument } from '#domain/documents/documents.ts'
import type { Input } from '#kit/contract.ts'
import type { OwnField } from '#kit/own-fields.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { textOf } from '#server/own-fields.ts'
import { tableFile } from '#server/sheet.ts'
import type { contactImports } from '../../imports-contract.ts'
import { narrowingOf, onlyFor } from '../list.ts'
import { type ContactRecord, loadContacts } from '../queries.ts'
import { listFields } from '../queries-fields.ts'
import { pageOfContacts } from '../queries-list.ts'

const PAGE = 500
const LONGEST_MS = 300_000

const day = (text: string): string => text.split('-').reverse().join('/')

/** Exported columns, under the titles that the import recognises. */
const COLUMNS: readonly (readonly [title: string, cell: (row: ContactRecord) => string])[] = [
  ['nome', (row) => row.name],
  ['numero', (row) => row.number ?? ''],
  ['email', (row) => row.email],
  ['cpf', (row) => formatDocument(row.cpf)],
  ['dataNascimento', (row) => day(row.birthday_date)],
  ['primeiroNome', (row) => row.first_name],
  ['ultimoNome', (row) => row.last_name],
  ['Empresa', (row) => row.business_name],
  ['etiquetas', (row) => row.tags.map(({ tag }) => tag).join(', ')],
  ['carteiras', (row) => row.wallets.map(({ name }) => name).join(', ')],
]

/** Exports the contacts that match a search and filters as a streamed file; aborts after five minutes. */
export async function exportContacts(
  ctx: SlowCtx,
  { format, ...filter }: Input<typeof contactImports.export>['body'],
): Promise<Download> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  const { fields, zone } = await reading(ctx.platform, ctx, async ({ db, settings }) => ({
    fields: await listFields(db),
    zone: settings.timezone,
  }))
  const ownOf = (row: ContactRecord, { id }: OwnField): string => {
    const value = row.own_fields.find((one) => one.id === id)
    return value ? textOf(value, zone) : ''
  }
  async function* rows() {
    yield [...COLUMNS.map(([title]) => title), ...fields.map(({ name }) => name)]
    for await (const page of everyContact(ctx, filter, signal))
      for (const row of page)
        yield [...COLUMNS.map(([, cell]) => cell(row)), ...fields.map((field) => ownOf(row, field))]
  }
  async function* cards() {
    for await (const page of everyContact(ctx, filter, signal))
      for (const { name, number, email, birthday_date: birthdayDate, ...row } of page) {
        if (row.is_group) continue
        const names = { firstName: row.first_name, lastName: row.last_name, businessName: row.business_name }
        const note = row.own_fields.map((one) => `${one.name}: ${textOf(one, zone)}`).join('\n')
        yield writeCard({ name, number: number ?? '', email, birthdayDate, ...names, note })
      }
  }
  if (format === 'vcf')
    return { name: 'contatos.vcf', contentType: 'text/vcard; charset=utf-8', stream: Readable.from(cards()) }
  return tableFile(format, { name: 'contatos', sheet: 'Contatos' }, rows())
}

// Opens a reader for each page, so that a slow client does not hold a database connection.
async function* everyContact(
  ctx: SlowCtx,
  filter: Omit<Input<typeof contactImports.export>['body'], 'format'>,
  signal: AbortSignal,
): AsyncGenerator<ContactRecord[]> {
  for (let after: [string, number] | null = null; ; ) {
    signal.throwIfAborted()
    const start = after
    const { found, rows } = await reading(ctx.platform, ctx, async (read) => {
      const { narrowing } = await narrowingOf(read, filter)
      const asked = { onlyFor: onlyFor({ user: ctx.user, settings: read.settings }), narrowing }
      const found = await pageOfContacts(read.db, { ...asked, after: start, offset: 0, limit: PAGE })
      return {
        found,
        rows: await loadContacts(
          read.db,
          found.map(({ id }) => id),
        ),
      }
    })
    if (rows.length > 0) yield rows
    const last = found.at(-1)
    if (!last || found.length < PAGE) return
    after = [last.sort_name, last.id]
  }
}

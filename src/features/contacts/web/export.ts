import { formatDocument } from '#domain/documents/documents.ts'
import { call } from '#web/client.ts'
import { csv, download } from '#web/resource/csv.ts'
import { readAll } from '#web/resource/read-all.ts'
import { shownOf } from '#web/ui/mask.ts'
import { type ContactRow, contacts } from '../contract.ts'

const mostRows = 100_000

/** The columns of the file, named as the import names them. */
const columns: readonly [string, (row: ContactRow) => string][] = [
  ['nome', (row) => row.name],
  ['numero', (row) => row.number ?? ''],
  ['email', (row) => row.email],
  ['cpf', (row) => formatDocument(row.cpf)],
  ['dataNascimento', (row) => shownOf('data', row.birthdayDate)],
  ['primeiroNome', (row) => row.firstName],
  ['ultimoNome', (row) => row.lastName],
  ['Empresa', (row) => row.businessName],
  ['etiquetas', (row) => row.tags.map((one) => one.tag).join(', ')],
  ['carteiras', (row) => row.wallets.map((one) => one.name).join(', ')],
]

type Filter = { searchParam?: string | undefined; tag: number[]; wallet: number[] }

/** Hands the person a CSV file of every contact that the filter lets through; answers how many. */
export async function exportContacts(filter: Filter, progress: (count: number) => void): Promise<number> {
  const rows = await readAll(
    async (cursor): Promise<{ rows: ContactRow[]; nextCursor: string | null }> => {
      const page = await call(contacts.list, { query: { ...filter, cursor } }, { long: true, quiet: true })
      return { rows: page.contacts, nextCursor: page.nextCursor }
    },
    mostRows,
    progress,
  )
  download(
    'contatos.csv',
    csv(
      columns.map(([name]) => name),
      rows.map((row) => columns.map(([, cell]) => cell(row))),
    ),
  )
  return rows.length
}

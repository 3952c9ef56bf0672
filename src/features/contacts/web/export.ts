import { formatDocument } from '#domain/documents/documents.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { t } from '#web/t.ts'
import { shownOf } from '#web/ui/inputs/mask.ts'
import type { ContactRow } from '../contract.ts'

/** The contacts as a file, its columns named as the import names them. */
export const contactsFile: CsvFile<ContactRow> = {
  name: 'contatos.csv',
  most: 100_000,
  columns: [
    ['nome', (row) => row.name],
    ['numero', (row) => row.number ?? ''],
    ['email', (row) => row.email],
    ['cpf', (row) => formatDocument(row.cpf)],
    ['dataNascimento', (row) => shownOf('data', row.birthdayDate)],
    ['primeiroNome', (row) => row.firstName],
    ['ultimoNome', (row) => row.lastName],
    [t('Empresa'), (row) => row.businessName],
    ['etiquetas', (row) => row.tags.map((one) => one.tag).join(', ')],
    ['carteiras', (row) => row.wallets.map((one) => one.name).join(', ')],
  ],
}

import type { CallInput } from '#kit/contract.ts'
import { call } from '#web/client.ts'
import { ExportMenu } from '#web/resource/ExportMenu.tsx'
import { t } from '#web/t.ts'
import { contactImports } from '../../imports-addresses.ts'

type Filter = Omit<CallInput<typeof contactImports.export>['body'], 'format'>

/** “Exportar”: exports the contacts that match search and filters, in a chosen format. */
export function ExportContacts({ filter }: { filter: Filter }) {
  return (
    <ExportMenu
      formats={['csv', 'xlsx', 'vcf']}
      file="contatos"
      take={(format) => call(contactImports.export, { body: { ...filter, format } }, { long: true, quiet: true })}
      done={t('Contatos exportados; a exportação fica registrada na auditoria.')}
    />
  )
}

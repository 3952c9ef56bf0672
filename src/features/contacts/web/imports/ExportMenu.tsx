import { Button } from '@mantine/core'
import { useState } from 'react'
import type { CallInput } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { download } from '#web/resource/csv.ts'
import { t } from '#web/t.ts'
import { ExportIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { contactImports } from '../../imports-addresses.ts'

const formats = [
  ['csv', t('Planilha (CSV)')],
  ['xlsx', t('Excel (XLSX)')],
  ['vcf', t('Agenda (VCF)')],
] as const

type Filter = Omit<CallInput<typeof contactImports.export>['body'], 'format'>

/** “Exportar”: the contacts that search and filters let through, in the form that the person chooses. */
export function ExportMenu({ filter }: { filter: Filter }) {
  const [isBusy, setBusy] = useState(false)
  const take = async (format: (typeof formats)[number][0]) => {
    setBusy(true)
    await attempt(async () => {
      const file = await call(contactImports.export, { body: { ...filter, format } }, { long: true, quiet: true })
      download(`contatos.${format}`, file as Blob)
    }, t('Contatos exportados; a exportação fica registrada na auditoria.'))
    setBusy(false)
  }
  return (
    <CommandMenu
      label={t('Exportar')}
      commands={formats.map(([id, label]) => ({ id, label, run: () => void take(id) }))}
      target={
        <Button variant="default" leftSection={<ExportIcon size={17} />} loading={isBusy}>
          {t('Exportar')}
        </Button>
      }
    />
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import type { CallInput } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { download } from '#web/resource/csv.ts'
import { t } from '#web/t.ts'
import { ExportIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { opportunities } from '../addresses.ts'
import type { Filter } from './board-filter.ts'

const formats = [
  ['csv', t('Planilha (CSV)')],
  ['xlsx', t('Excel (XLSX)')],
] as const

/** “Exportar”: the opportunities that the filters let through, in the form that the person chooses. */
export function ExportMenu({ filter }: { filter: Filter & { pipelineId: number } }) {
  const [isBusy, setBusy] = useState(false)
  const take = async (format: (typeof formats)[number][0]) => {
    setBusy(true)
    await attempt(async () => {
      const { ordenacao: _, ...narrowing } = filter
      const body = { ...narrowing, format } as CallInput<typeof opportunities.export>['body']
      const file = await call(opportunities.export, { body }, { long: true, quiet: true })
      download(`oportunidades.${format}`, file as Blob)
    }, t('Oportunidades exportadas; a exportação fica registrada na auditoria.'))
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

import { call } from '#web/client.ts'
import { ExportMenu } from '#web/resource/ExportMenu.tsx'
import { t } from '#web/t.ts'
import { opportunities } from '../addresses.ts'
import type { Filter } from './board-filter.ts'

/** “Exportar”: exports the opportunities that match the filters, in a chosen format. */
export function ExportOpportunities({ filter }: { filter: Filter & { pipelineId: number } }) {
  const { ordenacao: _, ...narrowing } = filter
  return (
    <ExportMenu
      formats={['csv', 'xlsx']}
      file="oportunidades"
      take={(format) => {
        const body = { ...narrowing, format }
        return call(opportunities.export, { body }, { long: true, quiet: true })
      }}
      done={t('Oportunidades exportadas; a exportação fica registrada na auditoria.')}
    />
  )
}

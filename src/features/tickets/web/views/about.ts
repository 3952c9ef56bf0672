import type { TicketView } from '#features/tickets/views-contract.ts'
import { t } from '#web/t.ts'

const lost = {
  queue: t('Uma fila desta visão foi excluída.'),
  tag: t('Uma etiqueta desta visão foi excluída.'),
  connection: t('Um canal desta visão foi excluído.'),
  user: t('Uma pessoa desta visão não está mais aqui.'),
} as const

/** With whom a view is shared, and what it names and is gone. */
export const aboutView = ({ audience, queue, missing }: TicketView): string => {
  const whose = {
    person: t('Só você'),
    queue: t('Fila {queue}', { queue: queue ?? '–' }),
    company: t('Toda a empresa'),
  }
  return [whose[audience], ...missing.map((kind) => lost[kind])].join(' · ')
}

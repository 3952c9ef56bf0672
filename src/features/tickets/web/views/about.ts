import type { TicketView } from '#features/tickets/views-contract.ts'
import { t } from '#web/t.ts'

const lost = {
  queue: t('Uma fila desta visão foi excluída.'),
  tag: t('Uma etiqueta desta visão foi excluída.'),
  connection: t('Um canal desta visão foi excluído.'),
  user: t('Uma pessoa desta visão não está mais aqui.'),
} as const

/** Describes a view's audience, and referenced records that no longer exist. */
export const aboutView = ({ audience, queue, missing }: TicketView): string => {
  const whose = {
    person: t('Só você'),
    queue: t('Fila {queue}', { queue: queue ?? '–' }),
    company: t('Toda a empresa'),
  }
  return [whose[audience], ...missing.map((kind) => lost[kind])].join(' · ')
}

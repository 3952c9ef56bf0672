import { EVENT_TYPES, eventTypes } from '#domain/webhook-endpoints/types.ts'
import { t } from '#web/t.ts'

const FAMILIES: Readonly<Record<string, string>> = {
  message: t('Mensagens'),
  ticket: t('Atendimentos'),
  contact: t('Contatos'),
  opportunity: t('Oportunidades'),
  user: t('Usuários'),
  channel: t('Canais'),
  rating: t('Avaliações'),
  api: t('API'),
}
const familyOf = (type: string): string => type.split('.')[0]!

/** Available subscriptions by family. */
export const offeredEvents = [
  { group: t('Tudo'), items: [{ value: '*', label: t('Todos os eventos') }] },
  ...Object.entries(FAMILIES).map(([family, group]) => {
    const items = eventTypes
      .filter((type) => familyOf(type) === family)
      .map((type): { value: string; label: string } => ({ value: type, label: EVENT_TYPES[type] }))
    const all = { value: `${family}.*`, label: t('{family}: tudo', { family: group }) }
    return { group, items: items.length > 1 ? [all, ...items] : items }
  }),
]

/** Returns the display name of a subscription. */
export const eventName = (pattern: string): string =>
  offeredEvents.flatMap(({ items }) => items).find(({ value }) => value === pattern)?.label ?? pattern

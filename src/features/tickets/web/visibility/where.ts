import type { ListTab } from '#domain/tickets/filter.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'

const tabs = { open: t('Abertos'), pending: t('Pendentes'), closed: t('Resolvidos') } as const

/** Describes in which tab a ticket is, and for snoozed or chatbot tickets until when; `row`: its known row. */
export function whereIs(tab: Exclude<ListTab, 'live'>, row?: Pick<TicketRow, 'isGroup' | 'snoozedUntil'>): string {
  if (tab === 'snoozed')
    return row?.snoozedUntil
      ? t('Está na aba Adiados até {when}, ou até o cliente escrever.', { when: formatDateTime(row.snoozedUntil) })
      : t('Está na aba Adiados até a hora marcada, ou até o cliente escrever.')
  if (tab === 'chatbot') return t('Está na aba Chatbot enquanto o chatbot atende, e não em Pendentes.')
  return row?.isGroup
    ? t('Está em Grupos, na aba {tab}.', { tab: tabs[tab] })
    : t('Está em Conversas, na aba {tab}.', { tab: tabs[tab] })
}

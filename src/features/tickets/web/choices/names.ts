import type { SlaClock } from '#domain/sla/clocks.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'

/** Returns the name of a ticket's owner: “Você”, a colleague, or none. */
export function ownerOf({ userId, username }: Pick<TicketRow, 'userId' | 'username'>): string {
  if (userId === null) return t('Sem responsável')
  return userId === viewer().userId ? t('Você') : (username ?? t('Outra pessoa'))
}

/**
 * Returns a ticket's preview as one line: without bold and italic marks and without the signature of older previews; in a
 * group with the author's first name.
 */
export const previewText = ({
  lastMessage,
  lastMessageFromMe,
  lastMessageSender,
}: Pick<TicketRow, 'lastMessage' | 'lastMessageFromMe' | 'lastMessageSender'>) =>
  (lastMessageSender ? `${lastMessageSender.split(' ')[0]}: ` : '') +
  (lastMessageFromMe ? lastMessage.replace(/^(\p{L}+: )?\*[^*\n]{1,140}\*:\s*/u, '$1') : lastMessage).replace(
    /(^|[^\p{L}\p{N}])[*_~](\S(?:[^*_~\n]*\S)?)[*_~](?![\p{L}\p{N}])/gu,
    '$1$2',
  )

const MINUTE = 60_000

/** Classifies a waiting time (ms): fresh, late from 15 minutes on, overdue from an hour on. */
export const ageOf = (wait: number): 'fresh' | 'late' | 'overdue' =>
  wait < 15 * MINUTE ? 'fresh' : wait < 60 * MINUTE ? 'late' : 'overdue'

/** Display names of SLA clocks. */
export const clockNames = {
  first: t('primeira resposta'),
  next: t('próxima resposta'),
  solution: t('solução'),
} as const satisfies Record<SlaClock, string>

import type { SlaClock } from '#domain/sla/clocks.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'

/** Who attends: “Você”, a colleague, or nobody. */
export function ownerOf({ userId, username }: Pick<TicketRow, 'userId' | 'username'>): string {
  if (userId === null) return t('Sem responsável')
  return userId === viewer().userId ? t('Você') : (username ?? t('Outra pessoa'))
}

/**
 * The preview as a line of its own: no marks of bold and italics, nor the signature that older previews hold; in a group
 * with the first name of who wrote it.
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

/** How old a wait (in ms) is: fresh, late from a quarter of an hour on, overdue from an hour on. */
export const ageOf = (wait: number): 'fresh' | 'late' | 'overdue' =>
  wait < 15 * MINUTE ? 'fresh' : wait < 60 * MINUTE ? 'late' : 'overdue'

/** What is promised, as it is told of. */
export const clockNames = {
  first: t('primeira resposta'),
  next: t('próxima resposta'),
  solution: t('solução'),
} as const satisfies Record<SlaClock, string>

import { t } from '#web/t.ts'

/** Returns the title of the explanation: for the agent, for a colleague, or for a ticket without agent. */
export function whyTitle(row: { userId: number | null; username?: string | null } | undefined, ownId: number): string {
  if (!row || row.userId === null) return t('Por que ninguém atende?')
  return row.userId === ownId
    ? t('Por que veio para mim?')
    : t('Por que está com {name}?', { name: row.username ?? '' })
}

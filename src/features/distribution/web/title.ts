import { t } from '#web/t.ts'

/** What is asked about whose a ticket is: by its owner, by a colleague, or of one that nobody has. */
export function whyTitle(row: { userId: number | null; username?: string | null } | undefined, ownId: number): string {
  if (!row || row.userId === null) return t('Por que ninguém atende?')
  return row.userId === ownId
    ? t('Por que veio para mim?')
    : t('Por que está com {name}?', { name: row.username ?? '' })
}

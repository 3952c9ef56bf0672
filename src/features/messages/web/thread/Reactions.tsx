import type { MessageRow } from '#features/ledger/message-rows.ts'
import { t } from '#web/t.ts'
import css from '../parts/bubble.module.css'

/** Reactions of the contact and the team; one still being sent is pale. */
export function Reactions({ message: { reaction, reactionFromMe, acts } }: { message: MessageRow }) {
  const wanted = acts.findLast(({ type, status }) => type === 'react' && status === 'pending')
  const ours = wanted ? wanted.emoji : reactionFromMe
  if (!reaction && !ours) return null
  return (
    <span className={css.reaction}>
      {reaction && (
        <span role="img" aria-label={t('O contato reagiu com {reaction}', { reaction })}>
          {reaction}
        </span>
      )}
      {ours && (
        <span
          role="img"
          data-waits={Boolean(wanted) || undefined}
          aria-label={t('A equipe reagiu com {reaction}', { reaction: ours })}
        >
          {ours}
        </span>
      )}
    </span>
  )
}

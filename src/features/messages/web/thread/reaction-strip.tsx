import type { ReactNode } from 'react'
import { t } from '#web/t.ts'
import { reactions } from '../acting/reactions.ts'
import css from '../acts/acts.module.css'

/** Number of reactions beside a bubble. */
const quick = 5

/** Reactions that are offered in few places: beside a bubble, and where there is no hover in its menu. */
export const quickReactions: readonly string[] = reactions.slice(0, quick)

/** Reactions beside the hovered bubble, and what follows them. */
export function ReactionStrip(props: {
  isOut: boolean
  isOwn: (emoji: string) => boolean
  onReact: (emoji: string) => void
  children?: ReactNode
}) {
  const { isOut, isOwn, onReact, children } = props
  return (
    <span className={css.strip} data-out={isOut || undefined} role="group" aria-label={t('Reagir')}>
      {quickReactions.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={isOwn(emoji)}
          aria-label={t('Reagir com {emoji}', { emoji })}
          onClick={() => onReact(emoji)}
        >
          {emoji}
        </button>
      ))}
      {children}
    </span>
  )
}

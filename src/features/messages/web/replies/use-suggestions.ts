import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { answered, askedAt, type Choice, type Choices } from '../mentions/suggestions.ts'

const most = 30

/** Chosen suggestion with the resulting text and caret position; `fill` inserts another text instead. */
type Answer = ReturnType<typeof answered> & { choice: Choice; fill: (other: string) => string }

/** Suggestions at the caret for `/` and, in notes, `@`; `asked` is null while there is no request or it was dismissed. */
export function useSuggestions(input: { ticket: TicketDetail; text: string; caret: number; isNote: boolean }) {
  const { ticket, text, caret, isNote } = input
  const [dismissed, setDismissed] = useState(-1)
  const [at, setAt] = useState(0)
  const found = askedAt(text, caret)
  const mentionsMembers = !isNote && ticket.isGroup && ticket.capabilities.mentions
  const fits = found && (found.sign === '/' || isNote || mentionsMembers) && found.from !== dismissed ? found : null
  const sign = fits?.sign
  const typed = fits?.typed ?? ''
  const { id } = ticket
  // Suggestions and their code load at the first sign.
  const { data: offered } = useQuery({
    queryKey: ['attendance', 'suggestions', sign, isNote, id],
    queryFn: async (): Promise<Choices> => {
      if (sign === '/') return (await import('./quick-replies.ts')).loadReplies()
      if (isNote) return (await import('../mentions/mentionable.ts')).loadMentions(id)
      return (await import('../mentions/members.ts')).loadMembers(id)
    },
    enabled: sign !== undefined,
    staleTime: 0,
  })
  const choices = useMemo(() => (sign && offered?.(typed, ticket)) || [], [sign, typed, offered, ticket])
  const asked = fits && (choices.length > 0 || fits.sign === '/') ? fits : null
  const listId = useId()
  const items = choices.slice(0, most)
  const current = Math.min(at, Math.max(0, items.length - 1))
  return {
    asked,
    items,
    count: choices.length,
    at: current,
    /** ARIA attributes of the text field while it controls the list. */
    field: asked
      ? ({
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': listId,
          'aria-activedescendant': `${listId}-${current}`,
        } as const)
      : {},
    listId,
    /** Returns the text with a suggestion inserted, and the new caret position. */
    answer(index: number): Answer | null {
      const choice = items[index]
      if (!choice || !asked) return null
      setAt(0)
      return { choice, ...answered(text, asked, choice.answer), fill: (other) => answered(text, asked, other).text }
    },
    /** Handles the keys of the list; returns whether the event was one of them. */
    keys(event: KeyboardEvent, pick: (index: number) => void): boolean {
      if (!asked) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const isPick = event.key === 'Enter' || event.key === 'Tab'
      if (event.key === 'Escape') {
        event.stopPropagation()
        setDismissed(asked.from)
      } else if (items.length > 0 && (step || isPick)) {
        event.preventDefault()
        if (step) setAt((current + step + items.length) % items.length)
        else pick(current)
      } else return false
      return true
    },
  }
}

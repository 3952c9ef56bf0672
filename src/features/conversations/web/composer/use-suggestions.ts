import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { askedAt, type Choices } from './suggestions.ts'

const most = 30

/** What `/` (and in notes `@`) offers at the caret; `asked` is null while nothing is asked for or it was dismissed. */
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
  // What is offered is loaded with the first sign, and so is the code that knows it.
  const { data: offered } = useQuery({
    queryKey: ['attendance', 'suggestions', sign, isNote, id],
    queryFn: async (): Promise<Choices> => {
      if (sign === '/') return (await import('./quick-replies.ts')).loadReplies()
      if (isNote) return (await import('../mentions/mentionable.ts')).loadMentions(id)
      return (await import('./members.ts')).loadMembers(id)
    },
    enabled: sign !== undefined,
    staleTime: 0,
  })
  const choices = useMemo(() => (sign && offered?.(typed, ticket)) || [], [sign, typed, offered, ticket])
  const asked = fits && (choices.length > 0 || fits.sign === '/') ? fits : null
  return {
    asked,
    choices: choices.slice(0, most),
    count: choices.length,
    at: Math.min(at, Math.max(0, Math.min(most, choices.length) - 1)),
    setAt,
    dismiss: () => setDismissed(fits?.from ?? -1),
  }
}

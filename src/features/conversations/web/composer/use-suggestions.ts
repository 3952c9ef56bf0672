import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { fastReplies } from '#features/catalog/addresses.ts'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import type { Choice } from './choices.ts'
import { askedAt } from './suggestions.ts'

const most = 30

/** What `/` (and in notes and groups `@`) offers at the caret; `asked` is null while nothing is asked for or it was dismissed. */
export function useSuggestions(input: {
  ticket: TicketDetail
  text: string
  caret: number
  isNote: boolean
  colleagues: readonly { id: number; name: string; email: string }[]
}) {
  const { ticket, text, caret, isNote, colleagues } = input
  const [dismissed, setDismissed] = useState(-1)
  const [at, setAt] = useState(0)
  const found = askedAt(text, caret)
  const mentionsMembers = !isNote && ticket.isGroup && ticket.capabilities.mentions
  const fits = found && (found.sign === '/' || isNote || mentionsMembers) && found.from !== dismissed ? found : null
  const sign = fits?.sign
  const typed = fits?.typed ?? ''
  // What is chosen from, and what reads it, is loaded when first asked for.
  const { data: replies } = useQuery({
    ...choicesOf(fastReplies.list, (page) => page.items),
    enabled: sign === '/',
  })
  const members = useMembers(ticket.id, mentionsMembers && sign === '@')
  const { data: choose } = useQuery({
    queryKey: ['attendance', 'suggestions'],
    queryFn: async () => (await import('./choices.ts')).choicesFor,
    enabled: sign !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const choices = useMemo(() => {
    const people = mentionsMembers ? { members } : { colleagues }
    return (sign && choose?.(sign, typed, { ticket, replies, ...people })) || []
  }, [sign, typed, replies, choose, colleagues, ticket, mentionsMembers, members])
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

// Read when somebody is about to be mentioned.
function useMembers(ticketId: number, isAsked: boolean): readonly Choice[] {
  const [members, setMembers] = useState<readonly Choice[]>([])
  useEffect(() => {
    if (isAsked) void import('./members.ts').then(({ memberChoices }) => memberChoices(ticketId)).then(setMembers)
  }, [ticketId, isAsked])
  return members
}

import { useEffect, useMemo, useState } from 'react'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { askedAt, type Choice, type Find, matching } from './suggestions.ts'

const most = 30

/** What `/` (and in notes `@`) offers at the caret; `asked` is null while nothing is asked for or it was dismissed. */
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
  const find = useFinder(ticket, sign === '/' ? 'replies' : sign === '@' && mentionsMembers ? 'members' : null)
  const choices = useMemo<readonly Choice[]>(() => {
    if (sign === undefined) return []
    if (sign === '/' || mentionsMembers) return find?.(typed) ?? []
    return matching(
      colleagues,
      typed,
      (one) => one.name,
      () => '',
    ).map((one) => ({ id: String(one.id), title: one.name, key: '', preview: one.email, answer: `@${one.name} ` }))
  }, [sign, typed, find, colleagues, mentionsMembers])
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

// What is chosen from is read when it is first asked for.
function useFinder(ticket: TicketDetail, source: 'replies' | 'members' | null): Find | null {
  const [found, setFound] = useState<{ source: string; find: Find } | null>(null)
  useEffect(() => {
    if (!source) return
    let isWanted = true
    import('./choices.ts')
      .then((choices) => choices[source](ticket))
      .then((find) => isWanted && setFound({ source, find }))
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [ticket, source])
  return found?.source === source ? found.find : null
}

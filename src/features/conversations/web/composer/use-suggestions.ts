import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { fastReplies } from '#features/catalog/addresses.ts'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import type { Choice } from './quick-replies.ts'
import { askedAt, matching } from './suggestions.ts'

const most = 30

/** Every quick reply that the person may use; read when first asked for, then chosen from without the server. */
const useQuickReplies = (enabled: boolean) =>
  useQuery({ ...choicesOf(fastReplies.list, (page) => page.items), enabled })

/** What makes suggestions of them; loaded when first asked for. */
const useReader = (enabled: boolean) =>
  useQuery({
    queryKey: ['attendance', 'quickReplies'],
    queryFn: async () => (await import('./quick-replies.ts')).repliesFor,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })

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
  const fits = found && (found.sign === '/' || isNote) && found.from !== dismissed ? found : null
  const { data: replies } = useQuickReplies(fits?.sign === '/')
  const { data: repliesFor } = useReader(fits?.sign === '/')
  const sign = fits?.sign
  const typed = fits?.typed ?? ''
  const choices = useMemo<Choice[]>(() => {
    if (sign === '/') return repliesFor?.(ticket, replies ?? [], typed) ?? []
    if (sign !== '@') return []
    return matching(
      colleagues,
      typed,
      (one) => one.name,
      () => '',
    ).map((one) => ({ id: String(one.id), title: one.name, key: '', preview: one.email, answer: `@${one.name} ` }))
  }, [sign, typed, replies, repliesFor, colleagues, ticket])
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

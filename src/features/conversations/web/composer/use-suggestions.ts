import { useEffect, useMemo, useState } from 'react'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { fill, useQuickReplies, valuesOf } from './quick-replies.ts'
import type { Suggestion } from './SuggestionList.tsx'
import { askedAt, matching } from './suggestions.ts'

/** What is offered, and what it writes. */
export type Choice = Suggestion & { answer: string }

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
  const { data: replies } = useQuickReplies(fits?.sign === '/')
  const members = useMembers(ticket.id, mentionsMembers && fits?.sign === '@')
  const sign = fits?.sign
  const typed = fits?.typed ?? ''
  const choices = useMemo<Choice[]>(() => {
    if (sign === '/') return repliesFor(ticket, replies ?? [], typed)
    if (sign !== '@') return []
    if (mentionsMembers) return matching(members, typed, ...memberTexts)
    return matching(
      colleagues,
      typed,
      (one) => one.name,
      () => '',
    ).map((one) => ({ id: String(one.id), title: one.name, key: '', preview: one.email, answer: `@${one.name} ` }))
  }, [sign, typed, replies, colleagues, ticket, mentionsMembers, members])
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
const memberTexts = [({ title }: Choice) => String(title), () => ''] as const

function repliesFor(ticket: TicketDetail, replies: readonly FastReply[], typed: string): Choice[] {
  const values = valuesOf(ticket, Date.now())
  return matching(
    replies,
    typed,
    (one) => one.key,
    (one) => `${one.title} ${one.message}`,
  ).map((one) => {
    const answer = fill(one, values)
    const title = one.title || one.key
    return { id: String(one.id), title, key: `/${one.key}`, preview: answer.replace(/\s+/g, ' '), answer }
  })
}

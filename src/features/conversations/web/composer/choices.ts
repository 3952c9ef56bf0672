import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { renderTemplate, type TemplateValues, templateValues } from '#domain/messages/template.ts'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { isRestricted } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import type { Suggestion } from './SuggestionList.tsx'
import { matching } from './suggestions.ts'

/** A suggestion with what stands in the text when it is taken. */
export type Choice = Suggestion & { answer: string }

type Setting = { key: string; value: string }

/** What the variables stand for in this conversation, now. */
function valuesOf(ticket: TicketDetail, now: number): TemplateValues {
  const settings = stored<Setting[]>('configuracoes') ?? []
  const zone = settings.find(({ key }) => key === 'timezone')?.value ?? 'America/Sao_Paulo'
  const { email } = stored<{ email?: string }>('usuario') ?? {}
  return templateValues({
    // What is masked for the person is no word to a customer.
    ...(isRestricted()
      ? {}
      : {
          contact: {
            name: ticket.contact.name,
            businessName: ticket.contactDetail.businessName,
            email: ticket.contactDetail.email,
            phoneNumber: ticket.contact.number,
          },
        }),
    user: { name: viewer().username, email: email ?? '' },
    ticket: { id: ticket.id, createdAt: Date.parse(ticket.createdAt) },
    now,
    offsetMinutes: offsetMinutes(zone, now),
  })
}

/** The text of a quick reply as it would be sent. */
function fill(reply: FastReply, values: TemplateValues): string {
  const text = renderTemplate(reply.message, values)
  // Where a name is withheld, nothing is left before the comma.
  return isRestricted() ? text.replace(/ +(?=[,.!?])/g, '') : text
}

type From = {
  readonly ticket: TicketDetail
  readonly replies: readonly FastReply[] | undefined
  readonly colleagues?: readonly { id: number; name: string; email: string }[]
  /** Of a group, instead of colleagues. */
  readonly members?: readonly Choice[]
}

/** What fits what was typed: behind `/` quick replies, filled in for this conversation, behind `@` people. */
export function choicesFor(sign: '/' | '@', typed: string, { ticket, replies, colleagues, members }: From): Choice[] {
  if (sign === '/') return repliesFor(ticket, replies ?? [], typed)
  const people = members ?? (colleagues ?? []).map(colleagueOf)
  return matching(
    people,
    typed,
    ({ title }) => String(title),
    () => '',
  )
}

const colleagueOf = ({ id, name, email }: { id: number; name: string; email: string }): Choice => ({
  ...{ id: String(id), title: name, key: '', preview: email, answer: `@${name} ` },
})

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

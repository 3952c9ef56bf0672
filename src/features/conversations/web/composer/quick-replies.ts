import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { renderTemplate, type TemplateValues, templateValues } from '#domain/messages/template.ts'
import { fastReplies } from '#features/catalog/addresses.ts'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { isRestricted } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'

/** Every quick reply that the person may use; read when first asked for, then chosen from without the server. */
export const quickReplies = choicesOf(fastReplies.list, (page) => page.items)

type Setting = { key: string; value: string }

/** What the variables stand for in this conversation, now. */
export function valuesOf(ticket: TicketDetail, now: number): TemplateValues {
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
export function fill(reply: FastReply, values: TemplateValues): string {
  const text = renderTemplate(reply.message, values)
  // Where a name is withheld, nothing is left before the comma.
  return isRestricted() ? text.replace(/ +(?=[,.!?])/g, '') : text
}

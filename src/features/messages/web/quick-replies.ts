import { useQuery } from '@tanstack/react-query'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { renderTemplate, type TemplateValues, templateValues } from '#domain/messages/template.ts'
import type { TicketDetail } from '#features/tickets/contract.ts'
import { request } from '#web/api.ts'
import { stored, viewer } from '#web/session.ts'

/** A quick reply: what is typed after `/`, and what it writes, with `{{variables}}`. */
export type QuickReply = { id: number; key: string; message: string }

/** All quick replies that the person may use; read when first asked for. */
export const useQuickReplies = (enabled: boolean) =>
  useQuery({
    queryKey: ['fastReplies', 'composer'],
    queryFn: ({ signal }) => request<{ items: QuickReply[] }>('GET', '/fast-replies', { signal, quiet: true }),
    select: ({ items }) => items,
    staleTime: 60_000,
    enabled,
  })

type Setting = { key: string; value: string }

/** What the variables stand for in this conversation, now. */
export function valuesOf(ticket: TicketDetail, now: number): TemplateValues {
  const settings = stored<Setting[]>('configuracoes') ?? []
  const zone = settings.find(({ key }) => key === 'timezone')?.value ?? 'America/Sao_Paulo'
  const { email } = stored<{ email?: string }>('usuario') ?? {}
  return templateValues({
    contact: {
      name: ticket.contact.name,
      businessName: ticket.contactDetail.businessName,
      email: ticket.contactDetail.email,
      phoneNumber: ticket.contact.number,
    },
    user: { name: viewer().username, email: email ?? '' },
    ticket: { id: ticket.id, createdAt: Date.parse(ticket.createdAt) },
    now,
    offsetMinutes: offsetMinutes(zone, now),
  })
}

/** The text of a quick reply as it would be sent. */
export const fill = (reply: QuickReply, values: TemplateValues): string => renderTemplate(reply.message, values)

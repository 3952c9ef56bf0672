import { offsetMinutes } from '#domain/calendar/local-time.ts'
import {
  emptyVariables,
  renderTemplate,
  type TemplateValues,
  templateValues,
  withoutGaps,
} from '#domain/messages/template.ts'
import { fastReplies } from '#features/catalog/addresses.ts'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import { fastReplyFiles } from '#features/catalog/uses-addresses.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { apiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { choicesOf, fetchChoices } from '#web/resource/read-all.ts'
import { isRestricted } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import { acting } from '../acting/acting.ts'
import { matching } from '../mentions/matching.ts'
import type { Choice, Choices } from '../mentions/suggestions.ts'
import { attachAll, want } from '../outbox/attachments.ts'

/** Loads the `/` suggestions: every quick reply that the person may use, read on first use. */
export async function loadReplies(): Promise<Choices> {
  const replies = await fetchChoices(choicesOf(fastReplies.list, (page) => page.items))
  return (typed, ticket) => {
    const values = valuesOf(ticket, Date.now())
    return matching(
      replies.filter(({ queueId }) => queueId === null || queueId === ticket.queueId),
      typed,
      (one) => one.key,
      (one) => `${one.title} ${one.message}`,
    ).map((one) => {
      const answer = fill(one.message, values)
      const title = one.title || one.key
      const preview = [answer.replace(/\s+/g, ' '), ...one.files.map(({ name }) => name)].join(' · ')
      return {
        id: String(one.id),
        title,
        key: `/${one.key}`,
        preview,
        answer,
        reply: one,
        ...completing(title, one.message, values),
      }
    })
  }
}

// Users who may not read contact data are not asked for it.
function completing(title: string, message: string, values: TemplateValues): Pick<Choice, 'complete'> {
  const names = isRestricted() ? [] : emptyVariables(message, values)
  if (names.length === 0) return {}
  return {
    complete: (onFill) =>
      acting.set({ what: 'fill', title, names, onFill: (given) => onFill(fill(message, { ...values, ...given })) }),
  }
}

/** Adds the files of a quick reply to the tray, recordings as voice notes where the reply says so. */
export async function attachFilesOf(
  { files, voice }: FastReply,
  taken: number,
  capabilities: Parameters<typeof attachAll>[2],
  setFiles: Parameters<typeof want>[3],
): Promise<void> {
  const read = await Promise.all(
    files.map(async ({ url, name, mime }) => {
      const answer = await fetch(url)
      if (!answer.ok) throw apiError('ERR_NETWORK', answer.status)
      return new File([await answer.blob()], name, { type: mime })
    }),
  )
  const next = attachAll(read, taken, capabilities)
  setFiles((all) => [...all, ...next])
  for (const file of voice ? next : [])
    if (file.wishes.includes('voice')) await want(file, 'voice', capabilities, setFiles)
}

/** Counts uses of sent quick replies, in the background. */
export const countUses = (ids: Iterable<number>): void => {
  for (const id of ids) void call(fastReplyFiles.use, { params: { id } }, { quiet: true }).catch(() => {})
}

type Setting = { key: string; value: string }

// Current values of the variables in this conversation.
function valuesOf(ticket: TicketDetail, now: number): TemplateValues {
  const settings = stored<Setting[]>('configuracoes') ?? []
  const zone = settings.find(({ key }) => key === 'timezone')?.value ?? 'America/Sao_Paulo'
  const { email } = stored<{ email?: string }>('usuario') ?? {}
  return templateValues({
    // Values masked for the user must not reach the customer.
    ...(isRestricted()
      ? {}
      : {
          contact: {
            name: ticket.contact.name,
            businessName: ticket.contactDetail.businessName,
            kanban: ticket.contactDetail.stage,
            email: ticket.contactDetail.email,
            phoneNumber: ticket.contact.number,
          },
        }),
    user: { name: viewer().username, email: email ?? '' },
    own: ticket.contactDetail.variables,
    ticket: { id: ticket.id, createdAt: Date.parse(ticket.createdAt) },
    now,
    offsetMinutes: offsetMinutes(zone, now),
  })
}

/** Fills the variables of a text with a conversation's current values. */
export const filledIn = (text: string, ticket: TicketDetail): string => fill(text, valuesOf(ticket, Date.now()))

function fill(message: string, values: TemplateValues): string {
  const text = renderTemplate(message, values)
  return isRestricted() ? withoutGaps(text) : text
}

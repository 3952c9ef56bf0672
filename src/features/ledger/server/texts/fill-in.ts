import { offsetMinutes } from '#domain/calendar/local-time.ts'
import {
  renderTemplate,
  type TemplateSubject,
  templateValues,
  withoutContacts,
  withoutGaps,
} from '#domain/messages/template.ts'
import type { Ctx } from '#server/context.ts'

/** Data for the variables of a text in a ticket. */
export type Subject = Pick<TemplateSubject, 'contact' | 'user' | 'ticket' | 'own'>

/** Author of a text. */
export type Speaker = { readonly name: string; readonly email: string; readonly restrictedUser: boolean }

/** Fills in a text's variables now; without an author, `{{user}}` is the ticket's owner. */
export function fillIn(
  { now, settings }: Pick<Ctx, 'now' | 'settings'>,
  text: string,
  subject: Subject,
  speaker: Speaker | null = null,
): string {
  const { contact, own, user, ...rest } = subject
  const isMasked = speaker?.restrictedUser === true
  const named = speaker ?? user
  const at = now.getTime()
  const filled = renderTemplate(
    text,
    templateValues({
      ...rest,
      // Data masked for the author is not filled into their text.
      ...(contact && !isMasked ? { contact } : {}),
      ...(own ? { own: isMasked ? withoutContacts(own) : own } : {}),
      ...(named ? { user: named } : {}),
      now: at,
      offsetMinutes: offsetMinutes(settings.timezone, at),
    }),
  )
  return isMasked ? withoutGaps(filled) : filled
}

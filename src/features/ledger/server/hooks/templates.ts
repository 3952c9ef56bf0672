import {
  buttonTexts,
  type MessageTemplate,
  sentTemplate,
  templateProblems,
  templateText,
  whyNotUsable,
} from '#domain/message-templates/template.ts'
import type { MessageData } from '#domain/messages/data.ts'
import { fail } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import type { LedgerTicket } from '../ticket/queries.ts'
import { filledIn } from '../writing/system-message.ts'

/** Template to send, with values for its variables; values may contain the product's variables. */
export type WantedTemplate = {
  readonly name: string
  readonly language: string
  readonly values: Readonly<Record<string, string>>
}

/** Port to the feature that owns the message templates of connections. */
export type Templates = {
  find(
    db: Queryable,
    of: { readonly connectionId: number; readonly name: string; readonly language: string },
  ): Promise<MessageTemplate | undefined>
}

let templates: Templates = { find: async () => undefined }

/** Registers the owner of the templates. */
export const registerTemplates = (owner: Templates): void => {
  templates = owner
}

/** Returns the requested template of a connection; fails if the channel has none, or it does not exist or may not be sent. */
export async function usableTemplate(
  { db }: { readonly db: Queryable },
  on: Pick<LedgerTicket, 'channel' | 'connection_id'>,
  { name, language }: Pick<WantedTemplate, 'name' | 'language'>,
): Promise<MessageTemplate> {
  if (!capabilitiesOf(on.channel).templates) fail('ERR_CHANNEL_CANNOT')
  const template =
    (await templates.find(db, { connectionId: on.connection_id, name, language })) ?? fail('ERR_NO_TEMPLATE_FOUND')
  const reason = whyNotUsable(template)
  return reason ? fail('ERR_TEMPLATE_REFUSED', { template: reason }) : template
}

/** Returns text and data of a message with a template and its values. */
export function filledTemplate(
  template: MessageTemplate,
  values: Readonly<Record<string, string>>,
): { body: string; data: MessageData } {
  const buttons = buttonTexts(template).map((text, index) => ({ id: String(index), text }))
  return { body: templateText(template, values), data: { template: sentTemplate(template, values), buttons } }
}

/**
 * Builds the message of a template for a ticket: its text, filled in, and the payload for the provider. Fails with the
 * errors by the keys of its values, before the provider could refuse it.
 */
export async function messageOfTemplate(
  ctx: Ctx,
  ticket: Pick<LedgerTicket, 'id' | 'channel' | 'connection_id'>,
  wanted: WantedTemplate,
  file: string | null,
): Promise<{ body: string; data: MessageData }> {
  const template = await usableTemplate(ctx, ticket, wanted)
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(wanted.values)) values[key] = await filledIn(ctx, ticket.id, value)
  const problems = templateProblems(template, values, file)
  if (Object.keys(problems).length > 0) fail('ERR_TEMPLATE_REFUSED', problems)
  return filledTemplate(template, values)
}

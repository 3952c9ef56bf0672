import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

const value = z.union([z.string().max(100_000), z.number(), z.boolean(), z.null()])

/** What is filled in of an account; keys for which its provider has no use are passed over. */
export const accountFilling = {
  name: text(80),
  isActive: z.boolean(),
  isDefault: z.boolean(),
  config: z.record(z.string().max(60), value),
  /** A service account may come as the object that it is. */
  secrets: z.record(z.string().max(60), z.union([z.string().max(100_000), z.null(), z.looseObject({})])),
}

/** A new account. */
export const accountForm = z.strictObject({
  provider: z.string().max(60),
  name: accountFilling.name.default(''),
  isActive: accountFilling.isActive.default(true),
  isDefault: accountFilling.isDefault.default(false),
  config: accountFilling.config.default({}),
  secrets: accountFilling.secrets.default({}),
})

/** What changes of an account. */
export const accountChanges = z.strictObject(accountFilling).partial()

/** Which assistant answers by a connection, and when. */
export const connectionForm = z
  .strictObject({
    assistantId: id.nullable(),
    agentId: id.nullable(),
    transcribeAudio: z.boolean(),
    when: z.enum(['always', 'closed', 'away']),
    firstTicketOnly: z.boolean(),
  })
  .partial()

import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

const value = z.union([z.string().max(100_000), z.number(), z.boolean(), z.null()])

/** Fields of an account's form; keys that its provider does not use are ignored. */
export const accountFilling = {
  name: text(80),
  isActive: z.boolean(),
  isDefault: z.boolean(),
  config: z.record(z.string().max(60), value),
  /** Secrets; a service account may be sent as an object. */
  secrets: z.record(z.string().max(60), z.union([z.string().max(100_000), z.null(), z.looseObject({})])),
}

/** Schema of a new account. */
export const accountForm = z.strictObject({
  provider: z.string().max(60),
  name: accountFilling.name.default(''),
  isActive: accountFilling.isActive.default(true),
  isDefault: accountFilling.isDefault.default(false),
  config: accountFilling.config.default({}),
  secrets: accountFilling.secrets.default({}),
})

/** Schema of changes to an account. */
export const accountChanges = z.strictObject(accountFilling).partial()

/** Schema of a connection's assistant and its conditions. */
export const connectionForm = z
  .strictObject({
    assistantId: id.nullable(),
    agentId: id.nullable(),
    transcribeAudio: z.boolean(),
    when: z.enum(['always', 'closed', 'away']),
    firstTicketOnly: z.boolean(),
  })
  .partial()

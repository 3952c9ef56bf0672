import { z } from 'zod'
import { id, onOff, text } from '#kit/fields.ts'

/** What was filled in for a channel, by the names of its fields, which check it. */
export const connectionConfig = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** How attendances on a connection end: by which words of the customer, one a line, and what is said then. */
const closing = { closeKeyWord: text(200), farewellMessage: text(1000) }

/** What a connection is made of. */
export const connectionForm = z.strictObject({
  type: z.string().max(60),
  name: text(60, 1),
  queueId: id.nullable().default(null),
  config: connectionConfig.default({}),
  destroyMessage: onOff.default('disabled'),
  disableExternalIntegration: onOff.default('disabled'),
  ignoreBussinesHours: onOff.default('disabled'),
  wordlist: onOff.default('disabled'),
  proxyId: id.nullable().default(null),
  chatFlowId: id.nullable().default(null),
  closeKeyWord: closing.closeKeyWord.default(''),
  farewellMessage: closing.farewellMessage.default(''),
})

/** How a connection is started: with the digits of the own number, by a code that is typed on its phone. */
export const connectionStart = z.strictObject({
  pairing: z
    .string()
    .regex(/^\d{8,15}$/, 'Informe o número com código do país e DDD, só com dígitos.')
    .optional(),
})

/** What a provider is asked about: the form as it is filled in, of a connection that is there (`id`) or is still to be made. */
export const connectionTrial = z.strictObject({
  id: id.optional(),
  type: z.string().max(60),
  config: connectionConfig.default({}),
  proxyId: id.nullable().default(null),
})

export type ConnectionTrial = z.output<typeof connectionTrial>

/** Which connection is meant. */
export const connectionChoice = z.strictObject({ whatsappId: id })

/** Of which connection all tickets are resolved, and why. */
export const connectionClosing = connectionChoice.extend({ reasons: id.optional() })

/** What changes of a connection; what is left out stays, and so does a secret that comes back as it was shown. */
export const connectionEdit = z.strictObject({
  name: text(60, 1).optional(),
  queueId: id.nullable().optional(),
  destroyMessage: onOff.optional(),
  disableExternalIntegration: onOff.optional(),
  ignoreBussinesHours: onOff.optional(),
  wordlist: onOff.optional(),
  config: connectionConfig.optional(),
  chatFlowId: id.nullable().optional(),
  proxyId: id.nullable().optional(),
  closeKeyWord: closing.closeKeyWord.optional(),
  farewellMessage: closing.farewellMessage.optional(),
})

import { z } from 'zod'
import { id, onOff, text } from '#kit/fields.ts'

/** Schema of a channel's field values by field name; each field validates its own. */
export const connectionConfig = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Input of how tickets on a connection end: the customer's close keywords, one a line, and the farewell. */
const closing = { closeKeyWord: text(200), farewellMessage: text(1000) }

/** Input for creating a connection. */
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

/** Input of starting a connection; with the digits of its own number, by a pairing code that is typed on the phone. */
export const connectionStart = z.strictObject({
  pairing: z
    .string()
    .regex(/^\d{8,15}$/, 'Informe o número com código do país e DDD, só com dígitos.')
    .optional(),
})

/** Input of a connection test: the form's current values, of an existing connection (`id`) or a new one. */
export const connectionTrial = z.strictObject({
  id: id.optional(),
  type: z.string().max(60),
  config: connectionConfig.default({}),
  proxyId: id.nullable().default(null),
})

export type ConnectionTrial = z.output<typeof connectionTrial>

/** Input that names a connection. */
export const connectionChoice = z.strictObject({ whatsappId: id })

/** Input of resolving all tickets of a connection, with the reason. */
export const connectionClosing = connectionChoice.extend({ reasons: id.optional() })

/** Changed fields of a connection; missing fields and masked secrets are kept. */
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

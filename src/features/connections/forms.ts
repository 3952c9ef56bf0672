import { z } from 'zod'
import { id, onOff, text } from '#kit/fields.ts'

/** What was filled in for a channel, by the names of its fields, which check it. */
export const connectionConfig = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** What a connection is made of. */
export const connectionForm = z.strictObject({
  type: z.string().max(60),
  name: text(60, 1),
  queueId: id.nullable().default(null),
  config: connectionConfig.default({}),
  destroyMessage: onOff.default('disabled'),
  disableExternalIntegration: onOff.default('disabled'),
})

/** What changes of a connection; what is left out stays, and so does a secret that comes back as it was shown. */
export const connectionEdit = z.strictObject({
  name: text(60, 1).optional(),
  queueId: id.nullable().optional(),
  destroyMessage: onOff.optional(),
  disableExternalIntegration: onOff.optional(),
  config: connectionConfig.optional(),
})

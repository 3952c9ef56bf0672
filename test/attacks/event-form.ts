import { z } from 'zod'
import { MESSAGE_TYPES } from '#domain/messages/types.ts'

/** Schema of a text without accidentally stringified objects. */
const text = z.string().refine((one) => !one.includes('[object Object]'), 'an object as a text')
/** Schema of a database key: short, and not empty. */
const key = text.min(1).max(1200)
const address = key.refine((one) => !/undefined|null|^@/.test(one), 'nobody’s address')
const time = z.number().int().min(0).max(8.64e15)
const sender = z.object({
  ...{ identity: address, name: text, number: text.nullish(), email: text.optional(), alias: address.optional() },
})
const remote = z.looseObject({ name: text, size: z.number().nullable(), durationMs: z.number().optional() })
const message = z.looseObject({
  ...{ providerId: key, timestamp: time, type: z.enum(MESSAGE_TYPES), body: text, remote: remote.optional() },
  ...{ quotedProviderId: key.optional(), mentions: z.array(text).optional(), isForwarded: z.boolean().optional() },
  ...{ album: key.optional(), data: z.looseObject({}).optional() },
  ad: z
    .object({ sourceId: text, url: text, isPost: z.boolean(), headline: text, text, picture: text.nullable() })
    .optional(),
})
const base = { dedupeKey: key, conversationKey: address }
const spoken = { ...base, isGroup: z.boolean().optional(), groupName: text.optional(), sender, message }
const act = {
  ...{ dedupeKey: key, conversationKey: z.union([address, z.literal('')]), providerId: key, timestamp: time },
  fromMe: z.literal(true).optional(),
}

/** Schema of the events that an adapter may return. */
export const eventForm = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['message', 'echo', 'history']), ...spoken }),
  z.looseObject({ type: z.literal('edit'), ...act, body: text }),
  z.looseObject({ type: z.literal('revoke'), ...act }),
  z.looseObject({ type: z.literal('reaction'), ...act, emoji: text.nullable() }),
  z.looseObject({ type: z.enum(['picture', 'blocking', 'moved']), ...base, timestamp: time }),
  // A receipt is identified by its message, even without a conversation.
  z.looseObject({ type: z.enum(['receipt', 'watermark']), ...act }),
  z.looseObject({
    type: z.literal('participants'),
    ...base,
    timestamp: time,
    members: z.array(z.looseObject({ identity: address, name: text })),
  }),
  z.looseObject({ type: z.literal('profile'), ...base, timestamp: time }),
  z.looseObject({ type: z.enum(['addresses', 'continuation']), ...base }),
])

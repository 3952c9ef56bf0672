import { z } from 'zod'
import { PROFILES } from '#domain/access/profiles.ts'

/**
 * Session data of the browser about a user and their company: part of the login's answer and of the user's own `GET
 * /users/{id}`.
 */
export const sessionFields = {
  profile: z.enum(PROFILES),
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
  restrictedUser: z.boolean(),
  isSupport: z.boolean(),
  /** Username to log in with, where the e-mail is another account's login name. */
  entersBy: z.string().nullable(),
  /** Routes hidden from this user, for whatever reason (true = hidden). */
  menuVisibility: z.record(z.string(), z.boolean()),
  /** The permissions that the person has now. */
  permissions: z.array(z.string()),
  /** The tenant's settings that a browser may know, `supervisorAdmin` and the time zone among them. */
  settings: z.record(z.string(), z.string()),
}

/** Session data of a user, before serialization. */
export type SessionPermissions = z.input<z.ZodObject<typeof sessionFields>>

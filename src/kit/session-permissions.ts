import { z } from 'zod'
import { PROFILES } from '#domain/access/profiles.ts'

/** Schema fields of the browser's session data: part of the login's answer and of the user's own `GET /users/{id}`. */
export const sessionFields = {
  profile: z.enum(PROFILES),
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
  restrictedUser: z.boolean(),
  isSupport: z.boolean(),
  /** Username to log in with, where the e-mail is another account's login name. */
  entersBy: z.string().nullable(),
  /** Routes hidden from this user, for whatever reason (true = hidden). */
  menuVisibility: z.record(z.string(), z.boolean()),
  /** Permissions that the user has. */
  permissions: z.array(z.string()),
  /** Tenant settings that a browser may read, including `supervisorAdmin` and the time zone. */
  settings: z.record(z.string(), z.string()),
}

/** Session data of a user, before serialization. */
export type SessionPermissions = z.input<z.ZodObject<typeof sessionFields>>

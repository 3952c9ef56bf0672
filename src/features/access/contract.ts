import { z } from 'zod'
import { PROFILES } from '#domain/access/profiles.ts'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

const menu = z.record(z.string(), z.boolean())

const refusal = z.enum([
  'masterKey',
  'profile',
  'overdue',
  'plan',
  'supervisorsLimited',
  'restricted',
  'hiddenByTenant',
  'hiddenForPerson',
])

const userAccess = z.object({
  user: z.object({ id: z.number().int(), name: z.string() }),
  /** Data that decides access: the role, the flags, and the two maps of hidden route names. */
  person: z.object({
    profile: z.enum(PROFILES),
    isSupport: z.boolean(),
    restrictedUser: z.boolean(),
    supervisorsLimited: z.boolean(),
    /** Features included in the company's plan. */
    features: z.array(z.string()),
    menuVisibility: menu,
    menuPermissions: menu,
  }),
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
  permissions: z.array(
    z.object({
      permission: z.string(),
      allows: z.string(),
      /** Null: granted. */
      refusal: refusal.nullable(),
      operations: z.array(z.object({ method: z.string(), path: z.string(), summary: z.string() })),
    }),
  ),
  /** Visibility rules in their order, as they apply to this user. */
  rules: z.array(z.object({ rule: z.string(), applies: z.boolean() })),
})

/** Permissions of a user, with the reasons for denials. */
export type UserAccess = z.output<typeof userAccess>

/** API contract of users' permissions. */
export const access = contract(at.access, {
  get: {
    summary: 'O que um usuário pode ver e fazer, e por que não',
    returns: userAccess,
    errors: ['ERR_NO_USER_FOUND'],
  },
  ticket: {
    summary: 'Se um usuário vê um atendimento, e a regra que decidiu',
    returns: z.object({ visible: z.boolean(), rule: z.string() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_TICKET_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    access: typeof access
  }
}

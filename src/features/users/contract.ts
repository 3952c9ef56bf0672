import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { done, flag, id, isoTime, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { preferences } from '#kit/preferences.ts'
import { sessionFields } from '#kit/session-permissions.ts'
import * as at from './addresses.ts'
import { hiddenRoutes, newUser, profile, userChanges } from './forms.ts'

/** Verification states of an e-mail; `waiting`: another account has it, so that this one logs in by username. */
export const emailStates = z.enum(['proven', 'unproven', 'waiting'])

/** Fields visible to user administrators only. */
const managed = z
  .object({
    username: z.string().nullable(),
    phone: z.string(),
    whatsappAllowed: z.array(z.object({ id: z.number().int(), name: z.string() })),
    restrictedUser: z.boolean(),
    /** Whether voice calls are blocked for the user. */
    blockWavoip: z.boolean(),
    /** Null: the role's default. */
    capacity: z.number().int().nullable(),
    isActive: z.boolean(),
    isSupport: z.boolean(),
    /** Whether the user has no password yet and the invitation is pending. */
    isInvited: z.boolean(),
    emailState: emailStates,
    /** New e-mail, which takes effect when its mailed link is opened. */
    newEmail: z.string().nullable(),
    lastLogin: isoTime.nullable(),
    secondFactor: z.boolean(),
  })
  .partial()

/** Schema of a user as colleagues read it, with the fields for administrators. */
export const userRow = managed.extend({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  profile,
  isOnline: z.boolean(),
  /** End of the user's break; null: none. */
  awayUntil: isoTime.nullable().optional(),
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
})

/** User, as colleagues and the user's own browser read it. */
export type UserRow = z.output<typeof userRow>

/** Schema of a user with the form's fields, for administrators and the user. */
export const userDetail = userRow.extend({
  businessHours: businessWeek.nullable().optional(),
  menuPermissions: hiddenRoutes.optional(),
})

/** Changes to a user. */
export type UserChange = z.output<typeof userChanges>

const refusals = [
  'ERR_NO_PERMISSION',
  'ERR_OWN_ACCESS',
  'ERR_LAST_ADMIN',
  'ERR_MAX_USERS',
  'ERR_DUPLICATED',
  'ERR_NO_QUEUE_FOUND',
  'ERR_NO_WAPP_FOUND',
] as const

/** Saved filter of the attendance list; small, since every login returns it. */
const filters = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 20_000, 'Estes filtros ocupam espaço demais.')

/** API contract of users: list, form, presence, preferences. */
export const users = contract(at.users, {
  list: {
    summary: 'Usuários da empresa por nome; quem administra vê também os inativos e o que é do cadastro',
    query: pageQuery.extend({
      queueId: id.optional(),
      profile: many(profile),
      status: z.enum(['active', 'inactive', 'all']).default('active'),
      /** Only users who can be assigned a ticket. */
      assignable: flag,
    }),
    returns: z.object({
      users: z.array(userRow),
      ...pageAnswer,
      /** Number of users and the plan's limit, for user administrators. */
      plan: z.object({ used: z.number().int(), max: z.number().int() }).nullable(),
    }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    summary: 'Um usuário; o próprio, com preferências e permissões de agora',
    returns: userDetail.extend({
      configs: z
        .object({ filtrosAtendimento: z.unknown(), isDark: z.boolean().nullable(), preferences: preferences.partial() })
        .nullable(),
      /** Permissions and hidden menus, for the user's own record only. */
      menuVisibility: sessionFields.menuVisibility.optional(),
      permissions: sessionFields.permissions.optional(),
      entersBy: sessionFields.entersBy.optional(),
      settings: sessionFields.settings.optional(),
    }),
    errors: ['ERR_NO_USER_FOUND'],
  },
  create: {
    summary: 'Novo usuário; sem senha, é convidado por e-mail quando há como enviar',
    body: newUser,
    returns: userDetail.extend({ isMailed: z.boolean() }),
    errors: ['ERR_USER_CREATION_DISABLED', ...refusals],
    audit: true,
  },
  update: {
    summary: 'Alterar um usuário; o que não vem no pedido fica como está',
    body: userChanges,
    returns: userDetail,
    errors: ['ERR_NO_USER_FOUND', ...refusals],
    audit: true,
  },
  remove: {
    summary: 'Excluir um usuário; os atendimentos abertos voltam para pendentes, o nome fica na história',
    returns: done,
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS', 'ERR_LAST_ADMIN'],
    audit: true,
  },
  invite: {
    summary:
      'Enviar por e-mail um link para definir a senha; vale 72 horas, e sem e-mail configurado o link é respondido',
    body: z.strictObject({}),
    returns: z.object({ isMailed: z.boolean(), link: z.string().nullable() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS'],
    audit: true,
  },
  endSessions: {
    summary: 'Encerrar todos os dispositivos de um usuário',
    returns: z.object({ ended: z.number().int() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  setOnline: {
    summary: 'Ficar online ou offline',
    body: z.strictObject({ isOnline: z.boolean() }),
    returns: z.object({ id: z.number().int(), isOnline: z.boolean() }),
    errors: ['ERR_NO_PERMISSION', 'ERR_NO_USER_FOUND'],
  },
  setAway: {
    summary:
      'Fazer uma pausa até um momento das próximas 24 horas, em que nada é distribuído a quem a faz, ou (nulo) encerrá-la',
    body: z.strictObject({ until: isoTime.nullable() }),
    returns: z.object({ id: z.number().int(), awayUntil: isoTime.nullable() }),
    errors: ['ERR_NO_PERMISSION', 'ERR_NO_USER_FOUND'],
  },
  setConfigs: {
    summary: 'Guardar as próprias preferências; o que não vem no pedido fica como está',
    body: z.strictObject({
      filtrosAtendimento: filters.nullable().optional(),
      isDark: z.boolean().optional(),
      preferences: preferences.partial().optional(),
    }),
    returns: z.object({ configs: z.record(z.string(), z.unknown()) }),
    errors: ['ERR_NO_PERMISSION', 'ERR_NO_USER_FOUND'],
  },
})

/** Events of users. */
export const userEvents = events(at.userEvents, {
  online: z.object({ action: z.literal('update'), data: z.object({ userId: z.number(), isOnline: z.boolean() }) }),
  changed: z.object({ userId: z.number() }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    users: typeof users
  }
  interface Events {
    userEvents: typeof userEvents
  }
}

import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { done, flag, id, isoTime, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { preferences } from '#kit/preferences.ts'
import { sessionFields } from '#kit/session-permissions.ts'
import * as at from './addresses.ts'
import { hiddenRoutes, newUser, profile, userChanges } from './forms.ts'

/** Whether the e-mail was shown to be the person's; `waiting`: another account has it, this one enters by its username. */
export const emailStates = z.enum(['proven', 'unproven', 'waiting'])

/** What only those read who administer users. */
const managed = z
  .object({
    username: z.string().nullable(),
    phone: z.string(),
    whatsappAllowed: z.array(z.object({ id: z.number().int(), name: z.string() })),
    restrictedUser: z.boolean(),
    /** Null: as usual for the role. */
    capacity: z.number().int().nullable(),
    isActive: z.boolean(),
    isSupport: z.boolean(),
    /** Without a password yet: the invitation waits. */
    isInvited: z.boolean(),
    emailState: emailStates,
    /** Becomes the e-mail when the link that was mailed to it is opened. */
    newEmail: z.string().nullable(),
    lastLogin: isoTime.nullable(),
    secondFactor: z.boolean(),
  })
  .partial()

/** A user as colleagues read it, with what administrators see beside. */
export const userRow = managed.extend({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  profile,
  isOnline: z.boolean(),
  /** Until when the person is on a break; null: on none. */
  awayUntil: isoTime.nullable().optional(),
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
})

/** A user as colleagues and the user's own browser read it. */
export type UserRow = z.output<typeof userRow>

/** One user with what the form shows, for administrators and for oneself. */
export const userDetail = userRow.extend({
  businessHours: businessWeek.nullable().optional(),
  menuPermissions: hiddenRoutes.optional(),
})

/** What a change of a user may carry. */
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

/** A saved filter of the attendance; it comes with every login, so it is kept small. */
const filters = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 20_000, 'Estes filtros ocupam espaço demais.')

/** Users: who there is, their form, presence, own preferences. */
export const users = contract(at.users, {
  list: {
    summary: 'Usuários da empresa por nome; quem administra vê também os inativos e o que é do cadastro',
    query: pageQuery.extend({
      queueId: id.optional(),
      profile: many(profile),
      status: z.enum(['active', 'inactive', 'all']).default('active'),
      /** Only those whom a ticket can be given to. */
      assignable: flag,
    }),
    returns: z.object({
      users: z.array(userRow),
      ...pageAnswer,
      /** How much of the plan is used, for those who administer users. */
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
      /** Of oneself alone: what one may see and do now. */
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

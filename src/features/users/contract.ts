import { z } from 'zod'
import { PROFILES } from '#domain/access/profiles.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { done, email, flag, id, idParams, isoTime, many, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { preferences } from '#kit/preferences.ts'
import { sessionFields } from '#kit/session-permissions.ts'

const profile = z.enum(PROFILES)

const hidden = z.record(z.string().max(60), z.boolean())

/** Whether the e-mail was shown to be the person's; `waiting`: another account has it, this one enters by its username. */
export const emailStates = z.enum(['proven', 'unproven', 'waiting'])

/** What only those read who administer users. */
const managed = z
  .object({
    username: z.string().nullable(),
    phone: z.string(),
    whatsappAllowed: z.array(z.object({ id: z.number().int(), name: z.string() })),
    restrictedUser: z.boolean(),
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
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
})

/** A user as colleagues and the user's own browser read it. */
export type UserRow = z.output<typeof userRow>

/** One user with what the form shows, for administrators and for oneself. */
export const userDetail = userRow.extend({
  businessHours: businessWeek.nullable().optional(),
  menuPermissions: hidden.optional(),
})

const ids = z.array(id).max(200, 'Escolha no máximo 200.')
const username = text(40)
  .toLowerCase()
  .refine((value) => value === '' || /^[a-z0-9._-]{3,40}$/.test(value), 'Use de 3 a 40 letras, números, ponto, _ ou -.')

/** What an administrator writes about somebody. */
export const userFields = {
  name: text(50, 3),
  email,
  /** Another name to log in with; empty for none. */
  username,
  /** Sealed as in the login (decision A12); plain over a safe way. */
  password: z.string().min(1, 'Preencha este campo.').max(2000),
  /** Digits, with a plus sign where the country is named; empty for none. */
  phone: text(30)
    .transform((value) => value.replace(/[\s().-]/g, ''))
    .refine((value) => /^(\+?\d{2,17})?$/.test(value), 'Informe um número com DDD, como (19) 99812-4407.'),
  profile,
  queueIds: ids,
  /** Connections that the person may start conversations on; empty: all. */
  whatsappIds: ids,
  businessHours: businessWeek.nullable(),
  restrictedUser: z.boolean(),
  /** Route names hidden for this person (true = hidden). */
  menuPermissions: hidden,
  isActive: z.boolean(),
  /** Only the superadmin sets it (decision A13). */
  isSupport: z.boolean(),
}

const changes = z.strictObject(userFields).partial()

/** What a new user is made from; without a password the person is invited. */
export const newUser = changes.required({ name: true, email: true, profile: true })

/** What a change of a user may carry. */
export type UserChange = z.output<typeof changes>

const refusals = [
  'ERR_NO_PERMISSION',
  'ERR_OWN_ACCESS',
  'ERR_LAST_ADMIN',
  'ERR_MAX_USERS',
  'ERR_DUPLICATED',
  'ERR_NO_QUEUE_FOUND',
  'ERR_NO_WAPP_FOUND',
] as const
const touches = ['users', 'userTenants', 'queues', 'teams']

/** A saved filter of the attendance; it comes with every login, so it is kept small. */
const filters = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 20_000, 'Estes filtros ocupam espaço demais.')

/** Users: who there is, their form, presence, own preferences. */
export const users = contract('users', {
  list: {
    method: 'GET',
    path: '/users',
    summary: 'Usuários da empresa por nome; quem administra vê também os inativos e o que é do cadastro',
    can: 'users:read',
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
  privateChat: {
    method: 'GET',
    path: '/users/chat-privado',
    summary: 'Os colegas, para o chat interno',
    can: 'users:read',
    query: pageQuery,
    returns: z.object({
      users: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          isOnline: z.boolean(),
          unreadCount: z.number().int(),
          /** When the last message was (epoch ms). */
          timestamp: z.number().int().nullable(),
        }),
      ),
      ...pageAnswer,
    }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    method: 'GET',
    path: '/users/:id',
    summary: 'Um usuário; o próprio, com preferências e permissões de agora',
    can: 'session',
    params: idParams,
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
    method: 'POST',
    path: '/users',
    summary: 'Novo usuário; sem senha, é convidado por e-mail quando há como enviar',
    can: 'users:write',
    body: newUser,
    returns: userDetail.extend({ isMailed: z.boolean() }),
    errors: ['ERR_USER_CREATION_DISABLED', ...refusals],
    touches,
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/users/:id',
    summary: 'Alterar um usuário; o que não vem no pedido fica como está',
    can: 'users:write',
    params: idParams,
    body: changes,
    returns: userDetail,
    errors: ['ERR_NO_USER_FOUND', ...refusals],
    touches,
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/users/:id',
    summary: 'Excluir um usuário; os atendimentos abertos voltam para pendentes, o nome fica na história',
    can: 'users:write',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS', 'ERR_LAST_ADMIN'],
    touches,
    audit: true,
  },
  // Not a POST: the answers of those are kept for a day, and this one may carry a link that is worth a password.
  invite: {
    method: 'PUT',
    path: '/users/:id/invite',
    summary:
      'Enviar por e-mail um link para definir a senha; vale 72 horas, e sem e-mail configurado o link é respondido',
    can: 'users:write',
    params: idParams,
    body: z.strictObject({}),
    returns: z.object({ isMailed: z.boolean(), link: z.string().nullable() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS'],
    audit: true,
  },
  endSessions: {
    method: 'DELETE',
    path: '/users/:id/sessions',
    summary: 'Encerrar todos os dispositivos de um usuário',
    can: 'users:write',
    params: idParams,
    returns: z.object({ ended: z.number().int() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
    touches: ['users'],
    audit: true,
  },
  setOnline: {
    method: 'PUT',
    path: '/usersIsOnline/:id',
    summary: 'Ficar online ou offline',
    can: 'session',
    params: idParams,
    body: z.strictObject({ isOnline: z.boolean() }),
    returns: z.object({ id: z.number().int(), isOnline: z.boolean() }),
    errors: ['ERR_NO_PERMISSION', 'ERR_NO_USER_FOUND'],
    touches: ['users'],
  },
  setConfigs: {
    method: 'PUT',
    path: '/users/:id/configs',
    summary: 'Guardar as próprias preferências; o que não vem no pedido fica como está',
    can: 'session',
    params: idParams,
    body: z.strictObject({
      filtrosAtendimento: filters.nullable().optional(),
      isDark: z.boolean().optional(),
      preferences: preferences.partial().optional(),
    }),
    returns: z.object({ configs: z.record(z.string(), z.unknown()) }),
    errors: ['ERR_NO_PERMISSION', 'ERR_NO_USER_FOUND'],
  },
})

/** What is told about users. */
export const userEvents = events({
  online: {
    channel: 'user-online',
    type: 'user:online',
    kept: true,
    payload: z.object({ action: z.literal('update'), data: z.object({ userId: z.number(), isOnline: z.boolean() }) }),
  },
  changed: { channel: 'users', type: 'user:changed', kept: true, payload: z.object({ userId: z.number() }) },
})

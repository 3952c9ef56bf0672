import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { id, idParams, pageAnswer, pageQuery } from '#kit/fields.ts'

const profile = z.enum(['user', 'super', 'admin', 'superadmin'])

const userRow = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  profile,
  isOnline: z.boolean(),
  queues: z.array(z.object({ id: z.number().int(), queue: z.string() })),
})

/** A user as colleagues and the user's own browser read it. */
export type UserRow = z.output<typeof userRow>

/** Users, first cut: who there is, presence, own preferences. */
export const users = contract('users', {
  list: {
    method: 'GET',
    path: '/users',
    summary: 'Usuários da empresa',
    can: 'users:read',
    query: pageQuery.extend({ queueId: id.optional() }),
    returns: z.object({ users: z.array(userRow), ...pageAnswer }),
  },
  get: {
    method: 'GET',
    path: '/users/:id',
    summary: 'Um usuário; o próprio, com preferências e permissões de agora',
    can: 'session',
    params: idParams,
    returns: userRow.extend({
      configs: z.object({ filtrosAtendimento: z.unknown(), isDark: z.boolean().nullable() }).nullable(),
      menuVisibility: z.record(z.string(), z.boolean()).nullable(),
      settings: z.record(z.string(), z.string()).nullable(),
    }),
    errors: ['ERR_NO_USER_FOUND'],
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
    summary: 'Guardar as próprias preferências',
    can: 'session',
    params: idParams,
    body: z.strictObject({
      filtrosAtendimento: z.record(z.string(), z.unknown()).nullable().optional(),
      isDark: z.boolean().optional(),
      preferences: z.record(z.string(), z.unknown()).optional(),
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

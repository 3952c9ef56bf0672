import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done } from '#kit/fields.ts'
import { userFields } from './contract.ts'

/** One's own name and phone. */
export const ownData = z.strictObject({ name: userFields.name, phone: userFields.phone })

/** Another e-mail to log in with, and the password of now. */
export const emailChange = z.strictObject({ email: userFields.email, current: userFields.password })

/** What everybody changes of their own account. */
export const ownProfile = contract('ownProfile', {
  save: {
    method: 'PUT',
    path: '/profile',
    summary: 'Mudar o próprio nome e telefone',
    can: 'session',
    body: ownData,
    returns: done,
    touches: ['users', 'account'],
    audit: true,
  },
  changeEmail: {
    method: 'PUT',
    path: '/profile/email',
    summary: 'Mudar o próprio e-mail de entrada, com a senha de agora; vale quando o link enviado ao novo for aberto',
    can: 'users:write',
    mode: 'slow',
    body: emailChange,
    returns: done.extend({ isMailed: z.boolean() }),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_DUPLICATED'],
    touches: ['users', 'account'],
    audit: true,
  },
  changePassword: {
    method: 'PUT',
    path: '/profile/password',
    summary: 'Mudar a própria senha; com endOthers, os outros dispositivos saem',
    can: 'session',
    mode: 'slow',
    body: z.strictObject({ current: userFields.password, password: userFields.password, endOthers: z.boolean() }),
    returns: z.object({ ended: z.number().int() }),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX'],
    touches: ['devices'],
    audit: true,
  },
})

import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done } from '#kit/fields.ts'
import { emailChange, ownData, userFields } from './forms.ts'
import * as at from './profile-addresses.ts'

/** API contract of changes to the user's own account. */
export const ownProfile = contract(at.ownProfile, {
  save: {
    summary: 'Mudar o próprio nome e telefone',
    body: ownData,
    returns: done,
    audit: true,
  },
  changeEmail: {
    summary: 'Mudar o próprio e-mail de entrada, com a senha de agora; vale quando o link enviado ao novo for aberto',
    mode: 'slow',
    body: emailChange,
    returns: done.extend({ isMailed: z.boolean() }),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_DUPLICATED'],
    audit: true,
  },
  changePassword: {
    summary: 'Mudar a própria senha; com endOthers, os outros dispositivos saem',
    mode: 'slow',
    body: z.strictObject({ current: userFields.password, password: userFields.password, endOthers: z.boolean() }),
    returns: z.object({ ended: z.number().int() }),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    ownProfile: typeof ownProfile
  }
}

import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, email } from '#kit/fields.ts'
import * as at from './addresses.ts'

/** API contract of password recovery by a mailed link (product facts 1.2). */
export const recovery = contract(at.recovery, {
  request: {
    summary: 'Pedir por e-mail um link para nova senha; a resposta é a mesma para qualquer endereço',
    body: z.strictObject({ email }),
    returns: done,
    errors: ['ERR_MAIL_NOT_CONFIGURED', 'ERR_RATE_LIMIT'],
  },
  reset: {
    summary: 'Definir a senha com o código do link, que vale uma vez e por uma hora',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      password: z.string().min(1, 'Informe a senha.').max(2000),
    }),
    returns: done,
    errors: ['ERR_CODE_INVALID', 'ERR_VALIDATION', 'ERR_RATE_LIMIT'],
  },
})

import { z } from 'zod'
import { credential, enrolment, recoveryCodes } from '#features/second-factor/contract.ts'
import { contract } from '#kit/contract.ts'
import { text } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { entered, loginAnswer } from './contract.ts'

const pendingSessionId = z.string().min(1).max(200)
const opening = [
  'ERR_LIMIT_MAX',
  'ERR_TENANT_INACTIVE',
  'INVALID_DOMAIN',
  'OUT_RANGE',
  'INVALID_LICENSE',
  'LICENSE_ERROR',
] as const
const external = ['ERR_EXTERNAL_OFF', 'ERR_EXTERNAL_ISSUER', 'ERR_OUTSIDE_CALL', 'ERR_ADDRESS_REFUSED'] as const

/** API contract of logins without password, and of the second step. */
export const entry = contract(at.entry, {
  enrol: {
    summary: 'Configurar o segundo fator durante a entrada, onde a empresa o exige',
    body: z.strictObject({ pendingSessionId }),
    returns: enrolment,
    errors: ['ERR_A2F_OVER', 'ERR_LIMIT_MAX'],
  },
  validateA2f: {
    summary: 'Concluir a entrada com o código do aplicativo ou um código de recuperação',
    body: z.strictObject({ pendingSessionId, a2fCode: text(40, 1) }),
    returns: loginAnswer.extend({ recoveryCodes: recoveryCodes.nullable() }),
    errors: ['ERR_A2F_INVALID', 'ERR_A2F_OVER', 'ERR_A2F_LOCKED', ...opening],
  },
  passkeyOptions: {
    summary: 'O que o navegador precisa para pedir uma passkey',
    returns: z.looseObject({}),
  },
  passkey: {
    summary: 'Entrar com uma passkey',
    body: z.strictObject({ response: credential }),
    returns: loginAnswer,
    errors: ['ERR_PASSKEY_INVALID', ...opening],
  },
  externalStart: {
    summary: 'Começar a entrada pelo provedor externo',
    returns: z.object({ url: z.url() }),
    errors: ['ERR_LIMIT_MAX', 'ERR_EXTERNAL_ADDRESS', ...external],
  },
  externalFinish: {
    summary: 'Concluir a entrada com o que o provedor externo devolveu',
    body: z.strictObject({
      code: z.string().max(4000).optional(),
      state: z.string().max(1000).optional(),
      error: z.string().max(200).optional(),
      iss: z.string().max(1000).optional(),
    }),
    returns: entered,
    errors: [
      'ERR_EXTERNAL_STATE',
      'ERR_EXTERNAL_REFUSED',
      'ERR_EXTERNAL_EMAIL',
      'ERR_EXTERNAL_DOMAIN',
      'ERR_EXTERNAL_USER',
      'ERR_EXTERNAL_UNPROVEN',
      ...external,
      ...opening,
    ],
  },
})

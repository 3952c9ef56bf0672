import { z } from 'zod'
import { credential, enrolment, recoveryCodes } from '#features/second-factor/contract.ts'
import { contract } from '#kit/contract.ts'
import { text } from '#kit/fields.ts'
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

/** The ways in beside the password, and the second step behind it. */
export const entry = contract('entry', {
  enrol: {
    method: 'POST',
    path: '/auth/a2f/enrol',
    summary: 'Configurar o segundo fator durante a entrada, onde a empresa o exige',
    can: 'public',
    body: z.strictObject({ pendingSessionId }),
    returns: enrolment,
    errors: ['ERR_A2F_OVER', 'ERR_LIMIT_MAX'],
  },
  validateA2f: {
    method: 'POST',
    path: '/auth/validate-a2f',
    summary: 'Concluir a entrada com o código do aplicativo ou um código de recuperação',
    can: 'public',
    body: z.strictObject({ pendingSessionId, a2fCode: text(40, 1) }),
    returns: loginAnswer.extend({ recoveryCodes: recoveryCodes.nullable() }),
    errors: ['ERR_A2F_INVALID', 'ERR_A2F_OVER', 'ERR_A2F_LOCKED', ...opening],
  },
  passkeyOptions: {
    method: 'POST',
    path: '/auth/passkey/options',
    summary: 'O que o navegador precisa para pedir uma passkey',
    can: 'public',
    returns: z.looseObject({}),
  },
  passkey: {
    method: 'POST',
    path: '/auth/passkey',
    summary: 'Entrar com uma passkey',
    can: 'public',
    body: z.strictObject({ response: credential }),
    returns: loginAnswer,
    errors: ['ERR_PASSKEY_INVALID', ...opening],
  },
  externalStart: {
    method: 'POST',
    path: '/auth/google/start',
    summary: 'Começar a entrada pelo provedor externo',
    can: 'public',
    returns: z.object({ url: z.url() }),
    errors: ['ERR_LIMIT_MAX', 'ERR_EXTERNAL_ADDRESS', ...external],
  },
  externalFinish: {
    method: 'POST',
    path: '/auth/google/callback',
    summary: 'Concluir a entrada com o que o provedor externo devolveu',
    can: 'public',
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

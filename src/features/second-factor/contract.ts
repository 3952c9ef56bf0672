import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, isoTime, text } from '#kit/fields.ts'
import * as at from './addresses.ts'

/** Repeated password of the requesting user, in the login's form. */
const reauthentication = z.strictObject({
  password: z.string({ error: 'Informe a senha.' }).min(1, 'Informe a senha.').max(2000),
})

/** Schema of an authenticator app's enrolment: the secret as text (base32), and the URI of its QR code. */
export const enrolment = z.object({ secret: z.string(), uri: z.string() })

/** Schema of the ten recovery codes, shown once. */
export const recoveryCodes = z.array(z.string())

/** API contract of the user's own second factor. */
export const secondFactor = contract(at.secondFactor, {
  get: {
    summary: 'O próprio segundo fator',
    returns: z.object({
      isOn: z.boolean(),
      since: isoTime.nullable(),
      recoveryLeft: z.number().int(),
      isRequired: z.boolean(),
    }),
  },
  start: {
    summary: 'Começar a ligar o segundo fator, ou trocar de aplicativo',
    mode: 'slow',
    body: reauthentication,
    returns: enrolment,
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX'],
  },
  confirm: {
    summary: 'Ligar o segundo fator com o primeiro código do aplicativo',
    mode: 'slow',
    audit: true,
    body: z.strictObject({ code: text(20, 1) }),
    returns: z.object({ recoveryCodes }),
    errors: ['ERR_A2F_INVALID', 'ERR_LIMIT_MAX'],
  },
  renewCodes: {
    summary: 'Gerar novos códigos de recuperação; os anteriores deixam de valer',
    mode: 'slow',
    audit: true,
    body: reauthentication,
    returns: z.object({ recoveryCodes }),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_A2F_OFF'],
  },
  disable: {
    summary: 'Desligar o próprio segundo fator',
    mode: 'slow',
    audit: true,
    body: reauthentication,
    returns: done,
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_A2F_REQUIRED', 'ERR_A2F_OFF'],
  },
  reset: {
    summary: 'Tirar o segundo fator, as passkeys e a ligação com o login externo de um usuário que os perdeu',
    audit: true,
    returns: done,
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS'],
  },
})

/** Passkey as shown to its owner; `isBackedUp`: synchronised between devices. */
export const passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  isBackedUp: z.boolean(),
  createdAt: isoTime,
  lastUsedAt: isoTime.nullable(),
})

const passkeyName = text(60, 1)

/** Schema of a WebAuthn credential in the standard's JSON form; verified where it is used. */
export const credential = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({}),
  clientExtensionResults: z.looseObject({}),
})

/** API contract of the user's own passkeys, at most twenty. */
export const passkeys = contract(at.passkeys, {
  list: {
    summary: 'As próprias passkeys',
    returns: z.object({ passkeys: z.array(passkey) }),
  },
  options: {
    summary: 'O que o navegador precisa para criar uma passkey',
    mode: 'slow',
    body: reauthentication,
    returns: z.looseObject({}),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_PASSKEY_LIMIT'],
  },
  register: {
    summary: 'Guardar uma passkey criada pelo navegador',
    mode: 'slow',
    audit: true,
    body: z.strictObject({ name: passkeyName, response: credential }),
    returns: passkey,
    errors: ['ERR_PASSKEY_INVALID', 'ERR_PASSKEY_EXISTS', 'ERR_PASSKEY_LIMIT'],
  },
  rename: {
    summary: 'Dar outro nome a uma passkey',
    body: z.strictObject({ name: passkeyName }),
    returns: passkey,
    errors: ['ERR_NO_PASSKEY_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Remover uma passkey',
    audit: true,
    returns: done,
    errors: ['ERR_NO_PASSKEY_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    secondFactor: typeof secondFactor
    passkeys: typeof passkeys
  }
}

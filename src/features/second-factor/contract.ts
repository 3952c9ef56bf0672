import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, idParams, isoTime, text } from '#kit/fields.ts'

/** Who asks proves it once more with the password, in the form in which a login sends it. */
const again = z.strictObject({
  password: z.string({ error: 'Informe a senha.' }).min(1, 'Informe a senha.').max(2000),
})

/** What an authenticator app takes in: the secret as text (base32), and the address that its QR code carries. */
export const enrolment = z.object({ secret: z.string(), uri: z.string() })

/** Ten codes, shown this once. */
export const recoveryCodes = z.array(z.string())

/** One's own second factor. */
export const secondFactor = contract('secondFactor', {
  get: {
    method: 'GET',
    path: '/second-factor',
    summary: 'O próprio segundo fator',
    can: 'session',
    returns: z.object({
      isOn: z.boolean(),
      since: isoTime.nullable(),
      recoveryLeft: z.number().int(),
      isRequired: z.boolean(),
    }),
  },
  start: {
    method: 'POST',
    path: '/second-factor/start',
    summary: 'Começar a ligar o segundo fator, ou trocar de aplicativo',
    can: 'session',
    mode: 'slow',
    body: again,
    returns: enrolment,
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX'],
  },
  confirm: {
    method: 'POST',
    path: '/second-factor/confirm',
    summary: 'Ligar o segundo fator com o primeiro código do aplicativo',
    can: 'session',
    mode: 'slow',
    audit: true,
    body: z.strictObject({ code: text(20, 1) }),
    returns: z.object({ recoveryCodes }),
    errors: ['ERR_A2F_INVALID', 'ERR_LIMIT_MAX'],
    touches: ['secondFactor'],
  },
  renewCodes: {
    method: 'POST',
    path: '/second-factor/recovery-codes',
    summary: 'Gerar novos códigos de recuperação; os anteriores deixam de valer',
    can: 'session',
    mode: 'slow',
    audit: true,
    body: again,
    returns: z.object({ recoveryCodes }),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_A2F_OFF'],
    touches: ['secondFactor'],
  },
  disable: {
    method: 'POST',
    path: '/second-factor/disable',
    summary: 'Desligar o próprio segundo fator',
    can: 'session',
    mode: 'slow',
    audit: true,
    body: again,
    returns: done,
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_A2F_REQUIRED', 'ERR_A2F_OFF'],
    touches: ['secondFactor'],
  },
  reset: {
    method: 'DELETE',
    path: '/users/:id/second-factor',
    summary: 'Tirar o segundo fator, as passkeys e a ligação com o login externo de um usuário que os perdeu',
    can: 'users:write',
    audit: true,
    params: idParams,
    returns: done,
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS'],
    touches: ['users', 'secondFactor', 'passkeys'],
  },
})

/** A passkey as its owner sees it; `isBackedUp`: synchronised between devices by whoever keeps it. */
export const passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  isBackedUp: z.boolean(),
  createdAt: isoTime,
  lastUsedAt: isoTime.nullable(),
})

const passkeyName = text(60, 1)

/** What a browser says of a passkey, as the WebAuthn standard writes it in JSON; checked where it is used. */
export const credential = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({}),
  clientExtensionResults: z.looseObject({}),
})

/** One's own passkeys, at most twenty. */
export const passkeys = contract('passkeys', {
  list: {
    method: 'GET',
    path: '/passkeys',
    summary: 'As próprias passkeys',
    can: 'session',
    returns: z.object({ passkeys: z.array(passkey) }),
  },
  options: {
    method: 'POST',
    path: '/passkeys/options',
    summary: 'O que o navegador precisa para criar uma passkey',
    can: 'session',
    mode: 'slow',
    body: again,
    returns: z.looseObject({}),
    errors: ['ERR_VALIDATION', 'ERR_LIMIT_MAX', 'ERR_PASSKEY_LIMIT'],
  },
  register: {
    method: 'POST',
    path: '/passkeys',
    summary: 'Guardar uma passkey criada pelo navegador',
    can: 'session',
    mode: 'slow',
    audit: true,
    body: z.strictObject({ name: passkeyName, response: credential }),
    returns: passkey,
    errors: ['ERR_PASSKEY_INVALID', 'ERR_PASSKEY_EXISTS', 'ERR_PASSKEY_LIMIT'],
    touches: ['passkeys'],
  },
  rename: {
    method: 'PUT',
    path: '/passkeys/:id',
    summary: 'Dar outro nome a uma passkey',
    can: 'session',
    params: idParams,
    body: z.strictObject({ name: passkeyName }),
    returns: passkey,
    errors: ['ERR_NO_PASSKEY_FOUND'],
    touches: ['passkeys'],
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/passkeys/:id',
    summary: 'Remover uma passkey',
    can: 'session',
    audit: true,
    params: idParams,
    returns: done,
    errors: ['ERR_NO_PASSKEY_FOUND'],
    touches: ['passkeys'],
  },
})

import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, email, text } from '#kit/fields.ts'
import { sessionFields } from '#kit/session-permissions.ts'
import * as at from './addresses.ts'

const loginName = z.string().trim().toLowerCase().min(1, 'Informe o e-mail ou usuário.').max(254)

/** Schema of the response to login and set-up (specification §3); the browser stores its fields under its own keys. */
export const loginAnswer = z.object({
  token: z.string(),
  username: z.string(),
  email: z.string(),
  userId: z.number().int(),
  tenantId: z.number().int(),
  blockWavoip: z.boolean(),
  whatsappAllowed: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** `isDark` null: never chosen, the device's setting applies. */
  configs: z.object({ filtrosAtendimento: z.unknown(), isDark: z.boolean().nullable() }),
  ...sessionFields,
})

/** Schema of a login's result: complete; or, without token and cookie, the key to the second step and its methods. */
export const entered = z.union([
  loginAnswer,
  z.object({
    requiresA2F: z.literal(true),
    pendingSessionId: z.string(),
    methods: z.array(z.enum(['totp', 'recovery', 'passkey', 'enrol'])),
  }),
])

/** API contract of login and logout. */
export const auth = contract(at.auth, {
  publicKey: {
    summary: 'Chave com que a página cifra a senha',
    returns: z.string().min(16),
  },
  login: {
    summary: 'Entrar com e-mail ou usuário e senha',
    body: z
      .strictObject({
        email: loginName.optional(),
        username: loginName.optional(),
        password: z.string().min(1, 'Informe a senha.').max(2000),
      })
      .refine((body) => body.email || body.username, { path: ['email'], message: 'Informe o e-mail ou usuário.' }),
    returns: entered,
    errors: [
      'ERR_INVALID_CREDENTIALS',
      'ERR_LOGIN_LOCKED',
      'ERR_LIMIT_MAX',
      'ERR_TENANT_INACTIVE',
      'INVALID_DOMAIN',
      'INVALID_LICENSE',
      'LICENSE_ERROR',
      'ERROR_NO_PERMISSION_API_ADMIN',
    ],
  },
  refresh: {
    summary: 'Trocar o cookie de sessão por um novo token',
    returns: z.object({ token: z.string() }),
    errors: ['ERR_SESSION_EXPIRED', 'ERR_TENANT_INACTIVE'],
  },
  logout: {
    summary: 'Sair deste dispositivo',
    body: z.looseObject({}),
    returns: done,
  },
  checkSetup: {
    summary: 'O que um código de uso único permite',
    body: z.strictObject({ code: z.string().max(500) }),
    returns: z.object({
      kind: z.enum(['owner', 'invite', 'email']),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    errors: ['ERR_CODE_INVALID', 'ERR_LIMIT_MAX'],
  },
  confirmEmail: {
    summary: 'Confirmar um e-mail com o código que foi enviado a ele; isHeld diz se a conta entra com ele agora',
    body: z.strictObject({ code: z.string().max(500) }),
    returns: z.object({ email: z.string(), isHeld: z.boolean(), username: z.string().nullable() }),
    errors: ['ERR_CODE_INVALID', 'ERR_LIMIT_MAX', 'ERR_DUPLICATED'],
  },
  setup: {
    summary: 'Definir a senha com um código de uso único; o do dono cria a empresa',
    body: z.strictObject({
      code: z.string().max(200),
      name: text(50, 3).optional(),
      email: email.optional(),
      companyName: text(80, 2).optional(),
      password: z.string().min(1, 'Informe a senha.').max(2000),
    }),
    returns: entered,
    errors: ['ERR_CODE_INVALID', 'ERR_LIMIT_MAX', 'ERR_VALIDATION'],
  },
})

import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about the external provider of identities. */
export const errors = {
  ERR_EXTERNAL_OFF: { status: 404, text: 'O login externo não está ligado. Entre com a senha.' },
  ERR_EXTERNAL_ISSUER: { status: 422, text: 'Este endereço não respondeu como um provedor de login (OpenID Connect).' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    identityProvider: typeof errors
  }
}

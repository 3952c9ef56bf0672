import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about push notifications. */
export const errors = {
  ERR_NO_PUSH_FOUND: { status: 404, text: 'Os avisos são os da própria empresa.' },
  ERR_PUSH_KEYS: { status: 400, text: 'O navegador enviou uma chave que não serve. Ligue os avisos de novo.' },
  ERR_PUSH_SUPPORT: { status: 403, text: 'O acesso de suporte não recebe avisos.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    push: typeof errors
  }
}

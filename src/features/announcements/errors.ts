import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about announcements. */
export const errors = {
  ERR_NO_ANNOUNCEMENT_FOUND: { status: 404, text: 'Aviso não encontrado.' },
  ERR_NOBODY_TO_TELL: { status: 409, text: 'Nenhuma pessoa ativa nas empresas escolhidas.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    announcements: typeof errors
  }
}

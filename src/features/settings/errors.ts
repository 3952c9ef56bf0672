import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about settings. */
export const errors = {
  ERR_NO_SETTING_FOUND: { status: 404, text: 'Configuração não encontrada.' },
  ERR_SETTING_CONFLICT: { status: 409, text: 'Esta opção não combina com outra que já está ligada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    settings: typeof errors
  }
}

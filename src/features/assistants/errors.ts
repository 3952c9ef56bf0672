import type { ErrorPart } from '#kit/errors.ts'

/** How requests about assistants are refused. */
export const errors = {
  ERR_NO_ASSISTANT_FOUND: { status: 404, text: 'Assistente não encontrado.' },
  ERR_MAX_ASSISTANTS: { status: 409, text: 'Já há 50 contas de assistentes. Exclua uma antes de criar outra.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    assistants: typeof errors
  }
}

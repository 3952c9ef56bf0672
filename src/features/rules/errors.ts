import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about rules. */
export const errors = {
  ERR_NO_RULE_FOUND: { status: 404, text: 'Automação não encontrada.' },
  ERR_MAX_RULES: { status: 409, text: 'Já há 100 automações. Exclua uma antes de criar outra.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    rules: typeof errors
  }
}

import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about plans. */
export const errors = {
  ERR_NO_PLAN_FOUND: { status: 404, text: 'Plano não encontrado.' },
  ERR_PLAN_IN_USE: { status: 409, text: 'Há empresas neste plano. Desative-o em vez de excluir.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    signup: typeof errors
  }
}

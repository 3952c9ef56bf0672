import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about SLA policies. */
export const errors = {
  ERR_NO_SLA_FOUND: { status: 404, text: 'Política de SLA não encontrada.' },
  ERR_MAX_SLA: { status: 409, text: 'Já há 50 políticas. Exclua uma antes de criar outra.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    sla: typeof errors
  }
}

import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about companies and their plan limits. */
export const errors = {
  INVALID_LICENSE: { status: 403, text: 'O plano não comporta este usuário.' },
  LICENSE_ERROR: { status: 403, text: 'Não foi possível verificar o plano da empresa.' },
  ERR_NO_TENANT_FOUND: { status: 404, text: 'Empresa não encontrada.' },
  ERR_COUNT_TIMEOUT: { status: 503, text: 'A contagem demorou demais. Tente de novo mais tarde.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    tenants: typeof errors
  }
}

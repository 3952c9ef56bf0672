import type { ErrorPart } from '#kit/errors.ts'

/** Errors of saved report requests: status and text by code. */
export const errors = {
  ERR_NO_REPORT_VIEW_FOUND: { status: 404, text: 'Relatório salvo não encontrado.' },
  ERR_MAX_REPORT_VIEWS: { status: 409, text: 'Você já salvou 100 relatórios. Exclua um antes de salvar outro.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    reports: typeof errors
  }
}

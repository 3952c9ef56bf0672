import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about stages of the kanban. */
export const errors = {
  ERR_NO_KANBAN_FOUND: { status: 404, text: 'Etapa não encontrada.' },
  ERR_KANBAN_CONTACTS_EXISTS: { status: 409, text: 'Há contatos nesta etapa. Diga para onde eles vão.' },
  ERR_MAX_KANBANS: { status: 409, text: 'O painel já tem 30 etapas, e mais não cabem.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    kanban: typeof errors
  }
}

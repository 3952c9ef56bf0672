import type { ErrorPart } from '#kit/errors.ts'

/** How operations on many records are refused, and their undoing. */
export const errors = {
  ERR_NO_BULK_FOUND: { status: 404, text: 'Ação em lote não encontrada.' },
  ERR_SELECTION_CHANGED: { status: 409, text: 'A seleção mudou enquanto você decidia. Confira o novo número.' },
  ERR_SELECTION_TOO_LARGE: { status: 400, text: 'A seleção passa de 10.000. Use os filtros para diminuí-la.' },
  ERR_BULK_STATE: { status: 409, text: 'Esta ação em lote não está mais em andamento.' },
  ERR_UNDO_EXPIRED: { status: 409, text: 'O prazo para desfazer terminou.' },
  ERR_CHANGED_SINCE: { status: 409, text: 'Foi alterado depois desta ação.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    bulk: typeof errors
  }
}

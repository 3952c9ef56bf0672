import type { ErrorPart } from '#kit/errors.ts'

/** How requests about queues are refused. */
export const errors = {
  ERR_NO_QUEUE_FOUND: { status: 404, text: 'Fila não encontrada.' },
  ERR_QUEUE_TICKET_EXISTS: { status: 409, text: 'Há atendimentos nesta fila. Mova-os antes de excluir.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    queues: typeof errors
  }
}

import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about tasks. */
export const errors = {
  ERR_NO_TASK_FOUND: { status: 404, text: 'Tarefa não encontrada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    tasks: typeof errors
  }
}

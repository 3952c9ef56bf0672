import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about sessions. */
export const errors = {
  ERR_NO_SESSION_FOUND: { status: 404, text: 'Este dispositivo não está mais conectado.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    devices: typeof errors
  }
}

import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about voice devices. */
export const errors = {
  ERR_NO_VOICE_DEVICE_FOUND: { status: 404, text: 'Linha de voz não encontrada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    voice: typeof errors
  }
}

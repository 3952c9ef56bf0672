import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about links to files. */
export const errors = {
  ERR_RANGE: { status: 416, text: 'O arquivo não tem esta parte.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    files: typeof errors
  }
}

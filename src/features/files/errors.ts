import type { ErrorPart } from '#kit/errors.ts'

/** How requests about links to files are refused. */
export const errors = {
  ERR_RANGE: { status: 416, text: 'O arquivo não tem esta parte.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    files: typeof errors
  }
}

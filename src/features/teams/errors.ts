import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about teams. */
export const errors = {
  ERR_NO_TEAM_FOUND: { status: 404, text: 'Equipe não encontrada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    teams: typeof errors
  }
}

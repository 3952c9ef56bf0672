import { PASSWORD_RULES } from '#domain/access/password.ts'

/** What a new password needs, as a hint below its field. */
export const passwordNeeds = `Precisa de ${PASSWORD_RULES.map(({ text }) => text).join(', ')}.`

/** Rules for a new password, each with the text shown beside the field. */
export const PASSWORD_RULES = [
  { text: 'ao menos 7 caracteres', test: (password: string) => [...password].length >= 7 },
  { text: 'uma letra', test: (password: string) => /\p{L}/u.test(password) },
  { text: 'um número', test: (password: string) => /\d/.test(password) },
  { text: 'um caractere especial', test: (password: string) => /[^\p{L}\p{N}\s]/u.test(password) },
] as const

/** Returns one sentence that lists the rules a new password breaks; null if it meets all. */
export function passwordProblem(password: string): string | null {
  const missing = PASSWORD_RULES.filter(({ test }) => !test(password)).map(({ text }) => text)
  return missing.length > 0 ? `A senha precisa de ${missing.join(', ').replace(/, (?=[^,]*$)/, ' e ')}.` : null
}

import type { ErrorPart } from '#kit/errors.ts'

/** Error codes of consents that are not recorded. */
export const errors = {
  ERR_CONTACT_WITHOUT_ADDRESS: {
    status: 409,
    text: 'Este contato não tem número, e-mail nem conversa: não há endereço ao qual o consentimento se refira.',
  },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    consents: typeof errors
  }
}

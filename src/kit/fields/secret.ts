import { text } from '../fields.ts'
import { asWritten, type FieldKind, type FieldOf } from './kind.ts'

/** Secret field: a key or password. */
export type SecretField = FieldOf<'secret', string, { readonly max?: number }>

/** Beginning of every mask. */
export const MASK_START = '••••'

/** Returns the visible end of a secret: its last four characters if it has at least twelve, else ''. */
export const hintOf = (secret: string): string => (secret.length < 12 ? '' : secret.slice(-4))

/** Returns the masked form of a secret from its hint. */
export const maskOf = (hint: string): string => MASK_START + hint

/** Masks a secret for display; '' for none. */
export const masked = (secret: string): string => (secret === '' ? '' : maskOf(hintOf(secret)))

/** Field kind for a key or password, at most `max` (500) characters. Stored encrypted; leaves the server only masked. */
export const secret: FieldKind<SecretField, string> = {
  schema: ({ max = 500, required }) => text(max, required ? 1 : 0),
  empty: '',
  column: 'text',
  samples: ({ max = 500 }) => ({
    good: ['chave-de-teste-9876', `${MASK_START}9876`],
    bad: [5, null, {}, 'x'.repeat(max + 1)],
  }),
  ...asWritten,
  toText: masked,
}

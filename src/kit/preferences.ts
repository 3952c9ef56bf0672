import { z } from 'zod'
import { text } from './fields.ts'

/** How somebody likes to work, kept with the account. */
export const preferences = z.strictObject({
  /** Enter sends and Shift+Enter breaks the line; off, Ctrl+Enter sends. */
  enterSends: z.boolean(),
  /** Messages begin with the signature. */
  signs: z.boolean(),
  /** What stands behind the name in the signature: “Ana Souza · Vendas”. Empty: the name alone. */
  signature: text(60).refine((value) => !/[*\n]/.test(value), 'Não use asteriscos nem mais de uma linha.'),
})

/** Somebody's preferences. */
export type Preferences = z.output<typeof preferences>

import { z } from 'zod'
import { text } from './fields.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Informe um horário como 22:00.')

/** Personal preferences, stored with the account. */
export const preferences = z.strictObject({
  /** Enter sends and Shift+Enter breaks the line; off, Ctrl+Enter sends. */
  enterSends: z.boolean(),
  /** Messages begin with the signature. */
  signs: z.boolean(),
  /** Text after the name in the signature (“Ana Souza · Vendas”); empty for the name alone. */
  signature: text(60).refine((value) => !/[*\n]/.test(value), 'Não use asteriscos nem mais de uma linha.'),
  /** Enabled sounds, and their volume (0–100). */
  soundTicket: z.boolean(),
  soundMessage: z.boolean(),
  soundMention: z.boolean(),
  volume: z.number().int().min(0).max(100),
  /** Quiet hours: no sounds or notices between two times of the device's day, which may cross midnight. */
  quiet: z.boolean(),
  quietFrom: clock,
  quietTo: clock,
  /** Desktop notices while the product is out of sight, in browsers with permission for them. */
  notices: z.boolean(),
  /** Undo delay: seconds for which a message waits on the server and can be taken back (0–10). */
  undoSeconds: z.number().int().min(0).max(10),
  /** When a conversation is resolved, the next one of the list opens. */
  opensNext: z.boolean(),
  /** The card with the first steps was dismissed. */
  hidesFirstSteps: z.boolean(),
  /** Ids of read warnings about the assistants' usage limits. */
  readWarnings: z.array(z.string().max(80)).max(40),
})

/** A user's preferences. */
export type Preferences = z.output<typeof preferences>

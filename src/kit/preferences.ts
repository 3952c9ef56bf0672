import { z } from 'zod'
import { text } from './fields.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Informe um horário como 22:00.')

/** Schema of a user's preferences, stored with the account. */
export const preferences = z.strictObject({
  /** Send key: Enter sends and Shift+Enter breaks the line; off, Ctrl+Enter sends. */
  enterSends: z.boolean(),
  /** Whether messages begin with the signature. */
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
  /** Undo delay in seconds (0–10): a message waits on the server, and its sending can be undone. */
  undoSeconds: z.number().int().min(0).max(10),
  /** Whether resolving a conversation opens the next one of the list. */
  opensNext: z.boolean(),
  /** Whether the card with the first steps was dismissed. */
  hidesFirstSteps: z.boolean(),
  /** Ids of read warnings about the assistants' usage limits. */
  readWarnings: z.array(z.string().max(80)).max(40),
})

/** Preferences of a user. */
export type Preferences = z.output<typeof preferences>

/** What is stored of a user's screens: filters of the tickets, the mode of colours, and preferences. */
export type UserConfigs = {
  readonly filtrosAtendimento?: unknown
  readonly isDark?: boolean
  readonly preferences?: Partial<Preferences>
}

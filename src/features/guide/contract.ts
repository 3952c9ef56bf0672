import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

/** First steps of a company and of an agent. */
const STEPS = [
  'channel',
  'people',
  'hours',
  'bot',
  'trial',
  'presence',
  'signature',
  'notices',
  'reply',
  'answer',
] as const

/** First step of a company or agent. */
export type Step = (typeof STEPS)[number]

/** API contract of a user's first steps and of the set-up's health. */
export const guide = contract(at.guide, {
  steps: {
    summary: 'Primeiros passos da pessoa, na ordem, e quais já foram dados',
    returns: z.object({ steps: z.array(z.object({ step: z.enum(STEPS), isDone: z.boolean() })) }),
  },
  health: {
    summary: 'Como vai o que está configurado, pelo endereço da tela: funciona, pede atenção ou falha',
    returns: z.object({ health: z.record(z.string(), z.enum(['pos', 'warn', 'neg'])) }),
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    guide: typeof guide
  }
}

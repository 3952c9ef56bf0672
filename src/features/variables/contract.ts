import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

/** Kinds of texts that may use variables. */
export const TEXT_KINDS = [
  'fastReply',
  'farewell',
  'absence',
  'queue',
  'connection',
  'birthday',
  'macro',
  'rule',
  'flow',
  'autoReply',
  'setting',
  'rating',
] as const

const variable = z.object({
  name: z.string(),
  kind: z.enum(['constant', 'field', 'captured']),
  /** Display label: the field, or the flow that captures the variable. */
  label: z.string(),
  /** Value of a constant or example of a field; empty for captured variables. */
  example: z.string(),
  id: z.number().int(),
})

const use = z.object({
  name: z.string(),
  kind: z.enum(TEXT_KINDS),
  id: z.number().int(),
  title: z.string(),
})

/** API contract of the company's own variables. */
export const variables = contract(at.variables, {
  list: {
    summary: 'Variáveis da empresa: constantes, campos próprios dos contatos, respostas guardadas pelos fluxos',
    returns: z.object({ variables: z.array(variable) }),
  },
  uses: {
    summary: 'Em que textos cada variável é usada, também as que não existem',
    returns: z.object({ uses: z.array(use) }),
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    variables: typeof variables
  }
}

import { expect, test } from 'vitest'
import { z } from 'zod'
import { id } from './fields.ts'
import { issueText } from './issue-text.ts'

const textOf = (schema: z.ZodType, given: unknown) =>
  schema.safeParse(given, { error: issueText }).error?.issues.map(({ message }) => message)

test('schemas of the product say it without being asked to', () => {
  expect(id.safeParse('x').error?.issues[0]?.message).toBe('Informe um número.')
  expect(id.safeParse(0).error?.issues[0]?.message).toBe('Escolha um da lista.')
})

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'Preencha este campo.'],
  [z.string(), 5, 'Informe um texto.'],
  [z.string().min(1), '', 'Preencha este campo.'],
  [z.string().min(8), 'curto', 'Use ao menos 8 caracteres.'],
  [z.string().max(3), 'longo', 'Use no máximo 3 caracteres.'],
  [z.int(), 'x', 'Informe um número.'],
  [z.int(), 1.5, 'Informe um número.'],
  [z.number().min(2), 1, 'Use 2 ou mais.'],
  [z.number().max(2), 3, 'Use 2 ou menos.'],
  [z.number().positive(), 0, 'Use mais de 0.'],
  [z.array(z.int()).min(1), [], 'Use ao menos 1 item.'],
  [z.array(z.int()).max(1), [1, 2], 'Use no máximo 1 item.'],
  [z.array(z.int()), 'x', 'Informe uma lista.'],
  [z.boolean(), 'x', 'Informe sim ou não.'],
  [z.email(), 'ana', 'Informe um e-mail válido.'],
  [z.url(), 'ana', 'Informe um endereço (URL) válido.'],
  [z.iso.date(), 'ontem', 'Informe uma data válida.'],
  [z.iso.datetime(), 'ontem', 'Informe uma data e hora válidas.'],
  [z.string().regex(/^a$/), 'b', 'Formato inválido.'],
  [z.enum(['open', 'closed']), 'x', 'Escolha uma destas opções: open, closed.'],
  [z.strictObject({}), { x: 1 }, 'Campo desconhecido: x.'],
  [z.number().multipleOf(5), 3, 'Valor inválido.'],
  [z.union([z.int(), z.boolean()]), 'x', 'Valor inválido.'],
  [z.date(), 'x', 'Valor inválido.'],
])('what is wrong is said in one sentence (%#)', (schema, given, text) => expect(textOf(schema, given)).toEqual([text]))

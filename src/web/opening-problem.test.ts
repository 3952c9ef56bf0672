import { expect, test } from 'vitest'
import { apiError } from '#web/api.ts'
import { openingProblem } from './opening-problem.ts'

test.each([
  [apiError('ERR_NO_PERMISSION', 403), 'Você não tem permissão para isso.'],
  [apiError('ERR_NETWORK', 0), 'Sem resposta do servidor. Confira a conexão e tente de novo.'],
  [apiError('ERR_UNIDENTIFIED', 500), 'Warning!'],
  [apiError('relation "x" does not exist', 500), 'Warning!'],
  [new Error('boom'), 'Warning!'],
])('a chat that fails with %s says %s', (error, text) => expect(openingProblem(error)).toBe(text))

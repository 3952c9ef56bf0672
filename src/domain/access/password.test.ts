import { expect, test } from 'vitest'
import { passwordProblem } from './password.ts'

test.each([
  ['Senha!1', null],
  ['çãé#12x', null],
  ['frase com espaço 1.', null],
  ['Senh!1', 'A senha precisa de ao menos 7 caracteres.'],
  ['Senha123', 'A senha precisa de um caractere especial.'],
  ['Senha com 1', 'A senha precisa de um caractere especial.'],
  ['1234567!', 'A senha precisa de uma letra.'],
  ['Senha!!!', 'A senha precisa de um número.'],
  ['abc', 'A senha precisa de ao menos 7 caracteres, um número e um caractere especial.'],
  ['', 'A senha precisa de ao menos 7 caracteres, uma letra, um número e um caractere especial.'],
  ['😀1a!', 'A senha precisa de ao menos 7 caracteres.'],
])('“%s”: %s', (password, problem) => {
  expect(passwordProblem(password)).toBe(problem)
})

import { expect, test } from 'vitest'
import { type Application, problemsOf } from './signup-rules.ts'

const right: Application = {
  name: 'Padaria Pão Quente',
  userName: 'Dora Lima',
  cpfCnpj: '12.ABC.345/01DE-35',
  email: ' dora@pao.test ',
  mobilePhone: '(11) 98765-4321',
  password: 'Pão!quente1',
  planId: 1,
}

test('nothing is wrong with what is right', () => {
  expect(problemsOf(right)).toEqual({})
  expect(problemsOf({ ...right, cpfCnpj: '529.982.247-25', mobilePhone: '1187654321' })).toEqual({})
})

test.each([
  ['name', 'ab', 'Informe o nome da empresa.'],
  ['userName', '  ', 'Informe seu nome.'],
  ['cpfCnpj', '529.982.247-26', 'Informe um CPF ou CNPJ válido.'],
  ['email', 'dora@', 'Informe um e-mail válido.'],
  ['mobilePhone', '(11) 8765', 'Informe o celular com DDD.'],
  ['password', 'Pãoquente1', 'A senha precisa de um caractere especial.'],
  ['planId', null, 'Escolha um plano.'],
])('%s “%s”: %s', (field, value, sentence) => {
  expect(problemsOf({ ...right, [field]: value })).toEqual({ [field]: sentence })
})

test('an empty form is told all of it, from the top', () => {
  const empty = { name: '', userName: '', cpfCnpj: '', email: '', mobilePhone: '', password: '', planId: null }
  expect(Object.keys(problemsOf(empty))).toEqual(Object.keys(right))
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptyVariables,
  greeting,
  renderTemplate,
  TEMPLATE_VARIABLES,
  templateValues,
  unknownVariables,
} from './template.ts'

const SAO_PAULO = -180
const MORNING = Date.UTC(2026, 10, 20, 12, 30)
const values = templateValues({
  contact: { name: 'Maria Clara de Souza', email: 'maria@exemplo.com.br', businessName: null },
  user: { name: 'Ana', email: 'ana@demo.test' },
  ticket: { id: 42, createdAt: Date.UTC(2026, 10, 20, 1, 0) },
  now: MORNING,
  offsetMinutes: SAO_PAULO,
})

test.each([
  [4, 59, 'boa noite'],
  [5, 0, 'bom dia'],
  [11, 59, 'bom dia'],
  [12, 0, 'boa tarde'],
  [17, 59, 'boa tarde'],
  [18, 0, 'boa noite'],
  [0, 0, 'boa noite'],
])('at %i:%i in São Paulo: %s', (hour, minute, expected) => {
  expect(greeting(Date.UTC(2026, 10, 20, hour + 3, minute), SAO_PAULO)).toBe(expected)
})

describe('renderTemplate', () => {
  test.each([
    ['Olá {{name}}, {{greeting}}!', 'Olá Maria Clara de Souza, bom dia!'],
    ['{{greeting}}, {{firstName}}.', 'Bom dia, Maria.'],
    ['*{{greeting}}* tudo bem?', '*Bom dia* tudo bem?'],
    ['Recebido. {{greeting}}', 'Recebido. Bom dia'],
    ['{{ lastName }}', 'Clara de Souza'],
    ['Empresa: {{businessName}}.', 'Empresa: .'],
    ['Protocolo {{protocol}}', 'Protocolo 2026111942'],
    ['{{user}} <{{userEmail}}>', 'Ana <ana@demo.test>'],
    ['{{nmae}} {{toString}} {{constructor}}', '{{nmae}} {{toString}} {{constructor}}'],
    ['{name} {{}} {{na me}}', '{name} {{}} {{na me}}'],
    ['{{a.b-c|x}} {{endereço|y}} {{a..b|z}} {{secret:1|w}}', 'x y {{a..b|z}} {{secret:1|w}}'],
  ])('%s', (text, expected) => {
    expect(renderTemplate(text, values)).toBe(expected)
  })

  test('what a customer calls themselves is never expanded again', () => {
    expect(renderTemplate('{{name}}', { ...values, name: '{{userEmail}} $& $1' })).toBe('{{userEmail}} $& $1')
  })

  test('flow variables are values like the others', () => {
    expect(renderTemplate('CEP {{cep}}', { ...values, cep: '13010-000' })).toBe('CEP 13010-000')
    expect(renderTemplate('{{endereço}}, {{loja.nº-do-pedido}}', { endereço: 'Rua A', 'loja.nº-do-pedido': '7' })).toBe(
      'Rua A, 7',
    )
  })

  test('text without braces stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'))
        expect(renderTemplate(text, values)).toBe(text)
      }),
    )
  })
})

test('names that nothing offers are told once each', () => {
  expect(unknownVariables('{{name}} {{nmae}} {{nmae}} {{cep}}', Object.keys(TEMPLATE_VARIABLES))).toEqual([
    'nmae',
    'cep',
  ])
})

test('known variables without a value here are named once, unless something stands instead', () => {
  const text = '{{name}}, da {{businessName}} ({{businessName}}), {{lastName|amiga}} {{cep}}'
  expect(emptyVariables(text, values)).toEqual(['businessName'])
})

import { expect, test } from 'vitest'
import { talk } from '#test/flow-steps.ts'
import { FLOW_TEMPLATES, templateOf } from './templates.ts'

test.each([
  ['menu', ['2', 'pedido 4821'], ['Como podemos ajudar?', 'número do pedido', 'Uma pessoa da equipe'], true],
  ['hours', ['volto depois'], ['Maria!', 'fora do horário', 'Anotado'], false],
  ['hours', [], ['Maria!', 'Uma pessoa da equipe'], true],
  ['faq', ['qual o prazo?', 'não'], ['Sobre o que', 'prazo e as regiões', 'Até logo!'], true],
] as const)('the template “%s” with %j talks to its end', (template, words, texts, isOpen) => {
  const said = talk(templateOf(template), [...words], { isOpen, absence: '' }).texts
  expect(said).toHaveLength(texts.length)
  texts.forEach((text, index) => {
    expect(said[index]).toContain(text)
  })
})

test('each template is talked to', () => {
  expect(FLOW_TEMPLATES).toEqual(['menu', 'hours', 'faq'])
})

import { describe, expect, test } from 'vitest'
import {
  choicesOf,
  hasInteractive,
  type InteractiveLimits,
  type InteractiveType,
  interactiveAsText,
  interactiveProblems,
  listOf,
} from './interactive.ts'

const LIMITS: InteractiveLimits = {
  buttons: { max: 3, chars: 20 },
  list: { rows: 3, title: 5, description: 7, button: 4, section: 6 },
  link: { chars: 8 },
  form: { chars: 8 },
  locationRequest: true,
}
const NONE: InteractiveLimits = { buttons: null, list: null, link: null, form: null, locationRequest: false }

const row = (title: string, description?: string) => ({ id: title, title, ...(description ? { description } : {}) })
const list = (...sections: { title?: string; rows: ReturnType<typeof row>[] }[]) => ({
  list: { button: 'Ver', sections },
})
const told = (type: InteractiveType, data: unknown, body = 'Oi', limits = LIMITS) =>
  interactiveProblems(limits, { type, body, data })
const fieldsOf = (...args: Parameters<typeof told>) => Object.keys(told(...args))

describe('what a channel would refuse is told by field', () => {
  test.each([
    ['buttons', { buttons: [row('a'), row('b'), row('c')].map(({ id }) => ({ id, text: id })) }, []],
    ['buttons', { buttons: ['a', 'b', 'c', 'd'].map((id) => ({ id, text: id })) }, ['buttons']],
    ['buttons', { buttons: [{ id: '1', text: 'x'.repeat(21) }] }, ['buttons.0.text']],
    ['list', list({ rows: [row('abcde', '1234567'), row('b')] }), []],
    [
      'list',
      list({ rows: [row('abcdef', '12345678'), row('b')] }),
      ['list.sections.0.rows.0.title', 'list.sections.0.rows.0.description'],
    ],
    [
      'list',
      list({ title: 'Um', rows: [row('a'), row('b')] }, { title: 'Dois', rows: [row('c'), row('d')] }),
      ['list'],
    ],
    ['list', list({ title: 'Um', rows: [row('a')] }, { rows: [row('b')] }), ['list.sections.1.title']],
    [
      'list',
      list({ rows: [row('a'), { ...row('A '), id: '2' }] }),
      ['list.sections.0.rows.0.title', 'list.sections.0.rows.1.title'],
    ],
    ['cta_url', { link: { text: '12345678', url: 'https://x.test' } }, []],
    ['cta_url', { link: { text: '123456789', url: 'https://x.test' } }, ['link.text']],
    ['form', { form: { text: 'Abrir 🎉', formId: '1' } }, ['form.text']],
    ['location_request', null, []],
  ] as const)('%s %j', (type, data, fields) => {
    expect(fieldsOf(type, data)).toEqual(fields)
  })

  test('and what stands around it', () => {
    const around = { header: 'x'.repeat(61), footer: 'x'.repeat(61), ...list({ rows: [row('a')] }) }
    expect(fieldsOf('list', around, 'x'.repeat(1025))).toEqual(['header', 'body', 'footer'])
    expect(fieldsOf('location_request', null, 'x'.repeat(1024))).toEqual([])
  })

  test('with the way out', () => {
    const four = { buttons: ['a', 'b', 'c', 'd'].map((id) => ({ id, text: id })) }
    expect(told('buttons', four)['buttons']).toBe('Este canal leva até 3 botões: tire 1, ou envie uma lista.')
    expect(told('buttons', four, 'Oi', { ...LIMITS, list: null })['buttons']).toBe(
      'Este canal leva até 3 botões: tire 1.',
    )
  })
})

test('a channel has what it says it has', () => {
  for (const type of ['buttons', 'list', 'cta_url', 'location_request', 'form'] as const)
    expect([hasInteractive(LIMITS, type), hasInteractive(NONE, type)]).toEqual([true, false])
})

test('what is stored in another form is nothing to press', () => {
  for (const data of [null, 1, 'x', [], {}, { list: null }, { list: { button: 'Ver' } }, { list: { sections: [] } }]) {
    expect(listOf(data)).toBeNull()
    expect(choicesOf(data)).toEqual([])
  }
})

test('rows and links are read in words', () => {
  const data = { header: 'Cardápio', footer: 'Até as 22 h', ...list({ rows: [row('Pizza', 'Média'), row('Suco')] }) }
  expect(interactiveAsText('Escolha', data)).toBe('Cardápio\nEscolha\n• Pizza: Média\n• Suco\nAté as 22 h')
  expect(interactiveAsText('Veja', { link: { text: 'Abrir', url: 'https://x.test' } })).toBe('Veja\nhttps://x.test')
})

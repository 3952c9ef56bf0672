import { expect, test } from 'vitest'
import { usesOf } from './columns.ts'
import { dayWithoutYear, readDay, textsOf } from './import-row.ts'

test('columns are known by their titles, however these are written; of two with one sense the first counts', () => {
  expect(usesOf(['NOME', 'numero', 'E-mail', 'Data de Nascimento', 'últimoNome', 'Telefone', 'Cor'])).toEqual([
    ...['name', 'number', 'email', 'birthdayDate', 'lastName', 'number', null],
  ])
  const own = [
    { id: 7, name: 'Convênio' },
    { id: 8, name: 'Empresa' },
  ]
  expect(usesOf(['convenio', 'Empresa', 'EMPRESA', 'Convênio'], own)).toEqual([
    ...['field:7', 'businessName', 'field:8', null],
  ])
})

test.each([
  ['14/03/1968', '1968-03-14'],
  ['4-3-68', '1968-03-04'],
  ['4.3.05', '2005-03-04'],
  ['1968-03-14T00:00:00', '1968-03-14'],
  ['29/02/2024', '2024-02-29'],
  ['29/02/2023', null],
  ['31/04/1990', null],
  ['00/01/1990', null],
  ['14/03/1899', null],
  ['1990', null],
  ['14/03/1968 00:00:00', '1968-03-14'],
])('%s is the day %s', (text, day) => expect(readDay(text, '2026-11-23')).toBe(day))

test('cells are read by what their columns are for, without the mark that keeps a formula from running', () => {
  const columns = [
    ...[{ title: 'nome', use: 'name' } as const, { title: 'Cor', use: 'extra' } as const, { title: 'x', use: null }],
    { title: 'Saldo', use: 'field:7' } as const,
  ]
  expect(textsOf([" '=1+1 ", 'azul', 'y', "'-5"], columns)).toEqual({
    ...{ name: '=1+1', extra: { Cor: 'azul' }, own: { 7: '-5' }, tags: [] },
  })
  expect(textsOf(["'bom", '', ''], columns)).toEqual({ name: "'bom", extra: {}, own: {}, tags: [] })
})

test('of several numbers and e-mails the likeliest with something in it counts, the others are kept', () => {
  const columns = ['Telefone', 'Celular', 'Phone 1 - Value', 'E-mail 1 - Value'].map((title) => ({
    title,
    use: usesOf([title])[0]!,
  }))
  const [first, second] = ['+55 19 99812-4407', '+55 19 3322-1100']
  expect(
    textsOf([second, first, `${first} ::: +55 11 4000-0000`, 'lia@x.example ::: lia2@x.example'], columns),
  ).toEqual({
    ...{ number: first, email: 'lia@x.example', own: {}, tags: [] },
    extra: { Telefone: second, 'Telefone 2': '+55 11 4000-0000', 'E-mail': 'lia2@x.example' },
  })
  expect(textsOf([second, '', '', ''], columns)).toMatchObject({ number: second, extra: {} })
})

test('a person without a name of its own has its parts, a firm without a number its own', () => {
  const columns = (['firstName', 'lastName', 'businessName', 'number'] as const).map((use) => ({ title: use, use }))
  expect(textsOf(['Lia', 'Prado', 'Sol', ''], columns).name).toBe('Lia Prado')
  expect(textsOf(['', '', 'Sol', ''], columns).name).toBe('Sol')
  expect(textsOf(['', '', 'Sol', '19998124407'], columns).name).toBeUndefined()
})

test.each([
  ['--03-14', '14/03'],
  ['--0314', '14/03'],
  ['1604-03-14', '14/03'],
  ['14/3', '14/03'],
  ['14/03/1968', null],
  ['1968-03-14', null],
])('%s without its year is %s', (text, day) => expect(dayWithoutYear(text)).toBe(day))

test('a column of tags names each once, as people, Google and other tools separate them', () => {
  const columns = [
    { title: 'Nome', use: 'name' as const },
    { title: 'Etiquetas', use: usesOf(['Etiquetas'])[0]! },
  ]
  expect(usesOf(['Group Membership', 'TAGS', 'labels'])).toEqual(['tags', null, null])
  expect(textsOf(['Lia', ' VIP; Atacado,VIP '], columns).tags).toEqual(['VIP', 'Atacado'])
  expect(textsOf(['Lia', '* myContacts ::: Clientes'], columns).tags).toEqual(['Clientes'])
})

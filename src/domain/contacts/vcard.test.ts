import { expect, test } from 'vitest'
import { readCard, writeCard } from './vcard.ts'

test('a card of an older phone is read, whatever its letters were written as', () => {
  const utf = [
    'VERSION:2.1',
    'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jos=C3=A9 100%=',
    ' =20Sol',
    'TEL;CELL:1',
    'TEL;HOME:2',
  ]
  expect(readCard(utf)).toMatchObject({ name: 'José 100%  Sol', number: '1', more: { 'Telefone 2': '2' } })
  expect(readCard(['FN;ENCODING=QUOTED-PRINTABLE:Jos=E9'])).toMatchObject({ name: 'José' })
  expect(readCard(['N:Souza;Ana;;;', 'BDAY:19900506', 'EMAIL;TYPE=home:a@b.br'])).toMatchObject({
    ...{ name: 'Ana Souza', firstName: 'Ana', lastName: 'Souza', birthdayDate: '1990-05-06', email: 'a@b.br' },
  })
  expect(readCard(['ORG:Padaria Sol', 'BDAY:--0314'])).toMatchObject({
    ...{ name: 'Padaria Sol', birthdayDate: '', more: { Aniversário: '14/03' } },
  })
})

test('what is written as a card is read as it was', () => {
  const contact = {
    ...{
      name: 'Olga; a Boa, de Tal \\ Cia',
      firstName: 'Olga',
      lastName: 'de Tal',
      businessName: `Banco ${'x'.repeat(200)}`,
    },
    ...{ number: '5521999222222', email: 'olga@casa.br', birthdayDate: '1990-05-06' },
  }
  const lines = writeCard(contact).split('\r\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76)
  expect(readCard(lines)).toEqual({ ...contact, number: '+5521999222222', more: {} })
})

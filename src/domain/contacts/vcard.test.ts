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

test.each([
  [
    'an iPhone',
    [
      'VERSION:3.0',
      'PRODID:-//Apple Inc.//iPhone OS 18.1//EN',
      'N:Prado;Lia;;;',
      'FN:Lia Prado',
      'ORG:Sol;',
      'item1.TEL;type=pref:+55 19 99812-4407',
      'item1.X-ABLabel:_$!<Mobile>!$_',
      'item2.EMAIL;type=INTERNET:lia@x.example',
      'item3.ADR;type=HOME:;;Rua\\, 1;Campinas;SP;;Brasil',
      'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ',
      ' SkZJRg',
    ],
    { name: 'Lia Prado', number: '+55 19 99812-4407', email: 'lia@x.example', businessName: 'Sol' },
  ],
  [
    'vCard 4 with addresses as links',
    [
      'VERSION:4.0',
      'FN:Lia Prado',
      'TEL;VALUE=uri;TYPE="voice,cell":tel:+55-19-99812-4407',
      'TEL;VALUE=uri;TYPE=work:tel:+551933221100;ext=102',
      'EMAIL:lia@x.example',
      'BDAY:19680314',
    ],
    {
      name: 'Lia Prado',
      number: '+55-19-99812-4407',
      birthdayDate: '1968-03-14',
      more: { 'Telefone 2': '+551933221100;ext=102' },
    },
  ],
  [
    'an Android phone of today',
    [
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;=4C=C3=AD=61;;;',
      'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4C=C3=AD=61',
      'TEL;CELL;PREF:019998124407',
      'TEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=57=68=61=74=73):+5519998124407',
    ],
    { name: 'Lía', number: '019998124407', more: { 'Telefone 2': '+5519998124407' } },
  ],
  [
    'Outlook',
    [
      'VERSION:2.1',
      'N;LANGUAGE=pt-br:Prado;Lia',
      'FN:Lia Prado',
      'ORG:Sol;Vendas',
      'TITLE:Dona',
      'TEL;WORK;VOICE:(19) 3322-1100',
      'TEL;CELL;VOICE:(19) 99812-4407',
      'LABEL;WORK;PREF;ENCODING=QUOTED-PRINTABLE:Rua das Flores=0D=0A=',
      'Campinas',
      'EMAIL;PREF;INTERNET:lia@x.example',
    ],
    { name: 'Lia Prado', number: '(19) 99812-4407', businessName: 'Sol, Vendas', email: 'lia@x.example' },
  ],
])('a card of %s is read', (_, lines, read) => expect(readCard(lines)).toMatchObject(read))

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

/** Headers and lines of other programs' exports, with the expected result. */
const exports: readonly (readonly [program: string, header: string, line: string, read: object])[] = [
  [
    'Bling',
    'ID;Código;Nome;Fantasia;Endereço;Número;Complemento;Bairro;CEP;Cidade;UF;Contatos;Fone;Fax;Celular;E-mail;Web Site;Tipo pessoa;CNPJ / CPF;IE / RG;Situação;Data nascimento',
    '1;A1;Padaria Sol Ltda;Sol;Rua das Flores;123;;Centro;13010-000;Campinas;SP;;(19) 3322-1100;;;sol@x.example;;Pessoa Jurídica;11.222.333/0001-81;;Ativo;',
    {
      name: 'Padaria Sol Ltda',
      businessName: 'Sol',
      number: '(19) 3322-1100',
      email: 'sol@x.example',
      cpf: '11.222.333/0001-81',
    },
  ],
  [
    'Tiny',
    'ID;Código;Nome;Fantasia;Endereço;Número;Complemento;Bairro;CEP;Cidade;Estado;Observações do contato;Fone;Fax;Celular;E-mail;CNPJ/CPF',
    '7;;Lia Prado;;Av. Brasil;45;Apto 2;Centro;;Campinas;SP;;;;(19) 99812-4407;lia@x.example;012.345.678-90',
    { name: 'Lia Prado', number: '(19) 99812-4407', cpf: '012.345.678-90' },
  ],
  [
    'RD Station Marketing',
    'Email;Nome;Telefone;Celular;Empresa;Cargo;Estado;Cidade;Estágio no funil;Tags;Data da primeira conversão',
    'lia@x.example;Lia Prado;;+55 (19) 99812-4407;Sol;Dona;SP;Campinas;Lead Qualificado;newsletter, black friday;2026-10-01',
    { name: 'Lia Prado', number: '+55 (19) 99812-4407', email: 'lia@x.example', tags: ['newsletter', 'black friday'] },
  ],
  [
    'Kommo',
    'Nome;Primeiro nome;Sobrenome;Empresa do contato;Tags do lead;Telefone comercial (contato);Celular (contato);E-mail comercial (contato)',
    "Lia Prado;Lia;Prado;Sol;vip;'+551933221100;'+5519998124407;lia@x.example",
    { name: 'Lia Prado', businessName: 'Sol', number: '+5519998124407', email: 'lia@x.example', tags: ['vip'] },
  ],
  [
    'HubSpot em português',
    'ID do registro;Nome;Sobrenome;E-mail;Número de telefone;Número de celular;Status do lead;Empresa',
    '101;Lia;Prado;lia@x.example;+551933221100;+5519998124407;Novo;Sol',
    { name: 'Lia Prado', firstName: 'Lia', lastName: 'Prado', number: '+5519998124407' },
  ],
  [
    'HubSpot',
    'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Associated Company,Last Activity Date'.replaceAll(
      ',',
      ';',
    ),
    '101;Lia;Prado;lia@x.example;+551933221100;+5519998124407;Sol;',
    { name: 'Lia Prado', number: '+5519998124407', businessName: 'Sol' },
  ],
  [
    'Outlook em português',
    'Título;Nome;Segundo nome;Sobrenome;Empresa;Rua do endereço comercial;Telefone comercial;Telefone residencial 2;Telefone celular;Endereço de email;Categorias',
    ';Lia;;Prado;Sol;Rua das Flores, 123;(19) 3322-1100;;(19) 99812-4407;lia@x.example;Clientes;Amigos'.replace(
      'Clientes;',
      'Clientes|',
    ),
    { name: 'Lia Prado', number: '(19) 99812-4407', email: 'lia@x.example', tags: ['Clientes', 'Amigos'] },
  ],
  [
    'Google Contacts de 2026',
    'First Name;Middle Name;Last Name;Nickname;File As;Organization Name;Birthday;Notes;Labels;E-mail 1 - Label;E-mail 1 - Value;Phone 1 - Label;Phone 1 - Value;Address 1 - Street',
    'Lia;;Prado;;;Sol;;;* myContacts ::: Clientes;* ;lia@x.example;Mobile;+55 19 99812-4407;Rua das Flores',
    { name: 'Lia Prado', number: '+55 19 99812-4407', businessName: 'Sol', tags: ['Clientes'] },
  ],
  [
    'uma planilha com nome e sobrenome',
    'NOME;SOBRENOME;WHATSAPP',
    'Lia;Prado;19998124407',
    { name: 'Lia Prado', firstName: 'Lia', lastName: 'Prado', number: '19998124407' },
  ],
  [
    'uma loja virtual',
    'Nome do cliente;Email do cliente;Telefone do cliente;Logradouro;Número;CPF/CNPJ',
    'Lia Prado;lia@x.example;19998124407;Rua das Flores;123;01234567890',
    { name: 'Lia Prado', email: 'lia@x.example', number: '19998124407', cpf: '01234567890' },
  ],
]

test.each(exports)('the export of %s is read by its titles', (_, header, line, read) => {
  const titles = header.split(';')
  const uses = usesOf(titles)
  const columns = titles.map((title, at) => ({ title, use: uses[at]! }))
  expect(textsOf(line.split(';'), columns)).toMatchObject(read)
})

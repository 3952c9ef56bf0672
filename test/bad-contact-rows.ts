/** The header of the product's own file, and a good line that some of the bad ones repeat. */
export const CONTACTS_HEADER = 'nome;numero;email;cpf;dataNascimento;primeiroNome;ultimoNome;Empresa'
export const GOOD_ROW = 'Fulana;19998120000;fulana@casa.br;;;;;'

const number = (text: string) => `Ana;${text};;;;;;`
const email = (text: string) => `Ana;;${text};;;;;`
const document = (text: string) => `Ana;;;${text};;;;`
const born = (text: string) => `Ana;;;;${text};;;`

/** Kinds of rejected rows: name of the fault, the line, and a part of the reported reason. */
export const BAD_ROWS: readonly (readonly [kind: string, line: string, reason: string])[] = [
  ['too short', number('99812'), 'Número: faltam algarismos'],
  ['no area code', number('99812-4407'), 'Número: faltam algarismos'],
  ['an area code that is none', number('(20) 99812-4407'), 'Número: não existe'],
  ['a mobile of eight digits that is none', number('(19) 1812-4407'), 'Número: não existe'],
  ['a digit too many', number('19 99812-44071'), 'Número: não existe'],
  ['all zeros', number('00000000000'), 'Número: não existe'],
  ['a country that is none', number('+999 99812-4407'), 'Número: não existe'],
  ['far too long', number('+5519998124407199981244071'), 'Número: não existe'],
  ['letters', number('não tem'), 'Número: não há algarismos'],
  ['letters among digits', number('19 9981A-4407'), 'Número: '],
  ['a dash', number('-'), 'Número: não há algarismos'],
  ['shortened by a spreadsheet', number('5,52E+12'), 'Número: a planilha o abreviou'],
  ['shortened in English', number('5.51999E+12'), 'Número: a planilha o abreviou'],
  ['two numbers with a slash', number('19998124407/19998124408'), 'Número: há mais de um'],
  ['two numbers with a word', number('19998124407 ou 19998124408'), 'Número: há mais de um'],
  ['a formula', number('=A1'), 'Número: '],
  ['a foreign number that is too short', number('+1 415 55'), 'Número: faltam algarismos'],
  ['an error of a spreadsheet', number('#REF!'), 'Número: não há algarismos'],
  ['no at sign', email('ana.casa.br'), 'E-mail: Informe um e-mail válido'],
  ['no domain', email('ana@'), 'E-mail: Informe um e-mail válido'],
  ['no ending', email('ana@casa'), 'E-mail: Informe um e-mail válido'],
  ['a blank in it', email('ana maria@casa.br'), 'E-mail: Informe um e-mail válido'],
  ['two of them', email('ana@casa.br,bia@casa.br'), 'E-mail: Informe um e-mail válido'],
  ['an address that is too long', email(`${'a'.repeat(250)}@casa.br`), 'E-mail: Use no máximo 254'],
  ['a CPF with a wrong digit', document('318.604.927-04'), 'CPF/CNPJ: Confira os números'],
  ['a CPF of equal digits', document('111.111.111-11'), 'CPF/CNPJ: Confira os números'],
  ['a CPF that lacks its zero', document('3186049270'), 'CPF/CNPJ: Confira os números'],
  ['a CNPJ with a wrong digit', document('11.222.333/0001-82'), 'CPF/CNPJ: Confira os números'],
  ['a document of letters', document('ISENTO'), 'CPF/CNPJ: Confira os números'],
  ['a day that is none', born('31/02/1990'), 'Data de aniversário: Informe uma data'],
  ['a month that is none', born('14/13/1990'), 'Data de aniversário: Informe uma data'],
  ['month before day', born('03/14/1968'), 'Data de aniversário: Informe uma data'],
  ['a year alone', born('1990'), 'Data de aniversário: Informe uma data'],
  ['a day in words', born('14 de março'), 'Data de aniversário: Informe uma data'],
  ['a day to come', born('14/03/2190'), 'Data de aniversário: está no futuro'],
  ['a number of a spreadsheet’s calendar', born('24911'), 'Data de aniversário: Informe uma data'],
  ['neither name nor number', ';;ana@casa.br;;;;;', 'Sem nome e sem número'],
  ['a name that is too long', `${'a'.repeat(121)};;;;;;;`, 'Nome: Use no máximo 120'],
  ['a company that is too long', `Ana;;;;;;;${'a'.repeat(121)}`, 'Empresa: Use no máximo 120'],
  ['more columns than the header', 'Ana;;;;;;;;de mais', 'A linha tem mais colunas'],
  ['letters that were lost', 'Jo\uFFFDo;;;;;;;', 'Há letras que não puderam ser lidas'],
  ['a number named above', 'Outra;+55 19 9812-0000;;;;;;', 'Repete a linha 2.'],
  ['the same number without the ninth digit', 'Outra;1998120000;;;;;;', 'Repete a linha 2.'],
  ['an e-mail named above', 'Outra;;FULANA@casa.br;;;;;', 'Repete a linha 2.'],
]

import { isOneOf, keysIn } from '../keys.ts'
import { itemAt } from '../present.ts'

/** Contact field that a file column can fill. */
export type ContactField = keyof typeof CONTACT_FIELDS

/** Contact fields by wire name; the first of `titles` is the one written on export. */
export const CONTACT_FIELDS = {
  name: {
    label: 'Nome',
    titles: [
      'nome',
      'nome completo',
      'name',
      'full name',
      'display name',
      'contato',
      'contact name',
      'cliente',
      ...['razao social', 'nome razao social', 'nome ou razao social', 'contato principal'],
    ],
  },
  number: {
    label: 'Número',
    titles: [
      ...['whatsapp', 'numero do whatsapp', 'numero de whatsapp', 'whatsapp number', 'telefone whatsapp', 'whats'],
      ...[
        'celular',
        'telefone celular',
        'celular 1',
        'mobile',
        'mobile phone',
        'mobile phone number',
        'mobile number',
        'telemovel',
        ...['numero de celular', 'numero do celular', 'celular pessoal', 'celular comercial', 'celular 2'],
      ],
      ...[
        'numero',
        'telefone',
        'telefone 1',
        'telefones',
        'numero de telefone',
        'fone',
        'tel',
        'phone',
        'phone number',
      ],
      ...['phone 1 value', 'phone 2 value', 'phone 3 value', 'primary phone', 'contact number', 'telefone principal'],
      ...['telefone 2', 'telefone 3', 'telefone comercial', 'telefone residencial', 'telefone fixo', 'outro telefone'],
      ...['telefone comercial direto', 'telefone comercial 2', 'telefone residencial 2', 'other phone'],
      ...['business phone', 'work phone', 'work direct phone', 'home phone', 'business phone 2', 'home phone 2'],
    ],
  },
  email: {
    label: 'E-mail',
    titles: [
      ...['email', 'e mail', 'correio', 'email address', 'e mail address', 'endereco de email', 'endereco de e mail'],
      ...['e mail 1 value', 'e mail 2 value', 'email 1', 'email 2', 'email comercial', 'email pessoal', 'work email'],
      ...['e mail comercial', 'e mail pessoal', 'e mail principal', 'email principal', 'personal email'],
    ],
  },
  cpf: {
    label: 'CPF/CNPJ',
    titles: ['cpf', 'cnpj', 'cpf cnpj', 'cnpj cpf', 'cpf ou cnpj', 'documento', 'numero do documento', 'tax id'],
  },
  birthdayDate: {
    label: 'Data de aniversário',
    titles: [
      ...['datanascimento', 'data de nascimento', 'data nascimento', 'data nasc', 'dt nascimento', 'nascimento'],
      ...['data de aniversario', 'aniversario', 'birthday', 'birth date', 'date of birth'],
    ],
  },
  firstName: { label: 'Primeiro nome', titles: ['primeironome', 'primeiro nome', 'first name', 'given name'] },
  lastName: { label: 'Sobrenome', titles: ['ultimonome', 'ultimo nome', 'sobrenome', 'last name', 'family name'] },
  businessName: {
    label: 'Empresa',
    titles: [
      ...['empresa', 'nome da empresa', 'fantasia', 'nome fantasia', 'business', 'company', 'company name'],
      ...['associated company', 'organization', 'organization name', 'organizacao'],
    ],
  },
} as const

/** Column of a custom field, by the field's id. */
export type OwnColumn = `field:${number}`

/** Titles of columns with tag names: ours, and those of Google Contacts and other tools. */
const TAG_TITLES = [
  'etiquetas',
  'etiqueta',
  'tags',
  'tag',
  'labels',
  'label',
  'marcadores',
  'group membership',
  'grupos',
  ...['categorias', 'categories'],
]

/** Use of a column: it fills a field, lists tags, is stored under its own title (`extra`), or is ignored (null). */
export type ColumnUse = ContactField | OwnColumn | 'tags' | 'extra' | null

/** Whether several columns can fill the field: the first non-empty one counts, the others are stored under their titles. */
export const isShared = (use: ColumnUse): use is 'number' | 'email' => use === 'number' || use === 'email'

/** Returns the rank of a number column's title among the known ones, the likeliest mobile first; unknown titles give −1. */
export const rankOf = (title: string): number => NUMBER_TITLES.indexOf(wordOf(title))

const NUMBER_TITLES: readonly string[] = CONTACT_FIELDS.number.titles

/** Returns the id of the custom field that a column fills; null for other uses. */
export const ownFieldOf = (use: ColumnUse): number | null =>
  use?.startsWith('field:') ? Number(use.slice('field:'.length)) : null

const plain = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Normalizes a column title and removes its owner: `Celular (contato)`, `Nome do cliente`. */
const wordOf = (title: string): string => plain(title).replace(/(?<=.) (d[oa] )?(contato|cliente|lead|pessoa)$/, '')

/** Whether a column holds the street, so that a number column beside it is the house number. */
const isStreet = (word: string): boolean => /^(endereco|logradouro|rua)( (comercial|residencial|entrega))?$/.test(word)

/**
 * Returns the uses of columns by their titles, custom fields included. Of two columns with the same use the first counts and
 * the other is ignored, except for shared fields (`isShared`).
 */
export function usesOf(titles: readonly string[], own: readonly { id: number; name: string }[] = []): ColumnUse[] {
  const taken = new Set<ColumnUse>()
  const fields = keysIn(CONTACT_FIELDS)
  const meanings = titles.map(wordOf)
  const hasStreet = meanings.some(isStreet)
  return titles.map((title, at) => {
    const word = itemAt(meanings, at)
    if (word === 'numero' && hasStreet) return null
    const meant: ColumnUse[] = [
      ...fields.filter((field) => isOneOf(CONTACT_FIELDS[field].titles, word)),
      ...(TAG_TITLES.includes(word) ? (['tags'] as const) : []),
      ...own
        .filter(({ name }) => word !== '' && [word, plain(title)].includes(plain(name)))
        .map(({ id }): OwnColumn => `field:${id}`),
    ]
    const found = meant.find((use) => !taken.has(use) || isShared(use)) ?? null
    if (found) taken.add(found)
    return found
  })
}

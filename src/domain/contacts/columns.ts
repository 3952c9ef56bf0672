/** A field of a contact that a column of a file can fill, with how it is called on screen and in files. */
export type ContactField = keyof typeof CONTACT_FIELDS

/** The fields by their names on the wire; the first of `titles` is the one under which the product writes them. */
export const CONTACT_FIELDS = {
  name: { label: 'Nome', titles: ['nome', 'nome completo', 'name', 'full name', 'contato', 'cliente', 'razao social'] },
  number: {
    label: 'Número',
    titles: ['numero', 'telefone', 'celular', 'whatsapp', 'fone', 'phone', 'mobile', 'phone 1 value', 'phone number'],
  },
  email: { label: 'E-mail', titles: ['email', 'e mail', 'correio', 'e mail 1 value', 'email address'] },
  cpf: { label: 'CPF/CNPJ', titles: ['cpf', 'cnpj', 'cpf cnpj', 'documento'] },
  birthdayDate: {
    label: 'Data de aniversário',
    titles: ['datanascimento', 'data de nascimento', 'data de aniversario', 'nascimento', 'aniversario', 'birthday'],
  },
  firstName: { label: 'Primeiro nome', titles: ['primeironome', 'primeiro nome', 'first name', 'given name'] },
  lastName: { label: 'Sobrenome', titles: ['ultimonome', 'ultimo nome', 'sobrenome', 'last name', 'family name'] },
  businessName: { label: 'Empresa', titles: ['empresa', 'business', 'company', 'organization', 'organization name'] },
} as const

/** A field of the company's own, by its id. */
export type OwnColumn = `field:${number}`

/** What becomes of a column: it fills a field, is kept under its own title (`extra`), or is left out (null). */
export type ColumnUse = ContactField | OwnColumn | 'extra' | null

/** The field of the company's own that a column fills. */
export const ownFieldOf = (use: ColumnUse): number | null =>
  use?.startsWith('field:') ? Number(use.slice('field:'.length)) : null

const plain = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * What the columns of a file are for, by their titles, also those of the company's own fields: of two with the same sense
 * the first one counts, the rest is left out.
 */
export function usesOf(titles: readonly string[], own: readonly { id: number; name: string }[] = []): ColumnUse[] {
  const taken = new Set<ColumnUse>()
  const fields = Object.keys(CONTACT_FIELDS) as ContactField[]
  return titles.map((title) => {
    const word = plain(title)
    const meant: ColumnUse[] = [
      ...fields.filter((field) => (CONTACT_FIELDS[field].titles as readonly string[]).includes(word)),
      ...own.filter(({ name }) => word !== '' && plain(name) === word).map(({ id }): OwnColumn => `field:${id}`),
    ]
    const found = meant.find((use) => !taken.has(use)) ?? null
    if (found) taken.add(found)
    return found
  })
}

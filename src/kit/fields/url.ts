import { z } from 'zod'
import { asWritten, byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** An address of the web; `schemes` it may begin with (http, https). */
export type UrlField = FieldOf<'url', string, { readonly schemes?: readonly string[] }>

const WRONG = 'Informe um endereço completo, como https://exemplo.com.br.'

const isAddress = (text: string, schemes: readonly string[]): boolean => {
  try {
    const { protocol, hostname } = new URL(text)
    return !/\s/.test(text) && hostname !== '' && schemes.includes(protocol.slice(0, -1))
  } catch {
    return false
  }
}

/** A whole address of the web, or ''. */
export const url: FieldKind<UrlField, string> = {
  schema: (field) =>
    orEmpty(
      z
        .string({ error: WRONG })
        .trim()
        .max(2000, 'Use no máximo 2000 caracteres.')
        .refine((text) => isAddress(text, field.schemes ?? ['http', 'https']), WRONG),
      field,
      WRONG,
    ),
  empty: '',
  column: 'text',
  sort: byText,
  samples: () => ({
    good: ['https://exemplo.com.br', 'http://localhost:8080/caminho?a=1'],
    bad: ['exemplo.com.br', 'javascript:alert(1)', 'https://', 'ftp://exemplo.com', 'https://a b.com', 5, null],
  }),
  ...asWritten,
}

import { z } from 'zod'
import { asWritten, byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/**
 * URL field; `schemes` are the permitted ones (http, https), `isBase` marks a base URL that requests with secrets are sent
 * to.
 */
export type UrlField = FieldOf<'url', string, { readonly schemes?: readonly string[]; readonly isBase?: true }>

const WRONG = 'Informe um endereço completo, como https://exemplo.com.br.'

const NO_BASE = 'Informe um endereço https, como https://exemplo.com.br, sem ? nem #.'

const isAddress = (text: string, schemes: readonly string[]): boolean => {
  try {
    const { protocol, hostname } = new URL(text)
    return !/\s/.test(text) && hostname !== '' && schemes.includes(protocol.slice(0, -1))
  } catch {
    return false
  }
}

// Plain http would send secrets unencrypted; it is permitted for services on the same machine, as in tests and
// development.
function isBaseAddress(text: string): boolean {
  const { protocol, hostname, search, hash, username } = new URL(text)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && !search && !hash && !username
}

/** Field kind for absolute URLs, or ''. */
export const url: FieldKind<UrlField, string> = {
  schema: (field) =>
    orEmpty(
      z
        .string({ error: WRONG })
        .trim()
        .max(2000, 'Use no máximo 2000 caracteres.')
        .refine((text) => isAddress(text, field.schemes ?? ['http', 'https']), WRONG)
        .refine((text) => !field.isBase || !isAddress(text, ['http', 'https']) || isBaseAddress(text), NO_BASE),
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

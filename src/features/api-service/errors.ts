import type { ErrorPart } from '#kit/errors.ts'

/** How requests of programs, and about their keys, are refused. */
export const errors = {
  ERR_NO_API_KEY_FOUND: { status: 404, text: 'Chave da API não encontrada.' },
  ERR_MAX_API_KEYS: { status: 409, text: 'Já há 50 chaves da API. Exclua uma antes de criar outra.' },
  ERR_API_KEY: { status: 401, text: 'O token não vale para esta API.' },
  ERR_API_KEY_OFF: { status: 403, text: 'Esta chave da API está desligada.' },
  ERR_API_KEY_ADDRESS: { status: 403, text: 'Esta chave não pode ser usada a partir deste endereço.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    apiService: typeof errors
  }
}

import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about users. */
export const errors = {
  ERR_USER_CREATION_DISABLED: { status: 403, text: 'A criação de usuários foi desativada pelo administrador.' },
  ERR_OWN_ACCESS: { status: 409, text: 'O próprio perfil e acesso são mudados por outro administrador.' },
  ERR_LAST_ADMIN: { status: 409, text: 'A empresa precisa de ao menos um administrador ativo.' },
  ERR_MAX_USERS: { status: 403, text: 'Limite de usuários atingido.' },
  ERR_NO_USER_FOUND: { status: 404, text: 'Usuário não encontrado.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    users: typeof errors
  }
}

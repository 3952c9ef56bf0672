import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about logins at providers. */
export const errors = {
  ERR_SIGNUP_SETTINGS: {
    status: 422,
    text: 'Preencha antes, nas configurações do provedor, o que o login pede: o aplicativo e a chave dele.',
  },
  ERR_SIGNUP_ORIGIN: {
    status: 422,
    text: 'O provedor precisa de um endereço para voltar: defina PUBLIC_URL na instalação.',
  },
  ERR_SIGNUP_STATE: { status: 422, text: 'Este login venceu, já foi usado ou é de outra pessoa. Comece de novo.' },
  ERR_SIGNUP_REFUSED: { status: 422, text: 'O provedor não aceitou o login. Comece de novo.' },
  ERR_NO_SIGNUP_FOUND: { status: 404, text: 'Este login venceu. Comece de novo.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    providerSignups: typeof errors
  }
}

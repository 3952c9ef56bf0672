import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about numbers at providers. */
export const errors = {
  ERR_NUMBER_PROVIDER: { status: 422, text: 'O provedor não aceitou o pedido.' },
  ERR_NO_CALLBACK: {
    status: 422,
    text: 'Falta um endereço que o provedor alcance: preencha as configurações, e PUBLIC_URL na instalação.',
  },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    providerNumbers: typeof errors
  }
}

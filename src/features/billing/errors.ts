import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about billing. */
export const errors = {
  ERR_ASAAS_ACCOUNT: { status: 422, text: 'Conecte antes a conta do Asaas.' },
  ERR_ASAAS_REFUSED: { status: 422, text: 'O Asaas não aceitou o pedido.' },
  ERR_ASAAS_LATER: { status: 503, text: 'O Asaas não respondeu. Tente de novo daqui a pouco.' },
  ERR_BILLING_ACTIVE: { status: 409, text: 'Esta empresa já é cobrada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    billing: typeof errors
  }
}

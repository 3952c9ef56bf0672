import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests of API keys, and requests about the keys. */
export const errors = {
  ERR_NO_API_KEY_FOUND: { status: 404, text: 'Chave da API não encontrada.' },
  ERR_MAX_API_KEYS: { status: 409, text: 'Já há 50 chaves da API. Exclua uma antes de criar outra.' },
  ERR_API_KEY: { status: 401, text: 'O token não vale para esta API.' },
  ERR_API_KEY_OFF: { status: 403, text: 'Esta chave da API está desligada.' },
  ERR_API_KEY_ADDRESS: { status: 403, text: 'Esta chave não pode ser usada a partir deste endereço.' },
  ERR_NO_TOOL_FOUND: { status: 404, text: 'Esta ferramenta não existe, ou a chave não pode usá-la.' },
  ERR_NO_EFFECT_FOUND: { status: 404, text: 'Esta chave não fez nada com este effectId.' },
  ERR_NO_APPROVAL_FOUND: { status: 404, text: 'Pedido de aprovação não encontrado.' },
  ERR_APPROVAL_DECIDED: { status: 409, text: 'Este pedido já foi decidido, ou venceu.' },
  ERR_MAX_APPROVALS: { status: 429, text: 'Há 100 pedidos desta chave à espera de aprovação. Decida alguns antes.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    apiService: typeof errors
  }
}

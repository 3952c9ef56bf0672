import type { ErrorPart } from '#kit/errors.ts'

/** Errors of requests about connections and their channels. */
export const errors = {
  ERR_NO_WAPP_FOUND: { status: 404, text: 'Canal não encontrado.' },
  ERR_NO_DEF_WAPP_FOUND: { status: 422, text: 'Nenhum canal padrão. Veja os canais.' },
  ERR_WAPP_NOT_INITIALIZED: { status: 422, text: 'O canal está sem conexão.' },
  ERR_WAPP_INITIALIZED: { status: 422, text: 'O canal está reconectando. Tente de novo em segundos.' },
  ERR_WAPP_CHECK_CONTACT: { status: 422, text: 'Não foi possível verificar o contato.' },
  ERR_WAPP_INVALID_CONTACT: { status: 422, text: 'Este número não é um WhatsApp válido.' },
  ERR_WAPP_DOWNLOAD_MEDIA: { status: 422, text: 'A mídia não pôde ser baixada.' },
  ERR_CHANNEL_NOT_ALLOWED: { status: 403, text: 'Este tipo de canal não faz parte do plano.' },
  ERR_CONNECTION_TEST: { status: 422, text: 'O provedor não aceitou a conexão. Confira os dados.' },
  ERR_ACCOUNT_TAKEN: { status: 409, text: 'Esta conta já está conectada em outro lugar. Desconecte-a lá primeiro.' },
  ERR_NO_PROVIDER_APP_FOUND: { status: 404, text: 'Aplicativo não encontrado.' },
  ERR_NO_PROVIDER_FOUND: { status: 404, text: 'Este provedor não existe, ou não tem o que configurar.' },
  ERR_NO_PROXY_FOUND: { status: 404, text: 'Proxy não encontrado.' },
  ERR_PROXY_IN_USE: { status: 409, text: 'Há canais que saem por este proxy. Escolha outro neles antes de excluir.' },
  ERR_WEBHOOK_SIGNATURE: { status: 401, text: 'A assinatura da chamada não confere.' },
  ERR_NO_WEBHOOK: { status: 422, text: 'O provedor deste canal não chama endereço nenhum: não há webhook.' },
  ERR_NO_LINK: { status: 422, text: 'Este canal não é ligado pela câmera nem por código: não há QR Code.' },
  ERR_MAX_CONNECTIONS: { status: 403, text: 'Limite de canais atingido.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    connections: typeof errors
  }
}

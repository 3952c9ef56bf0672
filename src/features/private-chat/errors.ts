import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about the private chat. */
export const errors = {
  ERR_NO_PRIVATE_MESSAGE: { status: 404, text: 'Mensagem não encontrada.' },
  ERR_PRIVATE_GROUP_LEFT: {
    status: 403,
    text: 'Você não faz mais parte desta equipe: dá para ler, não para escrever.',
  },
  ERR_PRIVATE_MESSAGE_OTHERS: { status: 403, text: 'Só quem escreveu a mensagem pode mudá-la.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    privateChat: typeof errors
  }
}

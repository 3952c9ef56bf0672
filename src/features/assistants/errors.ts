import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about assistants. */
export const errors = {
  ERR_NO_ASSISTANT_FOUND: { status: 404, text: 'Assistente não encontrado.' },
  ERR_MAX_ASSISTANTS: { status: 409, text: 'Já há 50 contas de assistentes. Exclua uma antes de criar outra.' },
  ERR_NO_ACCOUNT_FOR_THIS: { status: 409, text: 'Nenhuma conta faz isso: conecte uma em Bots e IA.' },
  ERR_TRANSCRIPTION: { status: 409, text: 'O áudio não pôde ser transcrito.' },
  ERR_MAX_ANSWERS: { status: 403, text: 'As respostas de IA que o plano dá por mês acabaram.' },
  ERR_ASSISTANT_BUDGET: { status: 409, text: 'O orçamento do mês dos assistentes acabou.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    assistants: typeof errors
  }
}

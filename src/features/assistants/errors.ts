import type { ErrorPart } from '#kit/errors.ts'

/** How requests about assistants are refused. */
export const errors = {
  ERR_NO_ASSISTANT_FOUND: { status: 404, text: 'Assistente não encontrado.' },
  ERR_MAX_ASSISTANTS: { status: 409, text: 'Já há 50 contas de assistentes. Exclua uma antes de criar outra.' },
  ERR_NO_COPILOT: {
    status: 409,
    text: 'Nenhum modelo de IA está conectado. Um administrador conecta um em Configurações, em Bots e IA.',
  },
  ERR_NO_COPILOT_ANSWER: { status: 404, text: 'Resposta do copiloto não encontrada.' },
  ERR_NO_RECORDING: { status: 404, text: 'Áudio não encontrado.' },
  ERR_NO_TRANSCRIBER: {
    status: 409,
    text: 'Nenhuma conta transcreve áudios. Um administrador conecta o GroqCloud ou o ChatGPT em Bots e IA.',
  },
  ERR_TRANSCRIPTION: { status: 409, text: 'O áudio não pôde ser transcrito. Tente de novo daqui a pouco.' },
  ERR_ANSWER_TAKEN: { status: 409, text: 'Ninguém espera mais por esta resposta: ela já veio, ou uma pessoa atende.' },
  ERR_NO_PHONE_ASSISTANT: { status: 409, text: 'Nenhuma conta faz ligações. Conecte a Vapi em Bots e IA.' },
  ERR_ASSISTANT_BUDGET: { status: 409, text: 'O orçamento do mês dos assistentes acabou.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    assistants: typeof errors
  }
}

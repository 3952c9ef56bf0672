import type { ErrorPart } from '#kit/errors.ts'

/** Errors of chat flow requests: status and text by code. */
export const errors = {
  ERR_AUTO_REPLY_RELATIONED_TICKET: {
    status: 409,
    text: 'A resposta automática atende conversas agora. Desligue-a e espere que terminem.',
  },
  ERR_FLOW_CHANGED: {
    status: 409,
    text: 'O fluxo foi alterado por outra pessoa. Confira a versão atual e tente de novo.',
  },
  ERR_FLOW_NOT_READY: {
    status: 422,
    text: 'O fluxo tem erros, ou casos que não passam: ainda não pode ser publicado.',
  },
  ERR_FLOW_REPLAY_RUNNING: { status: 409, text: 'Outra repetição está em andamento. Tente de novo em um minuto.' },
  ERR_MAX_FLOW_CASES: { status: 409, text: 'O fluxo já tem 200 casos. Exclua um antes.' },
  ERR_MAX_AUTO_REPLIES: { status: 409, text: 'A empresa já tem 100 respostas automáticas. Exclua uma antes.' },
  ERR_NO_AUTO_REPLY_FOUND: { status: 404, text: 'Esta resposta automática não existe.' },
  ERR_NO_FLOW_CASE_FOUND: { status: 404, text: 'Este caso não existe.' },
  ERR_NO_FLOW_REPLAY_FOUND: { status: 404, text: 'Esta repetição não existe.' },
  ERR_NO_FLOW_SESSION_FOUND: { status: 404, text: 'Este fluxo não atendeu a conversa.' },
  ERR_NO_FLOW_TRIAL: { status: 409, text: 'Nenhuma versão deste fluxo está publicada só para uma parte.' },
  ERR_NO_FLOW_VERSION_FOUND: { status: 404, text: 'Esta versão do fluxo não existe.' },
  ERR_NO_STEP_AUTO_REPLY_FOUND: { status: 404, text: 'Esta etapa da resposta automática não existe.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    flows: typeof errors
  }
}

import type { ErrorPart } from '#kit/errors.ts'

/** Errors of requests about tickets and messages. */
export const errors = {
  ERR_NO_STATUS_SELECTED: { status: 404, text: 'Escolha ao menos um status para ver os atendimentos.' },
  ERR_BUSY: { status: 503, text: 'Há muitas mensagens na fila de entrada. Tente de novo em instantes.' },
  ERR_NO_TICKET_FOUND: { status: 404, text: 'Atendimento não encontrado.' },
  ERR_OTHER_OPEN_TICKET: { status: 409, text: 'Já existe um atendimento aberto para este contato.' },
  ERR_TICKET_TAKEN: { status: 409, text: 'Outra pessoa já está atendendo.' },
  ERR_CREATING_TICKET: { status: 500, text: 'O atendimento não pôde ser criado.' },
  ERR_TICKET_TRANSITION: { status: 409, text: 'O atendimento não pode mudar para essa situação agora.' },
  ERR_NO_CHAT_FLOW_FOUND: { status: 404, text: 'Chatbot não encontrado.' },
  ERR_NO_ADDRESS: { status: 422, text: 'O contato não tem endereço neste canal.' },
  ERR_TICKET_IS_GROUP: { status: 409, text: 'Grupos não vão para o chatbot.' },
  ERR_NOT_A_GROUP: { status: 409, text: 'Só grupos têm participantes.' },
  ERR_TICKET_PAUSED: { status: 409, text: 'O atendimento já está pausado.' },
  ERR_TICKET_NOT_PAUSED: { status: 409, text: 'O atendimento não está pausado.' },
  ERR_PAUSE_DISABLED: { status: 403, text: 'A empresa não permite pausar atendimentos.' },
  ERR_REASON_REQUIRED: { status: 422, text: 'Para fechar o atendimento, defina a demanda.' },
  ERR_MESSAGE_TICKET_PENDING: { status: 422, text: 'Atenda a conversa antes de responder.' },
  ERR_CREATING_MESSAGE: { status: 500, text: 'A mensagem não pôde ser criada.' },
  ERR_MESSAGE_TICKET_CLOSED: { status: 422, text: 'Reabra o atendimento antes de responder.' },
  ERR_MESSAGE_EMPTY: { status: 400, text: 'Escreva a mensagem ou anexe um arquivo.' },
  ERR_MESSAGE_TOO_LONG: { status: 422, text: 'A mensagem é longa demais para este canal.' },
  ERR_FILE_NOT_CARRIED: {
    status: 422,
    text: 'Este canal não leva este arquivo. Reduza-o ou converta-o, ou mande um link.',
  },
  ERR_QUOTE_NOT_CARRIED: { status: 422, text: 'Este canal não leva citações. Envie sem citar.' },
  ERR_SENDING_WAPP_MSG: { status: 422, text: 'A mensagem não pôde ser enviada.' },
  ERR_SEND_STATE: { status: 409, text: 'Só mensagens que não saíram podem ser reenviadas ou canceladas.' },
  ERR_SCHEDULE_LATE: { status: 409, text: 'Passou mais de uma hora do horário marcado: a mensagem não foi enviada.' },
  ERR_SCHEDULE_ANSWERED: {
    status: 409,
    text: 'O cliente respondeu antes do horário marcado: a mensagem não foi enviada.',
  },
  ERR_SEND_UNCERTAIN: { status: 409, text: 'O canal não confirmou o envio. Decida se a mensagem vai de novo.' },
  ERR_DELETE_WAPP_MSG: {
    status: 422,
    text: 'O canal recusou apagar: a mensagem é do contato, ou o prazo passou.',
  },
  ERR_CHANNEL_CANNOT: { status: 422, text: 'Este canal não faz isso. Responda com um texto.' },
  ERR_INTERACTIVE_REFUSED: {
    status: 422,
    text: 'Este canal não leva a mensagem assim: encurte o que cada campo diz, ou tire opções.',
  },
  ERR_EDIT_TOO_LATE: { status: 422, text: 'O prazo do canal para editar passou. Envie a correção como resposta.' },
  ERR_EDIT_NOTHING: { status: 422, text: 'Só o texto ou a legenda de uma mensagem da equipe pode ser editado.' },
  ERR_NOT_FORWARDABLE: { status: 422, text: 'Notas internas e mensagens apagadas não podem ser encaminhadas.' },
  ERR_ACT_REFUSED: { status: 422, text: 'O canal recusou.' },
  ERR_DRAFT_CHANGED: { status: 409, text: 'O rascunho mudou em outro aparelho. Escolha com qual ficar.' },
  ERR_NO_HISTORY: { status: 422, text: 'Este canal não guarda conversas antigas: não há o que importar dele.' },
  ERR_CONTACT_BOT_BLOCKED: { status: 409, text: 'O chatbot está bloqueado para este contato.' },
  ERR_NO_LIVE_TICKET: { status: 409, text: 'O contato não tem atendimento aberto nem pendente.' },
  ERR_CONTACT_BLOCKED: { status: 409, text: 'O contato está bloqueado.' },
  ERR_NO_TEMPLATE_FOUND: {
    status: 404,
    text: 'Modelo não encontrado neste canal. Sincronize os modelos, ou escolha outro.',
  },
  ERR_TEMPLATE_REFUSED: { status: 422, text: 'O modelo não pode ser enviado assim.' },
  ERR_WINDOW_CLOSED: {
    status: 422,
    text: 'A janela de conversa está fechada: envie um modelo aprovado, responda como Agente Humano onde o canal permite, ou espere o contato escrever.',
  },
  ERR_OPTED_OUT: {
    status: 422,
    text: 'O contato pediu para não receber mais mensagens automáticas por SMS: só uma pessoa pode escrever.',
  },
  ERR_COMMENT_ANSWERED: {
    status: 409,
    text: 'Este comentário já foi respondido em particular: o canal permite uma resposta. Espere o contato escrever.',
  },
  ERR_COMMENT_WORDS: { status: 422, text: 'Um comentário é respondido em particular só com texto.' },
  ERR_IMPORT_RUNNING: {
    status: 409,
    text: 'Outra importação deste canal está em andamento. Espere que termine, ou pare-a antes.',
  },
  ERR_FOLLOW_LIMIT: { status: 409, text: 'Você já segue 200 atendimentos. Deixe de seguir algum antes.' },
  ERR_PIN_LIMIT: { status: 409, text: 'Há 5 mensagens fixadas nesta conversa. Desafixe uma antes.' },
  ERR_MENTION_HIDDEN: {
    status: 422,
    text: 'Alguém mencionado não vê este atendimento. Tire a menção, ou transfira o atendimento antes.',
  },
  ERR_FETCH_WAPP_MSG: { status: 404, text: 'A mensagem não foi localizada; talvez seja antiga demais.' },
  ERR_CAPTION_NOT_CARRIED: {
    status: 422,
    text: 'Este canal não leva texto junto deste arquivo. Envie o texto em outra mensagem.',
  },
  ERR_NO_MEDIA: { status: 409, text: 'Este arquivo não pode mais ser pedido. Veja no celular.' },
  ERR_MEDIA_NOT_HERE: { status: 409, text: 'O arquivo desta mensagem ainda não chegou. Encaminhe-a depois.' },
  ERR_NO_MACRO_FOUND: { status: 404, text: 'Macro não encontrada.' },
  ERR_NO_VIEW_FOUND: { status: 404, text: 'Visão não encontrada.' },
  ERR_TOO_MANY_VIEWS: { status: 409, text: 'Já há cem visões. Exclua uma antes de salvar outra.' },
} as const satisfies ErrorPart

/** Errors of files that may not be sent. */
export const fileErrors = [
  ...(['ERR_FILE_TOO_LARGE', 'ERR_FILE_TYPE', 'ERR_FILE_NOT_CARRIED', 'ERR_CAPTION_NOT_CARRIED'] as const),
] as const

declare module '#kit/errors.ts' {
  interface Errors {
    ledger: typeof errors
  }
}

/** Every error that the server may answer: code → HTTP status and the sentence a person reads (specification §8, decisions B6, B12). */
export const errorCatalogue = {
  // requests
  ERR_VALIDATION: { status: 400, text: 'Confira os campos destacados.' },
  ERR_PAGE_TOO_FAR: { status: 400, text: 'Página muito distante. Use a continuação da lista (nextCursor).' },
  ERR_NO_STATUS_SELECTED: { status: 404, text: 'Escolha ao menos um status para ver os atendimentos.' },
  ERR_NOT_FOUND: { status: 404, text: 'Não encontramos o que você procura.' },
  ERR_DUPLICATED: { status: 409, text: 'Já existe um registro com esses dados.' },
  ERR_IDEMPOTENCY_MISMATCH: { status: 409, text: 'Este pedido já foi feito com outros dados.' },
  ERR_IN_PROGRESS: { status: 409, text: 'Este pedido ainda está em andamento. Aguarde um instante.' },
  ERR_RATE_LIMIT: { status: 429, text: 'Muitos pedidos em pouco tempo. Aguarde um instante.' },
  ERR_COUNT_TIMEOUT: { status: 503, text: 'A contagem demorou demais. Tente de novo mais tarde.' },
  ERR_STARTING: { status: 503, text: 'O sistema está iniciando. Tente de novo em instantes.' },
  ERR_UNAVAILABLE: {
    status: 503,
    text: 'O sistema está sem acesso ao banco de dados ou ao disco. Tente de novo em instantes.',
  },
  ERR_BUSY: { status: 503, text: 'Há muitas mensagens na fila de entrada. Tente de novo em instantes.' },
  ERR_UNIDENTIFIED: { status: 500, text: 'Ocorreu um erro não identificado.' },
  // access
  ERR_INVALID_CREDENTIALS: { status: 401, text: 'Usuário ou senha não conferem. Tente de novo.' },
  ERR_LIMIT_MAX: { status: 429, text: 'Muitas tentativas. Tente de novo em 1 minuto.' },
  ERR_LOGIN_LOCKED: {
    status: 429,
    text: 'Houve tentativas demais de entrar nesta conta hoje. Entre por um dispositivo que você já usou, ou crie uma nova senha em “Esqueci minha senha”.',
  },
  ERR_A2F_LOCKED: {
    status: 429,
    text: 'Houve códigos errados demais nesta conta hoje. Use um código de recuperação, uma passkey ou um dispositivo que você já usou.',
  },
  ERR_SESSION_EXPIRED: { status: 401, text: 'Sua sessão expirou. Entre de novo.' },
  ERR_NO_PERMISSION: { status: 403, text: 'Você não tem permissão para isso.' },
  ERR_TENANT_INACTIVE: { status: 403, text: 'O acesso da empresa está inativo.' },
  ERR_ASAAS_OVERDUE: { status: 402, text: 'Verifique a situação do plano.' },
  ERR_USER_CREATION_DISABLED: { status: 403, text: 'A criação de usuários foi desativada pelo administrador.' },
  ERR_OWN_ACCESS: { status: 409, text: 'O próprio perfil e acesso são mudados por outro administrador.' },
  ERR_LAST_ADMIN: { status: 409, text: 'A empresa precisa de ao menos um administrador ativo.' },
  ERR_MAX_USERS: { status: 403, text: 'Limite de usuários atingido.' },
  ERR_MAX_CONNECTIONS: { status: 403, text: 'Limite de conexões atingido.' },
  ERR_A2F_INVALID: { status: 400, text: 'O código não confere. Confira e tente de novo.' },
  ERR_A2F_OVER: { status: 400, text: 'O tempo ou as tentativas da confirmação acabaram. Entre de novo.' },
  ERR_A2F_REQUIRED: { status: 409, text: 'A empresa exige o segundo fator. Você pode trocar de aplicativo.' },
  ERR_A2F_OFF: { status: 409, text: 'O segundo fator não está ligado.' },
  ERR_PASSKEY_INVALID: { status: 400, text: 'Esta passkey não foi aceita. Tente de novo ou entre com a senha.' },
  ERR_PASSKEY_EXISTS: { status: 409, text: 'Esta passkey já está cadastrada.' },
  ERR_PASSKEY_LIMIT: { status: 409, text: 'Cada pessoa guarda até 20 passkeys. Remova uma que não usa mais.' },
  ERR_NO_PASSKEY_FOUND: { status: 404, text: 'Passkey não encontrada.' },
  ERR_EXTERNAL_OFF: { status: 404, text: 'O login externo não está ligado. Entre com a senha.' },
  ERR_EXTERNAL_ISSUER: { status: 422, text: 'Este endereço não respondeu como um provedor de login (OpenID Connect).' },
  ERR_EXTERNAL_ADDRESS: {
    status: 422,
    text: 'A instalação não conhece este endereço. Peça a quem cuida dela que defina PUBLIC_URL.',
  },
  ERR_EXTERNAL_STATE: { status: 400, text: 'Esta entrada venceu ou começou em outra janela. Tente de novo.' },
  ERR_EXTERNAL_REFUSED: { status: 400, text: 'O provedor não confirmou a entrada. Tente de novo ou use a senha.' },
  ERR_EXTERNAL_EMAIL: { status: 400, text: 'O provedor não confirmou que este e-mail é seu.' },
  ERR_EXTERNAL_DOMAIN: { status: 400, text: 'Este e-mail não é de um domínio aceito aqui.' },
  ERR_EXTERNAL_USER: { status: 400, text: 'Nenhum usuário ativo tem este e-mail. Peça acesso ao administrador.' },
  ERR_EXTERNAL_UNPROVEN: {
    status: 400,
    text: 'O e-mail desta conta ainda não foi confirmado. Abra o convite, ou peça um link em “Esqueci minha senha”, e tente de novo.',
  },
  ERR_CODE_INVALID: { status: 400, text: 'Este link já foi usado ou venceu. Peça um novo.' },
  ERROR_NO_PERMISSION_API_ADMIN: {
    status: 403,
    text: 'A instalação ainda não tem dono. Use o link mostrado no terminal.',
  },
  OUT_RANGE: { status: 403, text: 'Fora do horário de atendimento.' },
  INVALID_LICENSE: { status: 403, text: 'O plano não comporta este usuário.' },
  INVALID_DOMAIN: { status: 403, text: 'Este endereço pertence a outra empresa.' },
  LICENSE_ERROR: { status: 403, text: 'Não foi possível verificar o plano da empresa.' },
  // records
  ERR_NO_SETTING_FOUND: { status: 404, text: 'Configuração não encontrada.' },
  ERR_NO_CONTACT_FOUND: { status: 404, text: 'Contato não encontrado.' },
  ERR_NO_TICKET_FOUND: { status: 404, text: 'Atendimento não encontrado.' },
  ERR_NO_USER_FOUND: { status: 404, text: 'Usuário não encontrado.' },
  ERR_NO_WAPP_FOUND: { status: 404, text: 'Conexão não encontrada.' },
  ERR_NO_SESSION_FOUND: { status: 404, text: 'Este dispositivo não está mais conectado.' },
  ERR_NO_QUEUE_FOUND: { status: 404, text: 'Fila não encontrada.' },
  ERR_NO_TEAM_FOUND: { status: 404, text: 'Equipe não encontrada.' },
  ERR_NO_TENANT_FOUND: { status: 404, text: 'Empresa não encontrada.' },
  ERR_NO_TAG_FOUND: { status: 404, text: 'Etiqueta não encontrada.' },
  ERR_NO_PLAN_FOUND: { status: 404, text: 'Plano não encontrado.' },
  ERR_PLAN_IN_USE: { status: 409, text: 'Há empresas neste plano. Desative-o em vez de excluir.' },
  ERR_NO_FAST_REPLY_FOUND: { status: 404, text: 'Mensagem rápida não encontrada.' },
  ERR_FAST_REPLY_EXISTS: { status: 409, text: 'Já existe uma mensagem rápida com essa chave.' },
  ERR_DUPLICATED_CONTACT: { status: 409, text: 'Já existe um contato com esse número.' },
  ERR_CONTACT_TICKETS_REGISTERED: { status: 409, text: 'O contato tem atendimentos e não pode ser excluído.' },
  ERR_QUEUE_TICKET_EXISTS: { status: 409, text: 'Há atendimentos nesta fila. Mova-os antes de excluir.' },
  ERR_TAG_CONTACTS_EXISTS: { status: 409, text: 'Há contatos ou atendimentos com esta etiqueta.' },
  ERR_SETTING_CONFLICT: { status: 409, text: 'Esta opção não combina com outra que já está ligada.' },
  // tickets and messages
  ERR_OTHER_OPEN_TICKET: { status: 409, text: 'Já existe um atendimento aberto para este contato.' },
  ERR_CREATING_TICKET: { status: 500, text: 'O atendimento não pôde ser criado.' },
  ERR_TICKET_TRANSITION: { status: 409, text: 'O atendimento não pode mudar para essa situação agora.' },
  ERR_REASON_REQUIRED: { status: 422, text: 'Para fechar o atendimento, defina a demanda.' },
  ERR_MESSAGE_TICKET_PENDING: { status: 422, text: 'Atenda a conversa antes de responder.' },
  ERR_CREATING_MESSAGE: { status: 500, text: 'A mensagem não pôde ser criada.' },
  ERR_MESSAGE_TICKET_CLOSED: { status: 422, text: 'Reabra o atendimento antes de responder.' },
  ERR_MESSAGE_EMPTY: { status: 400, text: 'Escreva a mensagem ou anexe um arquivo.' },
  ERR_MESSAGE_TOO_LONG: { status: 422, text: 'A mensagem é longa demais para este canal.' },
  ERR_SENDING_WAPP_MSG: { status: 422, text: 'A mensagem não pôde ser enviada. Veja a conexão.' },
  ERR_SEND_STATE: { status: 409, text: 'Só mensagens que não saíram podem ser reenviadas ou canceladas.' },
  ERR_SEND_UNCERTAIN: { status: 409, text: 'O canal não confirmou o envio. Decida se a mensagem vai de novo.' },
  ERR_DELETE_WAPP_MSG: { status: 422, text: 'O canal recusou apagar a mensagem.' },
  ERR_FETCH_WAPP_MSG: { status: 404, text: 'A mensagem não foi localizada; talvez seja antiga demais.' },
  // channels
  ERR_NO_DEF_WAPP_FOUND: { status: 422, text: 'Nenhuma conexão padrão. Veja os canais.' },
  ERR_WAPP_NOT_INITIALIZED: { status: 422, text: 'O canal está sem conexão.' },
  ERR_WAPP_INITIALIZED: { status: 422, text: 'O canal está reconectando. Tente de novo em segundos.' },
  ERR_WAPP_CHECK_CONTACT: { status: 422, text: 'Não foi possível verificar o contato.' },
  ERR_WAPP_INVALID_CONTACT: { status: 422, text: 'Este número não é um WhatsApp válido.' },
  ERR_WAPP_DOWNLOAD_MEDIA: { status: 422, text: 'A mídia não pôde ser baixada.' },
  ERR_CONNECTION_TEST: { status: 422, text: 'O provedor não aceitou a conexão. Confira os dados.' },
  ERR_WEBHOOK_SIGNATURE: { status: 401, text: 'A assinatura da chamada não confere.' },
  ERR_CHANNEL_NOT_ALLOWED: { status: 403, text: 'Este tipo de canal não faz parte do plano.' },
  // files
  ERR_FILE_TOO_LARGE: { status: 413, text: 'O arquivo é grande demais.' },
  ERR_FILE_TYPE: { status: 415, text: 'Este tipo de arquivo não é aceito.' },
  ERR_RANGE: { status: 416, text: 'O arquivo não tem esta parte.' },
  ERR_FILE_LINK: { status: 403, text: 'O link do arquivo venceu. Abra a conversa de novo.' },
  // mail
  ERR_MAIL_NOT_CONFIGURED: { status: 422, text: 'O envio de e-mails ainda não está configurado.' },
  ERR_MAIL_TEST: { status: 422, text: 'O e-mail de teste não saiu.' },
  // outside calls
  ERR_ADDRESS_REFUSED: { status: 400, text: 'Este endereço não pode ser chamado daqui.' },
  ERR_OUTSIDE_CALL: { status: 422, text: 'O endereço chamado não respondeu como se esperava.' },
} as const

/** A catalogued code. */
export type ErrorCode = keyof typeof errorCatalogue

/** What an error carries beside its code: messages by field, or the record in the way. */
export type ErrorDetails = Record<string, unknown>

/** The one error that use cases throw; the HTTP layer turns it into `{ error, message, details }`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  constructor(code: ErrorCode, details?: ErrorDetails) {
    super(code)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Stops the use case with a catalogued error. */
export function fail(code: ErrorCode, details?: ErrorDetails): never {
  throw new AppError(code, details)
}

/** The value, or the error when it is null or undefined. */
export function required<T>(value: T | null | undefined, code: ErrorCode): T {
  return value ?? fail(code)
}

/** The Portuguese sentence of a code; a code missing from the catalogue is shown raw (decision A17). */
export const errorText = (code: string): string =>
  code in errorCatalogue ? errorCatalogue[code as ErrorCode].text : code

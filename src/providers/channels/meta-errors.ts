import type { StopCause } from '#domain/connections/causes.ts'

/** Meaning of a Graph API error. */
export type MetaRefusal = {
  /** Sentence on what happened and what to do; never Meta's own text. */
  readonly text: string
  /** Sentence for a message that Meta had accepted before, which is not retried. */
  readonly after: string
  /** Whether the message may be retried later. */
  readonly isRepeated: boolean
  /** Whether a payment is missing; administrators are notified beside the message. */
  readonly isUnpaid?: true
  /** Cause that stops the whole connection until an administrator acts. */
  readonly stops?: StopCause
}

const never = (text: string): MetaRefusal => ({ text, after: text, isRepeated: false })
const repeated = (what: string): MetaRefusal => ({
  text: `${what} A mensagem é tentada de novo em alguns minutos.`,
  after: `${what} Envie a mensagem de novo em alguns minutos.`,
  isRepeated: true,
})
const stopped = (stops: StopCause, text: string): MetaRefusal => ({ text, after: text, isRepeated: true, stops })

const BUSY = repeated('O limite de envios do número foi atingido.')
const DOWN = repeated('A Meta está indisponível.')
const NO_TOKEN = stopped('token', 'O token não vale mais. Um administrador precisa informar um novo no canal.')
const BARRED = stopped(
  'banned',
  'A Meta restringiu esta conta. Um administrador vê o motivo no Gerenciador de Negócios.',
)
const NO_PERMISSION = never('O token não tem permissão para isso. Um administrador confere as permissões na Meta.')
const BAD_FORM = never('A Meta não aceitou o conteúdo. Confira a mensagem e envie de outra forma.')
const PIN_FAST = never('Foram tentativas demais. Espere algumas horas e tente de novo.')

const TOO_LATE = never(
  'Passaram 24 horas da última mensagem do contato. Só uma pessoa ainda pode responder, como Agente Humano.',
)
const GONE = never('O contato não pode receber mensagens: bloqueou a conta, ou saiu. Fale com ele por outro canal.')

/** Meanings of subcodes that are more specific than their code (Messenger Platform, Instagram). */
const SUBCODES: Readonly<Record<number, MetaRefusal>> = {
  2018278: TOO_LATE,
  2534022: TOO_LATE,
  1545041: GONE,
  2018001: GONE,
}

/** Meanings of documented error codes (developers.facebook.com, WhatsApp Cloud API, error codes). */
export const META_ERRORS: Readonly<Record<number, MetaRefusal>> = {
  0: NO_TOKEN,
  190: NO_TOKEN,
  10: NO_PERMISSION,
  4: BUSY,
  80007: BUSY,
  130429: BUSY,
  131056: repeated('Foram mensagens demais para este contato em pouco tempo.'),
  131048: never('A Meta limitou os envios porque contatos reclamaram. Espere e envie menos, só a quem pediu.'),
  131049: never('A Meta não entregou para não cansar o contato com anúncios. Espere alguns dias.'),
  131050: never('O contato não quer mais receber anúncios por aqui. Não insista.'),
  131047: never('Passaram 24 horas da última mensagem do contato. Envie um modelo aprovado.'),
  131026: never('A mensagem não pode ser entregue: o número não tem WhatsApp, usa um antigo ou não aceita mensagens.'),
  131021: never('O destinatário é o próprio número. Escolha outro contato.'),
  131030: never('Este número de teste só envia a contatos da lista da Meta. Inclua o contato nela.'),
  131031: BARRED,
  368: BARRED,
  131042: {
    ...never('Há um problema de pagamento na Meta. Um administrador regulariza no Gerenciador de Negócios.'),
    isUnpaid: true,
  },
  131051: never('O WhatsApp não leva este tipo de mensagem. Envie de outra forma.'),
  131052: never('A Meta não conseguiu baixar o arquivo. Envie-o de novo.'),
  131053: never('A Meta não aceitou o arquivo. Confira o formato e o tamanho e envie de novo.'),
  100: BAD_FORM,
  131008: BAD_FORM,
  131009: BAD_FORM,
  131000: DOWN,
  131016: DOWN,
  131057: DOWN,
  132000: never('O modelo pede outra quantidade de valores. Preencha todos e envie de novo.'),
  132001: never('O modelo não existe neste idioma, ou ainda não foi aprovado. Escolha outro.'),
  132005: never('O modelo ficou longo demais com estes valores. Encurte-os.'),
  132007: never('O modelo contraria as regras da Meta. Escolha outro.'),
  132012: never('Um valor do modelo não está no formato pedido. Corrija e envie de novo.'),
  132015: never('O modelo está pausado por baixa qualidade. Escolha outro.'),
  132016: never('O modelo foi desativado por baixa qualidade. Escolha outro.'),
  133005: never('O PIN de duas etapas está errado. Confira-o na Meta.'),
  133006: never('O número precisa ser verificado antes. Peça um código.'),
  133008: PIN_FAST,
  133009: never('O PIN foi digitado rápido demais. Espere um pouco e tente de novo.'),
  133010: never('O número não está registrado na plataforma. Um administrador o registra na Meta.'),
  133016: PIN_FAST,
  551: GONE,
  613: BUSY,
}

/** Returns the meaning of an error code; without a known one, that of the HTTP status. */
export function refusalOf(code: number | null, httpStatus = 400, subcode: number | null = null): MetaRefusal {
  const exact = subcode === null ? undefined : SUBCODES[subcode]
  if (exact) return exact
  const known = code === null ? undefined : META_ERRORS[code]
  if (known) return known
  if (code !== null && code >= 200 && code <= 299) return NO_PERMISSION
  if (httpStatus === 429) return BUSY
  if (httpStatus >= 500) return DOWN
  return never(code === null ? 'A Meta recusou a mensagem.' : `A Meta recusou a mensagem (código ${code}).`)
}

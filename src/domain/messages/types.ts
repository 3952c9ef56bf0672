import { keysIn } from '../keys.ts'

/** Every kind of message with its Portuguese name in lists, quotes and notifications. */
export const MESSAGE_TYPE_LABELS = {
  text: 'Mensagem',
  image: 'Imagem',
  video: 'Vídeo',
  audio: 'Áudio',
  sticker: 'Figurinha',
  document: 'Documento',
  contact: 'Contato',
  location: 'Localização',
  location_request: 'Pedido de localização',
  buttons: 'Mensagem com botões',
  list: 'Lista de opções',
  poll: 'Enquete',
  cta_url: 'Link',
  form: 'Formulário',
  interactive_reply: 'Resposta interativa',
  template: 'Modelo de mensagem',
  order: 'Pedido',
  product: 'Produto',
  ad: 'Anúncio',
  note: 'Nota interna',
  transfer: 'Transferência',
  transcription: 'Transcrição',
  group_event: 'Aviso do grupo',
  call: 'Chamada',
  undecrypted: 'Aguardando esta mensagem',
} as const

/** A kind of message, in our one vocabulary for all channels. */
export type MessageType = keyof typeof MESSAGE_TYPE_LABELS

/** Every kind of message, as schemas and database checks list them. */
export const MESSAGE_TYPES = keysIn(MESSAGE_TYPE_LABELS)

/** The `sendType` of a message that was passed on from another conversation. */
export const FORWARDED = 'forward'

/** The `sendType` of a message that a person writes after the window has closed, and says so. */
export const HUMAN_AGENT = 'human_agent'

/** The `sendType` of the answer to a public comment, to its writer alone. */
export const PRIVATE_ANSWER = 'private_answer'

/** The `sendType` of a message that was brought in from what its channel keeps of older conversations. */
export const SYNCED = 'sync'

/** The MIME type of a program, page or document with macros that a mail brought; it is kept behind a warning and never sent. */
export const PROGRAM = 'application/x-program'

/** The kind of message that carries a file of this MIME type; anything that is not media is a document. */
export function typeOfMime(mime: string): 'image' | 'video' | 'audio' | 'document' {
  const family = mime.split('/')[0]?.toLowerCase()
  if (family === 'image' && !/svg/i.test(mime)) return 'image'
  return family === 'video' || family === 'audio' ? family : 'document'
}

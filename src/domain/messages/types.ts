import { keysIn } from '../keys.ts'

/** Portuguese names of all message types, for lists, quotes and notifications. */
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

/** Message type, common to all channels. */
export type MessageType = keyof typeof MESSAGE_TYPE_LABELS

/** Message types, for schemas and database checks. */
export const MESSAGE_TYPES = keysIn(MESSAGE_TYPE_LABELS)

/** `sendType` of a message forwarded from another conversation. */
export const FORWARDED = 'forward'

/** `sendType` of a message that an agent writes after the window has closed, tagged as human. */
export const HUMAN_AGENT = 'human_agent'

/** `sendType` of a private answer to the author of a public comment. */
export const PRIVATE_ANSWER = 'private_answer'

/** `sendType` of a message imported from the channel's history. */
export const SYNCED = 'sync'

/** MIME type of a program, page or document with macros received by mail; it is stored behind a warning and never sent. */
export const PROGRAM = 'application/x-program'

/** Returns the message type for a file's MIME type; `document` if it is not media. */
export function typeOfMime(mime: string): 'image' | 'video' | 'audio' | 'document' {
  const family = mime.split('/')[0]?.toLowerCase()
  if (family === 'image' && !/svg/i.test(mime)) return 'image'
  return family === 'video' || family === 'audio' ? family : 'document'
}

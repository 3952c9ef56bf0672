import {
  LANGUAGES,
  type Language,
  SENTENCES,
  type Sentence,
  translated,
  translatedText,
} from '#domain/webchat/languages.ts'

const TABLE: readonly Sentence[] = [
  ['Conversa com {name}', 'Chat with {name}', 'Conversación con {name}'],
  ['Abrir conversa', 'Open chat', 'Abrir conversación'],
  ['Fechar conversa', 'Close chat', 'Cerrar conversación'],
  ['{n} mensagem nova', '{n} new message', '{n} mensaje nuevo'],
  ['{n} mensagens novas', '{n} new messages', '{n} mensajes nuevos'],
  ['{name} está digitando…', '{name} is typing…', '{name} está escribiendo…'],
  ['{name} está digitando', '{name} is typing', '{name} está escribiendo'],
  ['Online agora', 'Online now', 'En línea ahora'],
  [
    'Sem conexão. Sua mensagem segue assim que ela voltar.',
    'No connection. Your message goes out as soon as it is back.',
    'Sin conexión. Su mensaje sale en cuanto vuelva.',
  ],
  ['Sem conexão. Tentando de novo…', 'No connection. Trying again…', 'Sin conexión. Intentando de nuevo…'],
  ['Solte para anexar', 'Drop to attach', 'Suelte para adjuntar'],
  ['Anexos', 'Attachments', 'Adjuntos'],
  ['Remover {name}', 'Remove {name}', 'Quitar {name}'],
  ['Editando', 'Editing', 'Editando'],
  ['Não editar', 'Do not edit', 'No editar'],
  ['Não responder a esta mensagem', 'Do not reply to this message', 'No responder a este mensaje'],
  ['Anexar arquivo', 'Attach a file', 'Adjuntar archivo'],
  ['Legenda', 'Caption', 'Descripción'],
  ['Escreva sua mensagem', 'Write your message', 'Escriba su mensaje'],
  ['Mensagem', 'Message', 'Mensaje'],
  ['Enviar', 'Send', 'Enviar'],
  ['Mensagens', 'Messages', 'Mensajes'],
  [
    'Atendimento encerrado. Escreva para começar outro.',
    'This chat has ended. Write to start another.',
    'La atención terminó. Escriba para empezar otra.',
  ],
  ['Ir para o fim da conversa', 'Go to the end of the chat', 'Ir al final de la conversación'],
  ['Enviada', 'Sent', 'Enviado'],
  ['Entregue', 'Delivered', 'Entregado'],
  ['Lida', 'Read', 'Leído'],
  ['Não enviada', 'Not sent', 'No enviado'],
  ['Enviando', 'Sending', 'Enviando'],
  ['Enviando {name}', 'Sending {name}', 'Enviando {name}'],
  ['Imagem: {name}', 'Picture: {name}', 'Imagen: {name}'],
  ['Atendente', 'Agent', 'Agente'],
  ['Ver a mensagem citada', 'See the quoted message', 'Ver el mensaje citado'],
  ['Mensagem apagada', 'Message deleted', 'Mensaje eliminado'],
  ['editada', 'edited', 'editado'],
  ['Reações: {name}', 'Reactions: {name}', 'Reacciones: {name}'],
  ['Responder a esta mensagem', 'Reply to this message', 'Responder a este mensaje'],
  ['Editar', 'Edit', 'Editar'],
  ['Apagar', 'Delete', 'Eliminar'],
  ['Tirar a reação', 'Remove the reaction', 'Quitar la reacción'],
  ['Reagir com 👍', 'React with 👍', 'Reaccionar con 👍'],
  ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  ['Descartar', 'Discard', 'Descartar'],
  ['Pausar áudio', 'Pause audio', 'Pausar audio'],
  ['Ouvir áudio', 'Play audio', 'Escuchar audio'],
  ['Posição do áudio', 'Position in the audio', 'Posición del audio'],
  ['{at} de {length}', '{at} of {length}', '{at} de {length}'],
  ['Velocidade {name}×', 'Speed {name}×', 'Velocidad {name}×'],
  ['Foto', 'Photo', 'Foto'],
  ['Áudio', 'Audio', 'Audio'],
  ['Vídeo', 'Video', 'Video'],
  ['Arquivo', 'File', 'Archivo'],
  ['Hoje', 'Today', 'Hoy'],
  ['Ontem', 'Yesterday', 'Ayer'],
  ['Antes de começar', 'Before we start', 'Antes de empezar'],
  ['Deixe sua mensagem', 'Leave a message', 'Deje su mensaje'],
  ['Nome', 'Name', 'Nombre'],
  ['E-mail', 'E-mail', 'Correo electrónico'],
  ['Telefone', 'Phone', 'Teléfono'],
  ['CPF', 'CPF', 'CPF'],
  ['{name} (opcional)', '{name} (optional)', '{name} (opcional)'],
  ['Começar', 'Start', 'Empezar'],
  ['Preencha este campo.', 'Please fill in this field.', 'Complete este campo.'],
  ['Confira este campo.', 'Please check this field.', 'Revise este campo.'],
  ['Não foi possível enviar.', 'It could not be sent.', 'No se pudo enviar.'],
  ['Recebemos sua mensagem.', 'We have your message.', 'Recibimos su mensaje.'],
  ['Mais opções', 'More options', 'Más opciones'],
  ['Encerrar atendimento', 'End this chat', 'Terminar la atención'],
  ['Baixar a conversa', 'Download the chat', 'Descargar la conversación'],
  ['Sua nota', 'Your rating', 'Su nota'],
]

const ROWS = new Map([...SENTENCES, ...TABLE].map((row) => [row[0], row]))
let language: Language = 'pt'

/** Sets and returns the language: the channel's own, or (`auto`) the visitor's first supported one, else Portuguese. */
export function speak(locale: string, visitors: readonly string[]): Language {
  const wanted = locale === 'auto' ? visitors : [locale]
  language =
    wanted.flatMap((one) => LANGUAGES.find((known) => known === one.slice(0, 2).toLowerCase()) ?? [])[0] ?? 'pt'
  return language
}

/** Returns the current language as a locale for formats. */
export const spoken = (): string => (language === 'pt' ? 'pt-BR' : language)

/** Translates a text, identified by its Portuguese words, into the current language; `{…}` are filled in. */
export const t = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  translated(text, language, ROWS).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** Translates the server's error into the current language; `otherwise` where there is no translation. */
export const explained = (text: string, otherwise: string): string =>
  language === 'pt' || ROWS.has(text) ? t(text) : t(otherwise)

/** Translates the product's automatic messages; a company's own texts stay as they are. */
export const localized = (text: string): string => translatedText(text, language)

/** Languages of the webchat. */
export const LANGUAGES = ['pt', 'en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** Sentence in all languages; its Portuguese text is the key. */
export type Sentence = readonly [pt: string, en: string, es: string]

/** Standard sentences that the server sends to visitors; `{…}` are placeholders. */
export const SENTENCES: readonly Sentence[] = [
  ['Confira os campos destacados.', 'Please check the marked fields.', 'Revise los campos marcados.'],
  ['Canal não encontrado.', 'This chat is not available.', 'Este chat no está disponible.'],
  [
    'Muitos pedidos em pouco tempo. Aguarde um instante.',
    'Too many requests. Please wait a moment.',
    'Demasiadas solicitudes. Espere un momento.',
  ],
  ['Você não tem permissão para isso.', 'You may not do that.', 'No tiene permiso para eso.'],
  [
    'Há muitas mensagens na fila de entrada. Tente de novo em instantes.',
    'We are very busy. Please try again in a moment.',
    'Hay muchos mensajes en espera. Intente de nuevo en un momento.',
  ],
  [
    'A mensagem não foi localizada; talvez seja antiga demais.',
    'The message was not found; it may be too old.',
    'No se encontró el mensaje; quizá es demasiado antiguo.',
  ],
  ['O arquivo é grande demais.', 'The file is too large.', 'El archivo es demasiado grande.'],
  ['Este tipo de arquivo não é aceito.', 'Files of this kind are not accepted.', 'Este tipo de archivo no se acepta.'],
  [
    'O prazo do canal para editar passou. Envie a correção como resposta.',
    'It is too late to edit. Send the correction as a reply.',
    'Ya no se puede editar. Envíe la corrección como respuesta.',
  ],
  [
    'O canal recusou apagar: a mensagem é do contato, ou o prazo passou.',
    'It is too late to delete this message.',
    'Ya no se puede eliminar este mensaje.',
  ],
  ['Sua sessão expirou. Entre de novo.', 'Your session has ended.', 'Su sesión terminó.'],
  ['Informe seu nome.', 'Please enter your name.', 'Escriba su nombre.'],
  ['Informe seu e-mail.', 'Please enter your e-mail.', 'Escriba su correo electrónico.'],
  ['Informe seu telefone.', 'Please enter your phone.', 'Escriba su teléfono.'],
  ['Informe seu CPF.', 'Please enter your CPF.', 'Escriba su CPF.'],
  ['Informe um e-mail válido.', 'Please enter a valid e-mail.', 'Escriba un correo electrónico válido.'],
  ['Informe o telefone com DDD.', 'Please enter the phone with its area code.', 'Escriba el teléfono con el prefijo.'],
  [
    'Este CPF não existe. Confira os números.',
    'This CPF does not exist. Please check its digits.',
    'Este CPF no existe. Revise los números.',
  ],
  ['Marque para continuar.', 'Tick this to go on.', 'Márquelo para continuar.'],
  ['Você', 'You', 'Usted'],
  ['Fale com a gente', 'Talk to us', 'Hable con nosotros'],
  [
    'Não estamos aqui agora. Deixe seu e-mail e sua mensagem, e respondemos assim que voltarmos.',
    'We are away right now. Leave your e-mail and your message, and we answer as soon as we are back.',
    'No estamos ahora. Deje su correo y su mensaje, y respondemos en cuanto volvamos.',
  ],
  ['Olá! Como podemos ajudar?', 'Hello! How can we help?', '¡Hola! ¿En qué podemos ayudar?'],
  ['Respondemos assim que possível', 'We answer as soon as we can', 'Respondemos lo antes posible'],
  ['Avalie este atendimento:', 'How was this chat?', '¿Cómo fue esta atención?'],
  ['Ruim', 'Poor', 'Malo'],
  ['Regular', 'Fair', 'Regular'],
  ['Bom', 'Good', 'Bueno'],
  ['Muito Bom', 'Very good', 'Muy bueno'],
  ['Excelente', 'Excellent', 'Excelente'],
  ['Incrível', 'Amazing', 'Increíble'],
  ['Obrigado pela sua avaliação!', 'Thank you for your rating!', '¡Gracias por su evaluación!'],
  [
    'Não entendi. Responda com um número de 0 a 5.',
    'I did not understand. Answer with a number from 0 to 5.',
    'No entendí. Responda con un número de 0 a 5.',
  ],
  [
    'Tudo bem, encerramos por aqui. Obrigado!',
    'All right, we end here. Thank you!',
    'De acuerdo, terminamos aquí. ¡Gracias!',
  ],
]

const ROWS = new Map(SENTENCES.map((row) => [row[0], row]))

/** Returns a standard sentence in a language; other texts are returned unchanged. */
export const translated = (text: string, language: Language, rows: ReadonlyMap<string, Sentence> = ROWS): string =>
  rows.get(text)?.[LANGUAGES.indexOf(language)] ?? text

/** Translates a text line by line; a line may begin with a choice's number (`4 - Excelente`). */
export const translatedText = (text: string, language: Language): string =>
  language === 'pt'
    ? text
    : text.replace(/^(\d - )?(.+)$/gm, (_, number = '', phrase: string) => number + translated(phrase, language))

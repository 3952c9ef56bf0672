/** What an interaction is called, whether the bot is off after it, and whether the product can do it. */
type InteractionKind = { readonly label: string; readonly isLast: boolean; readonly isAvailable: boolean }

const kind = (label: string, rest: Partial<InteractionKind> = {}): InteractionKind => {
  return { label, isLast: false, isAvailable: true, ...rest }
}
const LAST = { isLast: true }
const MISSING = { isAvailable: false }

/** Every interaction of the family by its type; what is not here is unknown, is passed over and survives. */
export const INTERACTIONS = {
  MessageField: kind('Enviar mensagem'),
  MessageOptionsField: kind('Opções'),
  MediaField: kind('Documento, vídeo ou áudio'),
  DelayField: kind('Atraso'),
  TagField: kind('Etiqueta'),
  KanbanField: kind('Kanban'),
  ReasonsField: kind('Motivo'),
  NotesField: kind('Nota'),
  ChatFlowField: kind('Iniciar novo fluxo', LAST),
  ChatBotBlockField: kind('Bloquear ChatBot', LAST),
  WebhookField: kind('Webhook (GET)'),
  WebhookAllField: kind('Webhook'),
  TypebotField: kind('Typebot', { ...LAST, ...MISSING }),
  ChatGPTField: kind('ChatGPT', { ...LAST, ...MISSING }),
  N8nField: kind('N8N', { ...LAST, ...MISSING }),
  OpportunityField: kind('Oportunidade', MISSING),
  ScheduleField: kind('Agenda'),
  GoogleAgendaField: kind('Google Agenda', MISSING),
  SmsField: kind('SMS'),
  VapiField: kind('Vapi', MISSING),
} as const satisfies Record<string, InteractionKind>

/** What is known of a type; null where it is not known. */
export const interactionKind = (type: string): InteractionKind | null =>
  Object.hasOwn(INTERACTIONS, type) ? INTERACTIONS[type as keyof typeof INTERACTIONS] : null

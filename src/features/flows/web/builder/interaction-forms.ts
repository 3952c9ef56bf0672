import type { Interaction } from '#domain/flow/flow.ts'
import { type JsonObject, textOf } from '#domain/flow/json.ts'
import { INTERACTIONS } from '#domain/flow/kinds.ts'
import { t } from '#web/t.ts'

/** A field of an interaction: the key under which it is written, those under which it may be read, and how it is edited. */
export type FormField = {
  readonly key: string
  readonly also?: readonly string[]
  readonly label: string
  readonly hint?: string
  readonly when?: (fields: JsonObject) => boolean
} /** Plain is what no customer reads. */ & (
  | { readonly kind: 'template'; readonly isPlain?: boolean }
  | { readonly kind: 'text' | 'lines' | 'headers' | 'tag' | 'stage' | 'reason' | 'flow' | 'file' | 'moment' }
  // The latter chooses among those that carry text messages.
  | { readonly kind: 'textMessage' | 'connection' }
  | { readonly kind: 'switch'; readonly usual: boolean }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly usual: number }
  | { readonly kind: 'choice'; readonly usual: string; readonly options: readonly (readonly [string, string])[] }
)

const saveAs: FormField = {
  key: 'saveAs',
  kind: 'text',
  label: t('Guardar a resposta como'),
  hint: t('Use depois como {{nome.campo}} e {{nome.status}}. Vazio: ninguém espera pela resposta.'),
}

/** The form of each interaction that the engine does. */
export const FORMS: Readonly<Record<string, readonly FormField[]>> = {
  MessageField: [{ key: 'message', kind: 'template', label: t('Mensagem') }],
  MessageOptionsField: [
    { key: 'message', kind: 'template', label: t('Mensagem') },
    {
      key: 'values',
      kind: 'lines',
      label: t('Opções'),
      hint: t('Uma por linha. Saem como botões onde o canal os tem, senão numeradas.'),
    },
  ],
  MediaField: [
    { key: 'fileId', kind: 'file', label: t('Arquivo') },
    { key: 'caption', kind: 'template', label: t('Legenda') },
  ],
  DelayField: [{ key: 'time', kind: 'number', label: t('Segundos'), min: 0, max: 86_400, usual: 0 }],
  TagField: [{ key: 'tag', kind: 'tag', label: t('Etiqueta') }],
  KanbanField: [{ key: 'kanban', kind: 'stage', label: t('Etapa do Kanban') }],
  ReasonsField: [{ key: 'reasonId', also: ['reason'], kind: 'reason', label: t('Motivo') }],
  NotesField: [{ key: 'noteText', also: ['notes'], kind: 'template', label: t('Nota interna') }],
  ChatFlowField: [
    {
      key: 'chatFlow',
      also: ['chatFlowId'],
      kind: 'flow',
      label: t('Fluxo'),
      hint: t('Precisa ser a última interação da etapa.'),
    },
  ],
  ChatBotBlockField: [
    { key: 'chatbotBlocked', kind: 'switch', usual: true, label: t('Bloquear o ChatBot para este contato') },
  ],
  ScheduleField: [
    {
      key: 'scheduleType',
      kind: 'choice',
      label: t('Quando'),
      usual: '1_hour',
      options: [
        ['30_mins', t('Em 30 minutos')],
        ['1_hour', t('Em 1 hora')],
        ['tomorrow', t('Amanhã, no mesmo horário')],
        ['next_week', t('Em uma semana')],
        ['next_month', t('Em um mês')],
        ['custom', t('Em uma data')],
      ],
    },
    {
      key: 'scheduleDate',
      kind: 'moment',
      label: t('Dia e horário'),
      when: ({ scheduleType }) => textOf(scheduleType) === 'custom',
    },
    { key: 'delayBeforeSend', kind: 'number', label: t('Minutos a mais'), min: 0, max: 1440, usual: 0 },
    { key: 'scheduleMessage', kind: 'template', label: t('Mensagem agendada') },
    { key: 'fileId', kind: 'file', label: t('Arquivo') },
    { key: 'includeContactInfo', kind: 'switch', usual: false, label: t('Incluir nome e número do contato') },
  ],
  SmsField: [
    { key: 'smsService', kind: 'connection', label: t('Canal') },
    { key: 'smsMessage', kind: 'textMessage', label: t('SMS') },
  ],
  WebhookField: [{ key: 'webhook', kind: 'text', label: t('Endereço') }, saveAs],
  WebhookAllField: [
    { key: 'webhookUrl', also: ['webhook'], kind: 'text', label: t('Endereço') },
    {
      key: 'httpMethod',
      kind: 'choice',
      label: t('Método'),
      usual: 'GET',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((one) => [one, one] as const),
    },
    { key: 'headers', kind: 'headers', label: t('Cabeçalhos'), hint: t('Um por linha, como “Nome: valor”.') },
    {
      key: 'bodyType',
      kind: 'choice',
      label: t('Corpo'),
      usual: 'none',
      options: [
        ['none', t('Nenhum')],
        ['json', 'JSON'],
        ['form', t('Formulário')],
      ],
    },
    {
      key: 'bodyContent',
      kind: 'template',
      isPlain: true,
      label: t('Conteúdo do corpo'),
      when: ({ bodyType }) => bodyType === 'json' || bodyType === 'form',
    },
    { key: 'timeout', kind: 'number', label: t('Tempo limite (ms)'), min: 1000, max: 60_000, usual: 10_000 },
    { key: 'retryAttempts', kind: 'number', label: t('Novas tentativas'), min: 0, max: 5, usual: 0 },
    { key: 'retryDelay', kind: 'number', label: t('Espera entre elas (ms)'), min: 1000, max: 30_000, usual: 5000 },
    saveAs,
  ],
}

/** What can be added to a step: what has a form and can be done. */
export const OFFERED: readonly { readonly type: string; readonly label: string }[] = Object.entries(INTERACTIONS)
  .filter(([type, { isAvailable }]) => isAvailable && type in FORMS)
  .map(([type, { label }]) => ({ type, label }))

/** With what a new step is made at once. */
export const QUICK: readonly { readonly type: string; readonly label: string; readonly does: Interaction['does'] }[] = [
  { type: 'MessageField', label: t('Etapa com mensagem'), does: 'message' },
  { type: 'MessageOptionsField', label: t('Etapa com opções'), does: 'options' },
  { type: 'MediaField', label: t('Etapa com arquivo'), does: 'media' },
  { type: 'DelayField', label: t('Etapa com atraso'), does: 'delay' },
  { type: 'TagField', label: t('Etapa com etiqueta'), does: 'tag' },
  { type: 'WebhookAllField', label: t('Etapa com webhook'), does: 'call' },
]

/** An interaction of a type as it begins. */
export function newInteraction(type: string, id: string): JsonObject {
  const usual = (FORMS[type] ?? []).flatMap((field): [string, unknown][] => {
    if (field.kind === 'number' || field.kind === 'choice' || field.kind === 'switch') return [[field.key, field.usual]]
    if (field.kind === 'lines' || field.kind === 'headers') return [[field.key, []]]
    const isText = field.kind === 'template' || field.kind === 'text' || field.kind === 'textMessage'
    return [[field.key, isText ? '' : null]]
  })
  return { id, type, data: Object.fromEntries(usual) }
}

import { z } from 'zod'
import { COPILOT_USES, REWRITE_STYLES } from '#domain/assistants/copilot.ts'
import { keysIn } from '#domain/keys.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { day, done, id, isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { accountChanges, accountForm, connectionForm } from './forms.ts'

const count = z.number().int()
const STYLES = keysIn(REWRITE_STYLES)
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const account = z.object({
  id: count,
  provider: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  /** Whether it answers customers in tickets. */
  answersTickets: z.boolean(),
  /** Whether the account is its provider's default. */
  isDefault: z.boolean(),
  config: values,
  /** Masked secrets. */
  secrets: z.record(z.string(), z.string()),
  /** Result of the last test, or of later turns; null before the first. */
  state: z.object({ ok: z.boolean(), text: z.string(), at: isoTime }).nullable(),
  /** Cost in R$ since the beginning of the month. */
  monthCost: z.number(),
})

const choice = account.pick({ id: true, name: true, provider: true })

/** Account at a provider of assistants, as API responses return it. */
export type AssistantAccount = z.output<typeof account>

const connection = z.object({
  assistantId: count.nullable(),
  agentId: count.nullable(),
  transcribeAudio: z.boolean(),
  when: z.enum(['always', 'closed', 'away']),
  firstTicketOnly: z.boolean(),
})

const connectionRow = z.object({
  whatsappId: count,
  name: z.string(),
  assistantId: count.nullable(),
  when: connection.shape.when,
  firstTicketOnly: z.boolean(),
  transcribeAudio: z.boolean(),
})

/** Connection with the assistant that answers on it. */
export type ConnectionRow = z.output<typeof connectionRow>

const calledOnce = z.object({
  id: z.string(),
  createdAt: isoTime,
  /** One of turn, copilot, transcription, voice, call, test. */
  use: z.string(),
  assistantId: count.nullable(),
  assistant: z.string().nullable(),
  provider: z.string(),
  model: z.string(),
  ticketId: count.nullable(),
  /** User who made the call, if any. */
  userName: z.string().nullable(),
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  ms: count,
  /** Cost in R$. */
  cost: z.number(),
  /** Agent's decision on a copilot's answer: taken, changed, refused. */
  outcome: z.string().nullable(),
  error: z.string().nullable(),
})

/** Call of an assistant, as API responses return it. */
export type AssistantCall = z.output<typeof calledOnce>

const used = { calls: count, inputTokens: count, outputTokens: count, cost: z.number() }

const models = z.object({ models: z.array(z.string()), problem: z.string().nullable() })

/** API contract of assistants: accounts at providers, their cost, and where they answer. */
export const assistants = contract(at.assistants, {
  list: {
    summary: 'Contas de assistentes, com os segredos mascarados e o custo do mês',
    returns: z.object({
      assistants: z.array(account),
      /** Cost in R$ and number of answers; `budget` and `most` 0: no limit. */
      month: z.object({ cost: z.number(), budget: z.number(), answers: z.number(), most: z.number() }),
    }),
  },
  choices: {
    summary: 'As contas que podem responder clientes, para escolher uma',
    returns: z.object({ assistants: z.array(choice) }),
  },
  costs: {
    summary: 'O que os assistentes usaram e custaram, por dia e por conta; sem datas, neste mês',
    query: z.object({ from: day.optional(), to: day.optional() }),
    returns: z.object({
      total: z.object(used),
      days: z.array(z.object({ day: z.string(), ...used })),
      accounts: z.array(
        z.object({ assistantId: count.nullable(), name: z.string(), provider: z.string(), errors: count, ...used }),
      ),
      uses: z.array(z.object({ use: z.string(), ...used })),
    }),
  },
  calls: {
    summary: 'As chamadas aos assistentes, da mais nova à mais antiga; sem datas, neste mês',
    query: pageQuery.extend({
      from: day.optional(),
      to: day.optional(),
      assistantId: id.optional(),
      use: z.string().max(40).optional(),
    }),
    returns: z.object({ calls: z.array(calledOnce), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  warnings: {
    summary: 'O que quase acabou ou acabou neste mês: orçamentos e respostas do plano',
    returns: z.object({ warnings: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })) }),
  },
  connections: {
    summary: 'Os canais da empresa, cada um com o assistente que responde nele',
    returns: z.object({ connections: z.array(connectionRow) }),
  },
  create: {
    summary: 'Nova conta de assistente; a primeira de um provedor é a padrão dele, e liga a chave dele na empresa',
    body: accountForm,
    returns: account,
    errors: ['ERR_MAX_ASSISTANTS'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma conta; o que não vem fica, e um segredo mascarado também',
    body: accountChanges,
    returns: account,
    errors: ['ERR_NO_ASSISTANT_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma conta; onde ela respondia, as pessoas atendem',
    returns: done,
    errors: ['ERR_NO_ASSISTANT_FOUND'],
    audit: true,
  },
  test: {
    summary: 'Perguntar alguma coisa a um assistente, como um cliente faria, sem atendimento nenhum',
    mode: 'slow',
    body: z.strictObject({ text: z.string().trim().max(2000).default('Olá!') }),
    returns: z.object({
      ok: z.boolean(),
      answer: z.string(),
      model: z.string(),
      inputTokens: count,
      outputTokens: count,
      ms: count,
      error: z.string().nullable(),
    }),
    errors: ['ERR_NO_ASSISTANT_FOUND', 'ERR_RATE_LIMIT'],
  },
  modelsFor: {
    summary: 'Os modelos que o provedor oferece a uma conta que ainda está sendo preenchida; nada é guardado',
    mode: 'slow',
    body: accountForm.pick({ provider: true, config: true, secrets: true }),
    returns: models,
    errors: ['ERR_RATE_LIMIT'],
  },
  models: {
    summary: 'Os modelos que o provedor oferece à conta',
    mode: 'slow',
    returns: models,
    errors: ['ERR_NO_ASSISTANT_FOUND', 'ERR_RATE_LIMIT'],
  },
})

/** API contract of the assistants of connections. */
export const connectionAssistants = contract(at.connectionAssistants, {
  get: {
    summary: 'Qual assistente responde por um canal, e quando',
    returns: connection,
    errors: ['ERR_NO_WAPP_FOUND'],
  },
  set: {
    summary: 'Escolher o assistente que responde por um canal, e quando; o que não vem fica',
    body: connectionForm,
    returns: connection,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_ASSISTANT_FOUND'],
    audit: true,
  },
})

const queueRow = z.object({ queueId: count, name: z.string(), assistantId: count.nullable() })

/** Queue with its assistant; null: that of the connection. */
export type QueueRow = z.output<typeof queueRow>

/** API contract of the assistants of queues. */
export const queueAssistants = contract(at.queueAssistants, {
  list: {
    summary: 'As filas da empresa, cada uma com o assistente que responde por ela no lugar do assistente do canal',
    returns: z.object({ queues: z.array(queueRow) }),
  },
  set: {
    summary: 'Escolher o assistente que responde por uma fila; sem nenhum, responde o do canal',
    body: z.strictObject({ assistantId: id.nullable() }),
    returns: done,
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_NO_ASSISTANT_FOUND'],
    audit: true,
  },
})

const turn = z.object({
  id: z.string(),
  /** One of waiting, claimed, asked, later, answered, sent, failed, canceled, uncertain. */
  status: z.string(),
  /** Name of the account. */
  assistant: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  sources: z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string() })),
  inputTokens: count,
  outputTokens: count,
  /** Cost in R$. */
  cost: z.number(),
  ms: count,
  error: z.string().nullable(),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
})

/** API contract of assistants' answers in a ticket. */
export const assistantTurns = contract(at.assistantTurns, {
  list: {
    summary:
      'As respostas dos assistentes num atendimento, da primeira à última, até 200, e quais podem responder nele',
    returns: z.object({
      turns: z.array(turn),
      /** Assistants that the company permits, by the name of the ticket's switch. */
      assistants: z.array(z.object({ id: z.string(), name: z.string(), isOn: z.boolean() })),
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
})

/** API contract of the copilot, which helps agents write. */
export const copilot = contract(at.copilot, {
  ask: {
    summary: 'Pedir ajuda ao copiloto num atendimento; vem em linhas de JSON: pedaços, e a resposta ou o erro no fim',
    mode: 'slow',
    body: z.strictObject({
      use: z.enum(COPILOT_USES),
      /** Text of the composer, or the question. */
      text: z.string().max(10_000).default(''),
      style: z.enum(STYLES).default('friendly'),
      language: z.string().trim().min(1).max(40).default('português do Brasil'),
    }),
    returns: z.unknown(),
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_ACCOUNT_FOR_THIS',
      'ERR_ASSISTANT_BUDGET',
      'ERR_MAX_ANSWERS',
      'ERR_RATE_LIMIT',
    ],
  },
  keep: {
    summary: 'Guardar o que foi feito da resposta do copiloto: usada, alterada ou recusada',
    params: z.object({ answerId: uuid }),
    body: z.strictObject({ outcome: z.enum(['taken', 'changed', 'refused']) }),
    returns: done,
    errors: ['ERR_NOT_FOUND'],
  },
})

/** API contract of transcripts of recordings. */
export const transcripts = contract(at.transcripts, {
  make: {
    summary: 'Transcrever um áudio da conversa; o texto fica sob o áudio, e a busca o encontra',
    mode: 'slow',
    params: z.object({ recordingId: uuid }),
    returns: z.object({ text: z.string() }),
    errors: [
      'ERR_NOT_FOUND',
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_ACCOUNT_FOR_THIS',
      'ERR_TRANSCRIPTION',
      'ERR_ASSISTANT_BUDGET',
      'ERR_MAX_ANSWERS',
      'ERR_RATE_LIMIT',
    ],
  },
})

/** API contract for answers that providers deliver later. */
export const assistantAnswers = contract(at.assistantAnswers, {
  receive: {
    summary:
      'A resposta que um workflow prometeu, uma vez, no endereço que recebeu com a pergunta (`callbackUrl`): em JSON, texto ou formulário, também com arquivos',
    params: z.object({ token: z.string().max(300) }),
    body: z.unknown(),
    returns: done,
    errors: ['ERR_NOT_FOUND', 'ERR_FILE_LINK', 'ERR_RATE_LIMIT', 'ERR_FILE_TOO_LARGE', 'ERR_FILE_TYPE'],
  },
})

const phoneChoice = z.object({ id: z.string(), name: z.string() })
const number = z
  .string()
  .max(40)
  .transform((text) => text.replace(/\D/g, ''))
  .pipe(z.string().regex(/^\d{8,15}$/, 'Informe o número com o DDI e o DDD.'))
const customer = z.union([
  number.transform((digits) => ({ number: digits, name: '' })),
  z.strictObject({ number, name: z.string().trim().max(80).default('') }),
])

/** API contract of assistants' phone calls. */
export const phoneAssistants = contract(at.phoneAssistants, {
  assistants: {
    summary: 'Os assistentes de voz que podem ligar; nenhum sem conta da Vapi',
    mode: 'slow',
    returns: z.array(phoneChoice),
    errors: ['ERR_NO_TENANT_FOUND'],
  },
  numbers: {
    summary: 'Os números de que os assistentes de voz ligam',
    mode: 'slow',
    returns: z.array(phoneChoice),
    errors: ['ERR_NO_TENANT_FOUND'],
  },
  call: {
    summary:
      'Pedir a um assistente de voz que ligue para clientes; o resumo entra no atendimento quando a ligação acaba',
    mode: 'slow',
    body: z
      .strictObject({
        /** Called people; none: the contact of the ticket. */
        customers: z.array(customer).max(10).default([]),
        ticketId: id.optional(),
        assistantId: z.string().trim().min(1).max(120),
        phoneNumberId: z.string().trim().min(1).max(120),
      })
      .refine(({ customers, ticketId }) => customers.length > 0 || ticketId !== undefined, {
        path: ['customers'],
        message: 'Informe o número do cliente.',
      }),
    returns: z.object({
      calls: z.array(z.object({ number: z.string(), callId: z.string().nullable(), error: z.string().nullable() })),
    }),
    errors: [
      'ERR_NO_TENANT_FOUND',
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_ACCOUNT_FOR_THIS',
      'ERR_ASSISTANT_BUDGET',
      'ERR_MAX_ANSWERS',
      'ERR_RATE_LIMIT',
    ],
    audit: true,
  },
})

/** Events about assistants for the browsers of administrators. */
export const assistantEvents = events(at.assistantEvents, {
  warned: z.object({ count }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    phoneAssistants: typeof phoneAssistants
    assistantAnswers: typeof assistantAnswers
    transcripts: typeof transcripts
    queueAssistants: typeof queueAssistants
    copilot: typeof copilot
    assistants: typeof assistants
    connectionAssistants: typeof connectionAssistants
    assistantTurns: typeof assistantTurns
  }
  interface Events {
    assistantEvents: typeof assistantEvents
  }
}

import type { ProviderFields } from '#kit/provider.ts'
import type { AssistantConfig, Question } from './port.ts'

/** Fields of every assistant that answers customers, for all providers. */
export const conversationFields = {
  offWord: {
    kind: 'text',
    label: 'Palavra para falar com uma pessoa',
    hint: 'Quando o cliente escreve só isso, o assistente se desliga e a fila recebe a conversa.',
    max: 60,
    default: 'sair',
  },
  waitSeconds: {
    kind: 'number',
    label: 'Espera por mais mensagens (segundos)',
    hint: 'O que o cliente escreve em sequência vira uma pergunta só.',
    whole: true,
    min: 0,
    max: 10,
    default: 2,
  },
  fallbackId: {
    kind: 'number',
    label: 'Assistente reserva',
    hint: 'O número da conta que responde quando esta falha.',
    whole: true,
    min: 1,
    isName: true,
  },
  monthlyBudget: {
    kind: 'number',
    label: 'Orçamento do mês (R$)',
    hint: 'Aos 80% os administradores são avisados; aos 100% as pessoas atendem.',
    min: 0,
  },
} as const satisfies ProviderFields

/** Fields of the token prices from which the cost of calls is computed in R$. */
const prices = {
  inputPrice: { kind: 'number', label: 'Preço da entrada (R$ por milhão de tokens)', min: 0 },
  cachedPrice: { kind: 'number', label: 'Preço da entrada em cache (R$ por milhão)', min: 0 },
  outputPrice: { kind: 'number', label: 'Preço da saída (R$ por milhão de tokens)', min: 0 },
} as const satisfies ProviderFields

/** Returns the fields of a language model at a URL. */
export const modelFields = (address: { readonly baseUrl: string; readonly keyIsNeeded: boolean }) =>
  ({
    baseUrl: {
      kind: 'url',
      label: 'Endereço da API',
      required: true,
      missing: 'Informe o endereço da API.',
      default: address.baseUrl,
    },
    apiKey: {
      kind: 'secret',
      label: 'Chave da API',
      required: address.keyIsNeeded,
      missing: 'Informe a chave da API.',
      again: 'Informe a chave de novo: o endereço mudou.',
    },
    model: { kind: 'text', label: 'Modelo', required: true, missing: 'Escolha o modelo.', max: 120 },
    prompt: {
      kind: 'longtext',
      label: 'Instruções',
      hint: 'Quem o assistente é e o que ele sabe. Aceita variáveis, como {{name}} e {{greeting}}.',
      max: 20_000,
      default: PROMPT,
    },
    ...conversationFields,
    historySize: {
      kind: 'number',
      label: 'Mensagens anteriores que ele lê',
      whole: true,
      min: 0,
      max: 100,
      default: 20,
    },
    maxTokens: {
      kind: 'number',
      label: 'Tamanho máximo da resposta (tokens)',
      whole: true,
      min: 16,
      max: 32_000,
      default: 1000,
    },
    temperature: { kind: 'number', label: 'Temperatura', hint: 'Em branco, a do modelo.', min: 0, max: 2 },
    ...prices,
  }) as const satisfies ProviderFields

const PROMPT =
  'Você atende os clientes de uma empresa por mensagens. Responda em português, em poucas frases, com educação. ' +
  'Se não souber, diga que vai chamar uma pessoa.'

/** Creates the config of a language model that answers customers. */
export const modelConfig = <const Id extends NonNullable<AssistantConfig['ticketSwitch']>>(
  id: Id,
  about: {
    readonly name: string
    readonly help: string
    readonly baseUrl: string
    readonly keyIsNeeded?: boolean
    readonly more?: ProviderFields
  },
): AssistantConfig => ({
  ...{ id, ticketSwitch: id, kind: 'model', hasEffects: false, listsModels: true },
  ...{ name: about.name, help: about.help },
  fields: { ...modelFields({ baseUrl: about.baseUrl, keyIsNeeded: about.keyIsNeeded ?? true }), ...about.more },
})

/** Builds the turns of a conversation by model role; consecutive texts of one role become one message. */
export function turnsOf({
  history,
  text,
}: Pick<Question, 'history' | 'text'>): { role: 'user' | 'assistant'; content: string }[] {
  const turns: { role: 'user' | 'assistant'; content: string }[] = []
  for (const { by, text: content } of [...history, { by: 'customer' as const, text }]) {
    if (content.trim() === '') continue
    const role = by === 'customer' ? 'user' : 'assistant'
    const last = turns.at(-1)
    if (last?.role === role) last.content += `\n${content}`
    else turns.push({ role, content })
  }
  // Some models accept only conversations begun by the customer.
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: '…' })
  return turns
}

/** Returns a number setting; undefined if empty. */
export const given = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

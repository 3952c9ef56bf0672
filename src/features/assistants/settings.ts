import type { SettingPart, SettingSpec } from '#kit/settings.ts'

const may = (name: string) =>
  ({
    kind: 'switch',
    default: 'disabled',
    group: null,
    can: 'assistants:write',
    label: name,
    effect: `Desligado, nenhuma conta de ${name} responde, onde quer que esteja escolhida.`,
  }) as const satisfies SettingSpec

const everywhere = (name: string) =>
  ({
    kind: 'switch',
    default: 'disabled',
    group: null,
    can: 'assistants:write',
    label: `${name} em todos os atendimentos`,
    effect: `A conta padrão de ${name} responde os atendimentos novos de todos os canais que não têm outro assistente.`,
  }) as const satisfies SettingSpec

/**
 * Settings of assistants: which may answer, which answer on every channel, and how messages that arrive meanwhile are
 * handled.
 */
export const settings = {
  typebot: may('Typebot'),
  typebotAllTickets: everywhere('Typebot'),
  dialogflow: may('Dialogflow'),
  dialogflowAllTickets: everywhere('Dialogflow'),
  chatgpt: may('ChatGPT'),
  chatgptAllTickets: everywhere('ChatGPT'),
  n8n: may('n8n'),
  n8nAllTickets: everywhere('n8n'),
  dify: may('Dify'),
  difyAllTickets: everywhere('Dify'),
  ollama: may('Ollama'),
  ollamaAllTickets: everywhere('Ollama'),
  lm: may('LM Studio'),
  lmAllTickets: everywhere('LM Studio'),
  grok: may('Grok'),
  grokAllTickets: everywhere('Grok'),
  gemini: may('Gemini'),
  geminiAllTickets: everywhere('Gemini'),
  qwen: may('Qwen'),
  qwenAllTickets: everywhere('Qwen'),
  claude: may('Claude'),
  claudeAllTickets: everywhere('Claude'),
  deepseek: may('DeepSeek'),
  deepseekAllTickets: everywhere('DeepSeek'),
  waitProcessExternalInteraction: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Uma resposta de assistente por vez',
    effect:
      'O que o cliente escreve enquanto um assistente responde espera a vez, em vez de a pergunta ser refeita com tudo.',
    alias: 'tenantsWaitExternal',
  },
  assistantsBudget: {
    kind: 'number',
    default: '0',
    min: 0,
    max: 1_000_000,
    unit: 'reais',
    group: null,
    can: 'assistants:write',
    label: 'Orçamento do mês dos assistentes',
    effect:
      'Quanto os assistentes podem custar por mês, em reais; 0 é sem limite. Esgotado o orçamento, só as pessoas atendem.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    assistants: typeof settings
  }
}

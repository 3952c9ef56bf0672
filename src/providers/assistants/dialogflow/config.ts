import { conversationFields } from '../llm.ts'
import type { AssistantConfig } from '../port.ts'

/** Config of Dialogflow's agents, ES and CX. */
export const dialogflowConfig: AssistantConfig = {
  ...{ id: 'dialogflow', ticketSwitch: 'dialogflow', kind: 'flow', hasEffects: true },
  name: 'Dialogflow',
  help: 'No Google Cloud, crie uma conta de serviço com o papel “Dialogflow API Client”, baixe a chave JSON e cole-a inteira aqui. Do CX, informe também o agente.',
  fields: {
    baseUrl: {
      kind: 'url',
      label: 'Endereço da API',
      required: true,
      missing: 'Informe o endereço.',
      default: 'https://dialogflow.googleapis.com',
    },
    tokenUrl: {
      kind: 'url',
      label: 'Endereço do login',
      required: true,
      missing: 'Informe o endereço do login.',
      default: 'https://oauth2.googleapis.com/token',
    },
    projectId: { kind: 'text', label: 'Projeto', max: 120, hint: 'Em branco, o da conta de serviço.' },
    location: { kind: 'text', label: 'Região', max: 60, hint: 'Em branco, global.' },
    agentId: { kind: 'text', label: 'Agente (só do CX)', max: 120 },
    language: { kind: 'text', label: 'Idioma', max: 10, default: 'pt-BR' },
    serviceAccount: {
      kind: 'secret',
      label: 'Conta de serviço (JSON)',
      max: 20_000,
      required: true,
      missing: 'Cole a conta de serviço.',
      again: 'Cole a conta de serviço de novo: um endereço mudou.',
    },
    ...conversationFields,
  },
}

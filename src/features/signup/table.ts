import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Table definition of plans, which belong to the installation; list, filters and SQL are derived from it. */
export const planTable = {
  table: 'plans',
  ofPlatform: true,
  title: 'Planos',
  singular: 'Plano',
  gender: 'm',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    value: { label: 'Valor por mês', kind: 'money', required: true, filter: true },
    connections: { label: 'Canais', kind: 'number', required: true, whole: true, min: 1, max: 1000, default: 5 },
    users: { label: 'Usuários', kind: 'number', required: true, whole: true, min: 1, max: 10_000, default: 10 },
    assistantAnswers: {
      label: 'Respostas de IA por mês',
      kind: 'number',
      column: 'assistant_answers',
      required: true,
      whole: true,
      min: 0,
      max: 100_000_000,
      default: 0,
      hint: 'Zero é sem limite. Contam respostas, ajudas do copiloto, transcrições e ligações.',
    },
    trial: {
      label: 'Período de teste',
      kind: 'boolean',
      filter: true,
      hint: 'Ao fim dele, a empresa fica inativa até alguém a reativar.',
    },
    trialPeriod: {
      label: 'Dias de teste',
      kind: 'number',
      column: 'trial_period',
      required: true,
      whole: true,
      min: 0,
      max: 365,
      default: 7,
    },
    isActive: {
      label: 'Oferecido no cadastro',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
      hint: 'Desligado, o plano some de /signup; quem já o tem não muda.',
    },
  },
  search: ['name'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec

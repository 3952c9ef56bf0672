import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Maximum time limit in minutes: 30 days. */
const MOST_MINUTES = 43_200
const minutes = (label: string, column: string, hint: string) =>
  ({ label, kind: 'number', column, whole: true, min: 1, max: MOST_MINUTES, hint }) as const

/** Table definition of SLA policies, from which list, form and SQL are derived. */
export const slaTable = {
  table: 'sla_policies',
  title: 'Políticas de prazo',
  singular: 'Política',
  gender: 'f',
  fields: {
    position: { label: 'Ordem', kind: 'order' },
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    isActive: {
      label: 'Ligada',
      kind: 'boolean',
      column: 'is_active',
      default: false,
      filter: true,
      hint: 'Desligada, não conta prazo nenhum.',
    },
    firstMinutes: minutes(
      'Primeira resposta (minutos)',
      'first_minutes',
      'Do começo, ou da saída do robô, até a primeira mensagem de uma pessoa.',
    ),
    nextMinutes: minutes(
      'Próximas respostas (minutos)',
      'next_minutes',
      'Desde que o cliente espera até a resposta de uma pessoa.',
    ),
    solutionMinutes: minutes('Solução (minutos)', 'solution_minutes', 'Do começo até o atendimento ser resolvido.'),
    warnPercent: {
      label: 'Em risco a partir de (%)',
      kind: 'number',
      column: 'warn_percent',
      whole: true,
      required: true,
      min: 1,
      max: 99,
      default: 80,
      hint: 'Quanto do prazo já passou quando o responsável é avisado.',
    },
  },
  search: ['name'],
  order: 'position',
} as const satisfies TableSpec & ListedSpec

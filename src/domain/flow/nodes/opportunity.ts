import { type CardStatus, STATUSES } from '../../funnel/card.ts'
import { readMoney } from '../../funnel/money.ts'
import { idOf, numberOf, textOf } from '../json.ts'
import { effect, explain, rendered } from '../run.ts'
import { within } from './fields.ts'
import type { NodeKind } from './kind.ts'

/** Closing forecast: a number of days after execution, or a day (`YYYY-MM-DD`); both null: unknown. */
type Forecast = { readonly days: number | null; readonly date: string | null }

/** Closing forecast as written in the document. */
type Written = { readonly type: string; readonly days: number; readonly date: string }

declare module '../flow.ts' {
  interface Interactions {
    opportunity: {
      readonly name: string
      readonly stageId: number | null
      /** Null: the ticket's agent at the time of execution. */
      readonly responsibleId: number | null
      readonly value: string
      readonly forecast: Written
      readonly status: CardStatus
      readonly description: string
    }
  }
}

declare module '../session.ts' {
  interface Effects {
    opportunity: {
      readonly name: string
      readonly stageId: number
      readonly responsibleId: number | null
      /** Decimal text. */
      readonly value: string
      readonly forecast: Forecast
      readonly status: CardStatus
      readonly description: string
    }
  }
}

const MOST_DAYS = 365
const DAYS = 7

function forecastOf({ type, days, date }: Written): Forecast {
  if (type === 'today') return { days: 0, date: null }
  if (type === 'tomorrow') return { days: 1, date: null }
  if (type === 'days_from_interaction') return { days, date: null }
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] ?? null
  return { days: null, date: day }
}

/** Creates an opportunity in a funnel stage. */
export const opportunity: NodeKind<'opportunity'> = {
  types: {
    OpportunityField: {
      label: 'Oportunidade',
      form: [
        { key: 'name', kind: 'template', isPlain: true, label: 'Nome da oportunidade' },
        { key: 'stageId', kind: 'pipelineStage', label: 'Etapa do funil' },
        { key: 'value', kind: 'text', label: 'Valor' },
        {
          key: 'dateType',
          kind: 'choice',
          label: 'Previsão de fechamento',
          usual: 'custom',
          options: [
            ['today', 'No mesmo dia'],
            ['tomorrow', 'No dia seguinte'],
            ['days_from_interaction', 'Alguns dias depois'],
            ['custom', 'Em uma data, ou sem previsão'],
          ],
        },
        {
          key: 'daysFromInteraction',
          kind: 'number',
          label: 'Quantos dias depois',
          min: 0,
          max: MOST_DAYS,
          usual: DAYS,
          when: ({ dateType }) => textOf(dateType) === 'days_from_interaction',
        },
        {
          key: 'closingForecast',
          kind: 'text',
          label: 'Dia (AAAA-MM-DD)',
          when: ({ dateType }) => ['', 'custom'].includes(textOf(dateType)),
        },
        { key: 'opportunityDescription', kind: 'template', isPlain: true, label: 'Descrição' },
      ],
    },
  },
  read: (fields) => ({
    name: textOf(fields['name']),
    stageId: idOf(fields['stageId']),
    responsibleId: idOf(fields['responsibleId']),
    value: textOf(fields['value']),
    forecast: {
      type: textOf(fields['dateType']),
      days: within(numberOf(fields['daysFromInteraction']) ?? DAYS, 0, MOST_DAYS),
      date: textOf(fields['closingForecast']),
    },
    status: STATUSES.find((one) => one === fields['opportunityStatus']) ?? 'open',
    description: textOf(fields['opportunityDescription']),
  }),
  texts: ({ name, value, description }) => [name, value, description],
  check: ({ stageId }, { pipelineStageIds }) =>
    stageId !== null && pipelineStageIds.has(stageId)
      ? []
      : [['deletedStage', 'cria uma oportunidade numa etapa do funil que não existe.']],
  perform(run, { stageId, name, value, description, responsibleId, forecast, status }) {
    if (stageId === null) return explain(run, 'A oportunidade não foi criada: falta a etapa do funil.')
    effect(run, {
      ...{ type: 'opportunity', stageId, responsibleId, status },
      forecast: forecastOf(forecast),
      name: rendered(run, name).trim(),
      value: readMoney(rendered(run, value)) ?? '0.00',
      description: rendered(run, description).trim(),
    })
  },
}

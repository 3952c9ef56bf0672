import { useMemo } from 'react'
import { ALERTS, type Alert } from '#domain/funnel/alerts.ts'
import { type CardStatus, STATUSES } from '#domain/funnel/card.ts'
import { ORDERS, type Order } from '#domain/funnel/orders.ts'
import { PERIODS, type Period } from '#domain/funnel/periods.ts'
import type { CallInput } from '#kit/contract.ts'
import { useChoices } from '#web/choices.ts'
import { askedFields, namesOfField } from '#web/fields/own-field-names.ts'
import { useUrlState } from '#web/url-state.ts'
import type { opportunities } from '../addresses.ts'

/** Filter and order of the board. */
export type Filter = Omit<NonNullable<CallInput<typeof opportunities.board>['query']>, 'pipelineId' | 'limit'>

/** Page sizes of a column. */
export const LIMITS = [10, 20, 50, 100] as const
/** Default page size of a column. */
export const LIMIT = 20

const among = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text)

/** Parses an amount in the URL; undefined if invalid. */
const money = (text: string | undefined) => (/^\d{1,12}(\.\d{1,2})?$/.test(text ?? '') ? text : undefined)

/** Parses a day in the URL; undefined if invalid. */
const dayIn = (text: string | undefined) => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? text : undefined)

/** Returns the filter in the URL, the page size of columns, the number of active filters, and `clear` to reset them. */
export function useBoardFilter() {
  const [url, setUrl] = useUrlState()
  const {
    busca,
    responsavel,
    status,
    min,
    max,
    periodo,
    ordem,
    limite,
    alerta,
    de,
    ate,
    previsaoDe,
    previsaoAte,
    fimDe,
    fimAte,
  } = url
  const fields = useChoices('opportunityFields')
  // As a string, so that equal values give the same filter.
  const own = JSON.stringify(askedFields(url, fields))
  const filter = useMemo((): Filter => {
    const owners = (responsavel ?? '')
      .split(',')
      .flatMap((id): (number | 'none')[] => (id === 'none' ? ['none'] : Number(id) > 0 ? [Number(id)] : []))
    const parts = {
      searchTerm: busca,
      responsibleId: owners.length > 0 ? owners : undefined,
      status: status === 'todos' ? [...STATUSES] : among<CardStatus>(STATUSES, status),
      valorMin: money(min),
      valorMax: money(max),
      periodo: among<Period>(PERIODS, periodo),
      startDate: dayIn(de),
      endDate: dayIn(ate),
      forecastFrom: dayIn(previsaoDe),
      forecastTo: dayIn(previsaoAte),
      closedFrom: dayIn(fimDe),
      closedTo: dayIn(fimAte),
      alert: among<Alert>(ALERTS, alerta),
      field: own === '[]' ? undefined : JSON.parse(own),
      ordenacao: among<Order>(ORDERS, ordem),
    }
    return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== ''))
  }, [
    busca,
    responsavel,
    status,
    min,
    max,
    periodo,
    alerta,
    own,
    ordem,
    de,
    ate,
    previsaoDe,
    previsaoAte,
    fimDe,
    fimAte,
  ])
  const limit = LIMITS.find((one) => String(one) === limite) ?? LIMIT
  const narrowed = Object.keys(filter).filter((key) => key !== 'ordenacao').length
  const clear = () => {
    const ofFields = fields.flatMap(namesOfField).map((name) => [name, undefined] as const)
    setUrl({ ...WITHOUT_FILTERS, ...Object.fromEntries(ofFields) })
  }
  return { url, setUrl, filter, limit, narrowed, clear }
}

const WITHOUT_FILTERS = {
  ...{ busca: undefined, responsavel: undefined, status: undefined, min: undefined, max: undefined },
  ...{ periodo: undefined, alerta: undefined, de: undefined, ate: undefined },
  ...{ previsaoDe: undefined, previsaoAte: undefined, fimDe: undefined, fimAte: undefined },
}

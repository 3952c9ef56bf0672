import { ALERTS } from '#domain/funnel/alerts.ts'
import { STATUS_NAMES } from '#domain/funnel/card.ts'
import { PERIODS } from '#domain/funnel/periods.ts'
import { useChoices } from '#web/choices.ts'
import { OwnFieldFilters } from '#web/fields/OwnFieldFilters.tsx'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { MoneyFilter } from '#web/ui/inputs/MoneyFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { useBoardFilter } from './board-filter.ts'
import { ALERT, PERIOD } from './labels.ts'

type Given = Pick<ReturnType<typeof useBoardFilter>, 'url' | 'setUrl'>

const dayText = (day: string | undefined): string => day?.split('-').reverse().join('/') ?? '…'

const statuses = [...Object.entries(STATUS_NAMES), ['todos', t('Todos')]].map(([id = '', name = '']) => ({ id, name }))
const periods = PERIODS.map((id) => ({ id, name: PERIOD[id] }))
const alerts = ALERTS.map((id) => ({ id, name: ALERT[id].name }))

/** Filters of the board: owner, status, creation, value, alerts. */
export function BoardFilters({ url, setUrl }: Given) {
  const colleagues = useChoices('users').map(({ id, name }) => ({ id: String(id), name }))
  const owners = [{ id: 'none', name: t('Sem responsável') }, ...colleagues]
  const listOf = (text: string | undefined) => (text ?? '').split(',').filter(Boolean)
  // Single choice: a new one replaces the old one.
  const one = (name: string) => (ids: readonly string[]) => setUrl({ [name]: ids.at(-1) })
  return (
    <>
      <ChoiceFilter
        label={t('Responsável')}
        options={owners}
        chosen={listOf(url['responsavel'])}
        onChange={(ids) => setUrl({ responsavel: ids.join(',') })}
      />
      <ChoiceFilter label={t('Status')} options={statuses} chosen={listOf(url['status'])} onChange={one('status')} />
      <ChoiceFilter
        label={t('Criada em')}
        options={periods}
        chosen={listOf(url['periodo'])}
        onChange={one('periodo')}
      />
      <PeriodFilter from={url['de']} to={url['ate']} onChange={({ de, ate }) => setUrl({ de, ate })} />
      <DaysChip {...{ url, setUrl }} label={t('Previsão')} from="previsaoDe" to="previsaoAte" />
      <DaysChip {...{ url, setUrl }} label={t('Terminadas')} from="fimDe" to="fimAte" />
      <MoneyFilter min={url['min']} max={url['max']} onChange={setUrl} />
      <OwnFieldFilters {...{ url, setUrl }} fields={useChoices('opportunityFields')} />
      <ChoiceFilter label={t('Alerta')} options={alerts} chosen={listOf(url['alerta'])} onChange={one('alerta')} />
    </>
  )
}

/** Chip of a day filter that a chart has set; a click removes it. */
function DaysChip(props: Given & { label: string; from: string; to: string }) {
  const { url, setUrl, label, from, to } = props
  if (!url[from] && !url[to]) return null
  const text = t('{label}: {from} a {to}', { label, from: dayText(url[from]), to: dayText(url[to]) })
  return <FilterChip label={text} active onClick={() => setUrl({ [from]: undefined, [to]: undefined })} />
}

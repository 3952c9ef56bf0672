import { useInfiniteQuery } from '@tanstack/react-query'
import { type CardStatus, STATUS_NAMES, timeInStages } from '#domain/funnel/card.ts'
import type { Answer } from '#kit/contract.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { fieldOf, type OwnField } from '#kit/own-fields.ts'
import { useChoices } from '#web/choices.ts'
import { pages } from '#web/client.ts'
import { formatDateTime, formatMoney, formatSpan, timeZone } from '#web/format.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { opportunities } from '../addresses.ts'
import css from './funnel.module.css'

type Row = Answer<typeof opportunities.history>['data'][number]

/** Time in each stage, once the whole history is loaded. */
function TimeByStage({ rows, nameOf }: { rows: readonly Row[]; nameOf: (id: number) => string }) {
  const now = useNow()
  const history = rows.map((row) => ({ ...row, at: Date.parse(row.at) })).toReversed()
  return (
    <dl className={css.figures} aria-label={t('Tempo por etapa')}>
      {[...timeInStages(history, now)].map(([id, ms]) => (
        <div key={id}>
          <dt>{nameOf(id)}</dt>
          <dd>{formatSpan(ms)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Formats a stored value of a custom field. */
function fieldText(fields: readonly OwnField[], name: string | null, value: string): string {
  const field = fields.find((one) => one.name === name)
  if (!field) return value
  const typed = field.type === 'number' ? Number(value) : field.type === 'boolean' ? value === 'true' : value
  return kindOf(fieldOf(field)).toText(typed, fieldOf(field), { zone: timeZone() })
}

/** History of an opportunity, newest first. */
export function History({ id }: { id: number }) {
  const list = useInfiniteQuery(pages(opportunities.history, { params: { id } }))
  const { data } = list
  const stages = useChoices('pipelines').flatMap((one) => one.stages)
  const colleagues = useChoices('users')
  const fields = useChoices('opportunityFields')
  if (!data) return <SkeletonRows kind="table" rows={4} />
  const nameIn = (all: readonly { id: number; name: string }[], one: string | null, none: string) =>
    one === null ? none : (all.find((other) => String(other.id) === one)?.name ?? t('(excluído)'))
  const texts: Readonly<Record<Row['kind'], (row: Row) => string>> = {
    created: () => t('Oportunidade criada'),
    stage: ({ after }) => t('Etapa: {name}', { name: nameIn(stages, after, '') }),
    status: ({ after }) => t('Status: {name}', { name: STATUS_NAMES[after as CardStatus] }),
    value: ({ before, after }) =>
      before === null
        ? t('Valor: {after}', { after: formatMoney(after ?? '0') })
        : t('Valor: de {before} para {after}', { before: formatMoney(before), after: formatMoney(after ?? '0') }),
    owner: ({ after }) => t('Responsável: {name}', { name: nameIn(colleagues, after, t('ninguém')) }),
    field: ({ field, after }) =>
      t('{name}: {after}', {
        name: field ?? t('Campo excluído'),
        after: after ? fieldText(fields, field, after) : t('nada'),
      }),
    forecast: ({ after }) => t('Previsão: {day}', { day: after?.split('-').reverse().join('/') ?? t('nenhuma') }),
  }
  return (
    <>
      <ul className={css.history}>
        {data.pages
          .flatMap((page) => page.data)
          .map((row) => (
            <li key={row.id}>
              {texts[row.kind](row)}
              <small>{[formatDateTime(row.at), row.userName].filter(Boolean).join(' · ')}</small>
            </li>
          ))}
      </ul>
      <MoreButton list={list} />
      {!list.hasNextPage && (
        <TimeByStage rows={data.pages.flatMap((page) => page.data)} nameOf={(id) => nameIn(stages, String(id), '')} />
      )}
    </>
  )
}

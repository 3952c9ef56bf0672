import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { brazilianHolidays } from '#domain/calendar/brazil-holidays.ts'
import type { Holiday } from '#domain/calendar/business-hours.ts'
import { isApiError } from '#web/api.ts'
import { mutation, queryClient } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { AddIcon, DeleteIcon, DownloadIcon } from '#web/ui/icons.ts'
import { MaskedInput } from '#web/ui/inputs/fields.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import { hours } from '../addresses.ts'
import css from './hours.module.css'

/** Row of a holiday with a stable key while its date is being edited. */
type Row = Holiday & { key: number }

let serial = 0
const withKeys = (list: readonly Holiday[]): Row[] => list.map((holiday) => ({ ...holiday, key: ++serial }))
const withoutKeys = (rows: readonly Row[]): Holiday[] => rows.map(({ key: _, ...holiday }) => holiday)

/** Editor of the holidays by year; imports the national ones of a year. */
export function Holidays({ saved }: { saved: readonly Holiday[] }) {
  const thisYear = new Date().getFullYear()
  const [year, setYear] = useState(thisYear)
  const [start, setStart] = useState({ saved, rows: withKeys(saved) })
  if (start.saved !== saved) setStart({ saved, rows: withKeys(saved) })
  const draft = useDraft(start.rows)
  const [errors, setErrors] = useState<Record<number, string>>({})
  const rows = draft.value
  const years = [...new Set([thisYear, thisYear + 1, ...rows.map(yearOf).filter((one) => one > 0)])].sort()
  const shown = rows.filter((row) => yearOf(row) === year || yearOf(row) === 0)

  const set = (next: Row[]) => {
    setErrors({})
    draft.set(next)
  }
  const save = useSaveHolidays(draft, rows, setErrors)
  return (
    <Card
      title={t('Feriados')}
      actions={
        <SegmentedControl
          aria-label={t('Ano')}
          data={years.map(String)}
          value={String(year)}
          onChange={(value) => setYear(Number(value))}
        />
      }
    >
      {shown.length === 0 && (
        <p className={css.none}>{t('Nenhum feriado em {year}: a semana acima vale todos os dias.', { year })}</p>
      )}
      <HolidayList set={set} rows={rows} setYear={setYear} shown={shown} errors={errors} />
      <HolidaySteps year={year} rows={rows} set={set} />
      <SaveFooter
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={() => save.mutate({ body: withoutKeys(rows) })}
        onDrop={() => {
          setErrors({})
          draft.discard()
        }}
        problem={problemText(errors)}
      />
    </Card>
  )
}

function problemText(errors: Record<number, string>) {
  return Object.keys(errors).length > 0
    ? plural(Object.keys(errors).length, t('feriado precisa ser corrigido'), t('feriados precisam ser corrigidos'))
    : undefined
}

function HolidayList(props: {
  set: (next: Row[]) => void
  rows: Row[]
  setYear: (next: number) => void
  shown: Row[]
  errors: Record<number, string>
}) {
  const { set, rows, setYear, shown, errors } = props
  const change = (key: number, part: Partial<Holiday>) => {
    set(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
    // A day of another year: its row is followed there.
    if (part.date) setYear(Number(part.date.slice(0, 4)))
  }
  return (
    <ul>
      {shown.map((row) => (
        <HolidayRow
          key={row.key}
          row={row}
          error={errors[row.key]}
          change={(part) => change(row.key, part)}
          remove={() => set(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
    </ul>
  )
}

function HolidaySteps({ year, rows, set }: { year: number; rows: Row[]; set: (next: Row[]) => void }) {
  const missing = brazilianHolidays(year).filter(({ date }) => !rows.some((row) => row.date === date))
  const takeOver = () =>
    set(
      [
        ...rows,
        ...withKeys(missing.map(({ date, description, optional }) => ({ date, description, active: !optional }))),
      ].sort((a, b) => (a.date < b.date ? -1 : 1)),
    )
  return (
    <div className={css.steps}>
      <Button
        variant="default"
        leftSection={<AddIcon size={17} />}
        onClick={() => set([...rows, { key: ++serial, date: '', description: '', active: true }])}
      >
        {t('Adicionar feriado')}
      </Button>
      {missing.length > 0 && (
        <Button variant="default" leftSection={<DownloadIcon size={17} />} onClick={takeOver}>
          {t('Importar os nacionais de {year}', { year })}
        </Button>
      )}
    </div>
  )
}

function useSaveHolidays(
  draft: { discard: () => void },
  rows: Row[],
  setErrors: (next: Record<number, string>) => void,
) {
  return useMutation(
    mutation(hours.setHolidays, {
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: ['hours'] })
        draft.discard()
        notify({ tone: 'pos', title: t('Feriados salvos') })
      },
      onError: (error) => {
        const found = isApiError(error) ? Object.entries(error.details) : []
        const byKey = found.flatMap(([path, text]) => {
          const row = rows[Number(path.split('.')[0])]
          return row ? [[row.key, String(text)]] : []
        })
        if (byKey.length > 0) setErrors(Object.fromEntries(byKey))
        else notify({ tone: 'neg', title: t('Os feriados não foram salvos. Tente de novo.') })
      },
    }),
  )
}

function HolidayRow(props: {
  row: Row
  error: string | undefined
  change: (part: Partial<Holiday>) => void
  remove: () => void
}) {
  const { row, error, change, remove } = props
  const name = row.description || t('novo feriado')
  const [day, setDay] = useState(shownDay(row.date))
  return (
    <li className={css.holiday} data-off={!row.active || undefined}>
      <MaskedInput
        mask="data"
        aria-label={t('Dia de {name}', { name })}
        placeholder={t('DD/MM/AAAA')}
        value={day}
        error={error}
        onChange={(text) => {
          setDay(text)
          change({ date: isoOf(text) })
        }}
      />
      <TextInput
        aria-label={t('Descrição de {name}', { name })}
        placeholder={t('Descrição')}
        maxLength={80}
        value={row.description}
        error={error !== undefined}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <span className={css.closed}>
        <Switch
          aria-label={t('Fechado em {name}', { name })}
          checked={row.active}
          onChange={(event) => change({ active: event.currentTarget.checked })}
        />
        <span aria-hidden="true">{row.active ? t('Fechado') : t('Não vale')}</span>
      </span>
      <IconButton aria-label={t('Excluir {name}', { name })} onClick={remove}>
        <DeleteIcon size={18} />
      </IconButton>
    </li>
  )
}

const shownDay = (date: string): string => date.split('-').reverse().join('/')
/** Converts a complete date to `AAAA-MM-DD`; empty if incomplete. */
const isoOf = (text: string): string => (text.length === 10 ? text.split('/').reverse().join('-') : '')

const yearOf = ({ date }: Holiday): number => Number(date.slice(0, 4))

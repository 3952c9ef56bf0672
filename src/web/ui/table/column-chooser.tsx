import { Button, Checkbox, Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../../t.ts'
import { ColumnsIcon } from '../icons.ts'
import list from '../inputs/choice-filter.module.css'
import { WITHIN } from '../layout/within.ts'
import css from './column-chooser.module.css'

type Choice = { key: string; title: string; initial?: boolean }

const initial = (columns: readonly Choice[]) => columns.filter((one) => one.initial).map((one) => one.key)

/**
 * Returns the columns of a list that this browser shows (`guiche.{list}.colunas`), as chosen by the user, and the chooser
 * that changes them; the first column always stays.
 */
export function useColumns<C extends Choice>(
  list: string,
  all: readonly C[],
): { columns: readonly C[]; chooser: ReactNode } {
  const storageKey = `guiche.${list}.colunas`
  const [saved, setSaved] = useState<readonly string[] | null>(() => {
    try {
      const known: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
      return Array.isArray(known) ? known.map(String) : null
    } catch {
      return null
    }
  })
  const choose = (keys: readonly string[]) => {
    localStorage.setItem(storageKey, JSON.stringify(keys))
    setSaved(keys)
  }
  // Some columns are only known after loading.
  const shown = saved ?? initial(all)
  return {
    columns: all.filter((column, index) => index === 0 || shown.includes(column.key)),
    chooser: <ColumnChooser columns={all} shown={shown} onChange={choose} />,
  }
}

/** Chooser “Colunas 6 de 11”: a list of switches behind a button. */
function ColumnChooser(props: {
  columns: readonly Choice[]
  shown: readonly string[]
  onChange: (keys: readonly string[]) => void
}) {
  const { columns, shown, onChange } = props
  const [first, ...others] = columns
  const count = 1 + others.filter((one) => shown.includes(one.key)).length
  return (
    <Popover position="bottom-end" width={254} middlewares={WITHIN} withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<ColumnsIcon size={17} />}>
          {t('Colunas')}
          <span className={css.share}>{t('{count} de {count2}', { count, count2: columns.length })}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={css.within}>
        <div className={css.header}>
          <b>{t('Colunas')}</b>
          <button type="button" onClick={() => onChange(initial(columns))}>
            {t('Restaurar padrão')}
          </button>
        </div>
        <ul className={list.choices}>
          <li>
            <Checkbox label={first?.title} checked disabled />
          </li>
          {others.map((one) => (
            <li key={one.key}>
              <Checkbox
                label={one.title}
                checked={shown.includes(one.key)}
                onChange={(event) =>
                  onChange(event.currentTarget.checked ? [...shown, one.key] : shown.filter((key) => key !== one.key))
                }
              />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

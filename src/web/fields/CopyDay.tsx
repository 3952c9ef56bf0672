import { Button, Checkbox, Popover } from '@mantine/core'
import { useState } from 'react'
import { WEEKDAYS } from '#domain/calendar/business-hours.ts'
import { itemAt } from '#domain/present.ts'
import { t } from '../t.ts'
import { CopyIcon } from '../ui/icons.ts'
import { IconButton } from '../ui/inputs/IconButton.tsx'
import css from './week-hours.module.css'

const monday = 1
const everyday = WEEKDAYS.map((_, day) => (day + monday) % WEEKDAYS.length)
const workdays = everyday.slice(0, 5)

/** Menu “Copiar para…”: selects the other days, or all of a kind at once. */
export function CopyDay({ day, onCopy }: { day: number; onCopy: (days: readonly number[]) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const name = itemAt(WEEKDAYS, day)
  const others = everyday.filter((one) => one !== day)
  const open = (next: boolean) => {
    setOpen(next)
    if (next) setChosen([])
  }
  const quick = [
    [t('Segunda a sexta'), workdays.filter((one) => one !== day)],
    [t('Todos'), others],
  ] as const
  return (
    <span className={css.copy}>
      <Popover opened={isOpen} onChange={open} position="bottom-end" width={228} trapFocus returnFocus withinPortal>
        <Popover.Target>
          <IconButton
            size={32}
            aria-label={t('Copiar {day} para…', { day: name })}
            title={t('Copiar para…')}
            onClick={() => open(!isOpen)}
          >
            <CopyIcon size={17} />
          </IconButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('Copiar {day} para…', { day: name })} className={css.targets}>
          <b>{t('Copiar {day} para…', { day: name })}</b>
          <div className={css.quick}>
            {quick.map(([label, days]) => (
              <Button key={label} variant="default" size="sm" onClick={() => setChosen(days)}>
                {label}
              </Button>
            ))}
          </div>
          {others.map((one) => (
            <Checkbox
              key={one}
              label={WEEKDAYS[one]}
              checked={chosen.includes(one)}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
              }
            />
          ))}
          <Button
            fullWidth
            disabled={chosen.length === 0}
            onClick={() => {
              onCopy(chosen)
              open(false)
            }}
          >
            {t('Copiar')}
          </Button>
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}

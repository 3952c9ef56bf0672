import { Popover } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { definitionOf, isTime, type Measure } from '#domain/reports/measures.ts'
import { SWITCHES, type TimeSwitch } from '#domain/reports/switches.ts'
import { query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { InfoIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { reports } from '../addresses.ts'
import { useAsked } from './asked.ts'
import css from './reports.module.css'

/** Meaning of a number, the version of its definition, and its last proof. */
export function MeasureInfo({ measure }: { measure: Measure }) {
  const [isOpen, setOpen] = useState(false)
  const { asked } = useAsked()
  const { name, sentence, version } = definitionOf(measure)
  const left = isTime(measure) ? ((asked.times ?? []) as TimeSwitch[]).map((one) => SWITCHES[one].sentence) : []
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={280}
      position="bottom-start"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <IconButton
          size={24}
          aria-label={t('O que é {name}', { name })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          className={css.infoButton!}
          onClick={() => setOpen(!isOpen)}
        >
          <InfoIcon size={14} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown role="dialog" tabIndex={-1} aria-label={name}>
        <div className={css.info}>
          <b>{name}</b>
          <p>{[sentence, ...left].join(' ')}</p>
          <small>
            {t(
              'Definição {version}. Cada atendimento conta no dia em que começou; grupos, só com o filtro; conversas importadas de um histórico, nunca; os de quem foi apagado continuam contando.',
              { version },
            )}
          </small>
          {isOpen && <Proved measure={measure} />}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Proved({ measure }: { measure: Measure }) {
  const { data } = useQuery(query(reports.proof))
  if (!data) return null
  if (data.at === null) return <small>{t('Ainda não recontado: a conferência roda toda noite.')}</small>
  const found = data.differences.filter((one) => one.measure === measure).length
  return (
    <small data-tone={found > 0 ? 'warn' : 'pos'}>
      {found === 0
        ? t('Conferido em {at}: {days}, sem diferença.', {
            at: formatDateTime(data.at),
            days: plural(data.days, t('dia'), t('dias')),
          })
        : t('Conferido em {at}: {found}, já corrigidas.', {
            at: formatDateTime(data.at),
            found: plural(found, t('diferença'), t('diferenças')),
          })}
    </small>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { query } from '#web/client.ts'
import { savePreferences, usePreferences } from '#web/preferences.ts'
import { on } from '#web/realtime/realtime.ts'
import { NoticeBar } from '#web/shell/notice-bar.tsx'
import { t } from '#web/t.ts'
import { WarningIcon } from '#web/ui/icons.ts'
import { assistantEvents, assistants } from '../addresses.ts'
import css from './costs.module.css'

const MOST_SAVED = 40

/** Bar with an unread warning, on every screen until the user dismisses it. */
export function BudgetBar() {
  const { data, refetch } = useQuery(query(assistants.warnings))
  const { readWarnings } = usePreferences()
  useEffect(() => on(assistantEvents.warned, () => void refetch()), [refetch])
  const [first] = (data?.warnings ?? []).filter(({ id }) => !readWarnings.includes(id))
  if (!first) return null
  const read = () => void savePreferences({ readWarnings: [...readWarnings, first.id].slice(-MOST_SAVED) })
  return (
    <NoticeBar
      icon={WarningIcon}
      end={
        <>
          <Link to={'/configuracoes/custos-de-ia'}>{t('Ver custos')}</Link>
          <button type="button" onClick={read}>
            {t('Entendi')}
          </button>
        </>
      }
    >
      <b>{first.title}.</b> <span className={css.consequence}>{first.text}</span>
    </NoticeBar>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { query } from '#web/client.ts'
import { savePreferences, usePreferences } from '#web/preferences.ts'
import { on } from '#web/realtime/realtime.ts'
import { warnings } from '#web/shell/attention.ts'
import { NoticeBar } from '#web/shell/notice-bar.tsx'
import { t } from '#web/t.ts'
import { WarningIcon } from '#web/ui/icons.ts'
import { assistantEvents, assistants } from '../addresses.ts'
import css from './costs.module.css'

const MOST_SAVED = 40
const path = '/configuracoes/custos-de-ia'

/** Bar with an unread warning, on every screen until the user dismisses it. */
export function BudgetBar() {
  const { data, refetch } = useQuery(query(assistants.warnings))
  const { readWarnings } = usePreferences()
  useEffect(() => on(assistantEvents.warned, () => void refetch()), [refetch])
  const unread = useMemo(
    () =>
      (data?.warnings ?? [])
        .filter(({ id }) => !readWarnings.includes(id))
        .map((one) => ({
          ...one,
          path,
          read: () => void savePreferences({ readWarnings: [...readWarnings, one.id].slice(-MOST_SAVED) }),
        })),
    [data, readWarnings],
  )
  useEffect(() => {
    warnings.set(unread)
    return () => warnings.set([])
  }, [unread])
  const [first] = unread
  if (!first) return null
  return (
    <NoticeBar
      icon={WarningIcon}
      end={
        <>
          <Link to={path}>{t('Ver custos')}</Link>
          <button type="button" onClick={first.read}>
            {t('Entendi')}
          </button>
        </>
      }
    >
      <b>{first.title}.</b> <span className={css.consequence}>{first.text}</span>
    </NoticeBar>
  )
}

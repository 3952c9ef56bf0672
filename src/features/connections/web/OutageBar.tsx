import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useChoices } from '#web/choices.ts'
import { on } from '#web/realtime/realtime.ts'
import { useMay } from '#web/session/permissions.ts'
import { NoticeBar } from '#web/shell/notice-bar.tsx'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { UnplugIcon } from '#web/ui/icons.ts'
import { connectionEvents } from '../addresses.ts'
import { isHindering } from './hindering.ts'
import { useLiveConnections } from './live.ts'

/** Time before an outage is shown, as short ones need no notice, in ms. */
const patienceMs = 2000

/** Bar above every screen with the channels of the user that are down, where messages wait. */
export function OutageBar() {
  useLiveConnections()
  useEffect(
    () =>
      on(connectionEvents.outage, async ({ id, name, cause }) => {
        const { causeTexts } = await import('#domain/connections/cause-texts.ts')
        notify({
          id: `outage ${id}`,
          tone: 'warn',
          title: t('“{name}” está sem conexão há um minuto', { name }),
          text: causeTexts[cause].advice,
        })
      }),
    [],
  )
  useEffect(
    () =>
      on(connectionEvents.told, ({ id, title, text }) =>
        notify({ id: `told ${id} ${title}`, tone: 'warn', title, text }),
      ),
    [],
  )
  const mayOpen = useMay()('connections:list')
  const away = useChoices('connections').filter(isHindering)
  const [isLate, setLate] = useState(false)
  const isAny = away.length > 0
  useEffect(() => {
    setLate(false)
    if (!isAny) return
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isAny])
  const [first] = away
  if (!first || !isLate) return null
  return (
    <NoticeBar icon={UnplugIcon} end={mayOpen && <Link to={'/sessoes'}>{t('Ver canais')}</Link>}>
      <b>
        {away.length === 1
          ? t('{name} está sem conexão.', { name: first.name })
          : t('{count} canais estão sem conexão.', { count: away.length })}
      </b>{' '}
      {t('O que for enviado por ele espera e sai automaticamente quando a conexão voltar.')}
    </NoticeBar>
  )
}

import { useEffect, useState } from 'react'
import { connectionState, openConnection } from '../realtime/realtime.ts'
import { createStore } from '../store.ts'
import { t } from '../t.ts'
import { OfflineIcon, RefreshIcon } from '../ui/icons.ts'
import { NoticeBar, Trying } from './notice-bar.tsx'

/** Time without a connection before the bar is shown, in ms: short reconnections stay silent. */
const patience = 3000

const network = createStore(navigator.onLine, (set) => {
  const look = () => set(navigator.onLine)
  const events = ['online', 'offline'] as const
  for (const event of events) addEventListener(event, look)
  look()
  return () => {
    for (const event of events) removeEventListener(event, look)
  }
})

/** Bar with the connection's problem and its effect on the work meanwhile (decision A19); empty while there is none. */
export function ConnectionBar() {
  const state = connectionState.use()
  const online = network.use()
  const [late, setLate] = useState(false)
  const well = online && state === 'open'
  useEffect(() => {
    setLate(false)
    if (well) return
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [well])
  if (well || (online && state !== 'given-up' && !late)) return null
  const end =
    state === 'given-up' ? (
      <button type="button" onClick={() => void openConnection()}>
        <RefreshIcon size={16} />
        {t('Reconectar')}
      </button>
    ) : (
      <Trying text={t('tentando')} />
    )
  return (
    <NoticeBar icon={OfflineIcon} isDark end={end}>
      <b>{online ? t('Sem contato com o servidor.') : t('Sem internet.')}</b>{' '}
      {t('O que você escrever fica guardado e sai quando a conexão voltar.')}
    </NoticeBar>
  )
}

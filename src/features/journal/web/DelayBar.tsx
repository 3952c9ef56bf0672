import { useEffect, useState } from 'react'
import type { journalEvents } from '#features/ledger/journal-events.ts'
import type { Payload } from '#kit/events.ts'
import { NoticeBar, Trying } from '#web/shell/notice-bar.tsx'
import { plural, t } from '#web/t.ts'
import { DelayIcon } from '#web/ui/icons.ts'

const causes = {
  disk: t('o disco do servidor está cheio ou com defeito'),
  database: t('o banco de dados não responde como deveria'),
  other: t('o servidor encontrou uma falha'),
}

/** Time after which a delay is shown. */
const patienceMs = 2000

/** Bar about a lasting delay: for all users that nothing is lost, for administrators what is wrong. */
export function DelayBar({ cause, companies }: NonNullable<Payload<typeof journalEvents.delay>>) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  const where =
    companies === null ? '' : ` ${t('em {companies}', { companies: plural(companies, 'empresa', 'empresas') })}`
  return (
    <NoticeBar icon={DelayIcon} isDark end={<Trying text={t('tentando')} />}>
      <b>
        {t('As mensagens estão demorando a entrar')}
        {where}
        {cause ? `: ${causes[cause]}.` : '.'}
      </b>{' '}
      {cause === 'disk'
        ? t('Nada se perde; com espaço livre no servidor, elas entram sozinhas.')
        : t('Nada se perde; elas aparecem assim que o sistema se recuperar.')}
    </NoticeBar>
  )
}

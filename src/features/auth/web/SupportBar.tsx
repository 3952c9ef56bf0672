import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { lastOf } from '#domain/present.ts'
import { supportEvents } from '#features/users/addresses.ts'
import { mutation, query, queryClient } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { on } from '#web/realtime/realtime.ts'
import { NoticeBar } from '#web/shell/notice-bar.tsx'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { AuditIcon } from '#web/ui/icons.ts'
import { support } from '../addresses.ts'
import { forgetSupport } from './support-memory.ts'

const everyMs = 60_000

/** Bar about active support access: its account, its end, and a button that ends it. */
export function SupportBar() {
  const { data } = useQuery({ ...query(support.access), refetchInterval: everyMs })
  const end = useMutation(mutation(support.end))
  useEffect(
    () => on(supportEvents.changed, () => void queryClient.invalidateQueries({ queryKey: [support.access.family] })),
    [],
  )
  const [first, ...others] = data?.sessions ?? []
  if (!data || !first) return null
  const until = formatTime(lastOf([first, ...others]).endsAt)
  const names = [...new Set([first, ...others].map(({ userName }) => userName))].join(', ')
  const stop = async () => {
    if (data.isOwn) {
      const { leave } = await import('#web/shell/account-commands.ts')
      forgetSupport()
      return leave()
    }
    const sure = await confirm({
      title: t('Encerrar o acesso de suporte?'),
      text: t('Quem está dando suporte sai da conta agora.'),
      action: t('Encerrar acesso'),
    })
    if (sure) end.mutate({})
  }
  return (
    <NoticeBar
      icon={AuditIcon}
      end={
        <button type="button" onClick={() => void stop()}>
          {t('Encerrar')}
        </button>
      }
    >
      <b>{data.isOwn ? t('Você está em acesso de suporte') : t('Acesso de suporte em andamento')}</b>{' '}
      {t('na conta de {names}, até as {until}. Tudo fica na auditoria.', { names, until })}
    </NoticeBar>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { isApiError, notifyError, sentence } from '#web/api.ts'
import { call, query, queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { history, historyEvents } from '../addresses.ts'
import type { HistoryImport } from '../contract.ts'

/** Number of messages requested for a single conversation. */
const perConversation = 200

/** Hook with a connection's newest import, updated live; null: none, undefined: loading. */
export function useLastImport(whatsappId: number): HistoryImport | null | undefined {
  const asked = query(history.list, { query: { whatsappId } })
  const { data } = useQuery(asked)
  useEffect(
    () =>
      on(historyEvents.progress, (event) => {
        if (event.import.whatsappId === whatsappId)
          void queryClient.setQueryData(asked.queryKey, { imports: [event.import] })
      }),
    [whatsappId, asked.queryKey],
  )
  return data && (data.imports[0] ?? null)
}

/** Formats the progress of an import: “1.240 mensagens lidas, 310 novas”. */
export const broughtBy = ({ messagesRead, messagesNew }: HistoryImport): string =>
  messagesRead === 0 && messagesNew === 0
    ? t('Nada chegou ainda')
    : `${plural(Math.max(messagesRead, messagesNew), t('mensagem lida'), t('mensagens lidas'))}, ${plural(messagesNew, t('nova'), t('novas'))}`

/** “Sincronizar histórico”: imports the history of one conversation; shows the result when it arrives. */
export async function syncConversation({ whatsappId, contactId, name }: TicketDetail): Promise<void> {
  try {
    const body = { whatsappId, contactId, limit: perConversation }
    const begun = await call(history.importOne, { body }, { quiet: true })
    notify({ id: `import ${begun.id}`, tone: 'info', title: t('Buscando no canal o histórico de {name}', { name }) })
    const off = on(historyEvents.progress, (event) => {
      if (event.import.id !== begun.id || event.import.status === 'running') return
      off()
      const { status, messagesNew } = event.import
      if (status !== 'done')
        return notify({ tone: 'warn', title: t('O canal não trouxe o histórico de {name}', { name }) })
      notify({
        id: `import ${begun.id}`,
        tone: 'pos',
        title:
          messagesNew === 0
            ? t('Não faltava nada na conversa com {name}', { name })
            : plural(messagesNew, t('mensagem antiga chegou'), t('mensagens antigas chegaram')),
      })
    })
  } catch (error) {
    if (isApiError(error) && error.code === 'ERR_IMPORT_RUNNING') notify({ tone: 'warn', title: sentence(error) })
    else notifyError(error)
  }
}

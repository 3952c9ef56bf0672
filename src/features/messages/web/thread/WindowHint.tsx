import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { windowLeft } from '#web/ui/identity/window-ring.tsx'
import { useNow } from '#web/ui/use-now.ts'
import css from '../parts/conversation.module.css'

const SOON_MS = 7_200_000

/**
 * Hint above the composer: once little of the window remains (`until`; null where it is shown elsewhere), its end and what
 * is possible afterwards; also the end of the free period of contacts that came by an ad, which is not a window.
 */
export function WindowHint({ ticket, until }: { ticket: TicketDetail; until: number | null }) {
  const now = useNow()
  const { freeUntil } = ticket
  return (
    <>
      {until !== null && until - now <= SOON_MS && (
        <p className={css.hint} data-tone="warn" role="status">
          {until <= now
            ? t('A janela de 24 horas fechou: o canal deve recusar o que você enviar.')
            : `${t('A janela fecha em {left}.', { left: windowLeft(until, now).text })} ${afterwards(ticket)}`}
        </p>
      )}
      {freeUntil !== null && freeUntil > now && (
        <p className={css.hint} role="status">
          {t(
            'O contato veio de um anúncio: sem cobrança até {when}, também para modelos. A janela de 24 horas não muda.',
            {
              when: formatDateTime(freeUntil),
            },
          )}
        </p>
      )}
    </>
  )
}

function afterwards({ capabilities: { templates, humanAgentDays } }: TicketDetail): string {
  if (humanAgentDays) return t('Depois, só uma pessoa ainda responde por alguns dias, ou o cliente escreve de novo.')
  return templates
    ? t('Depois, só um modelo aprovado ou uma nova mensagem do cliente.')
    : t('Depois, só uma nova mensagem do cliente.')
}

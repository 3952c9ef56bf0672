import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { windowLeft } from '#web/ui/identity/window-ring.tsx'
import { useNow } from '#web/ui/use-now.ts'
import type { TicketDetail } from '../../tickets-contract.ts'
import css from './conversation.module.css'

const SOON_MS = 7_200_000

/** Above the composer, once little is left of the window: until when one may write freely, and what is left afterwards. */
export function WindowHint({ until, ticket }: { until: number; ticket: TicketDetail }) {
  const now = useNow()
  const { tone, text } = windowLeft(until, now)
  if (until - now > SOON_MS) return null
  return (
    <p className={css.hint} data-tone="warn" role="status">
      {tone === 'closed'
        ? t('A janela de 24 horas fechou: o canal deve recusar o que você enviar.')
        : `${t('A janela fecha em {left}.', { left: text })} ${afterwards(ticket)}`}
    </p>
  )
}

function afterwards({ capabilities: { templates, humanAgentDays } }: TicketDetail): string {
  if (humanAgentDays) return t('Depois, só uma pessoa ainda responde por alguns dias, ou o cliente escreve de novo.')
  return templates
    ? t('Depois, só um modelo aprovado ou uma nova mensagem do cliente.')
    : t('Depois, só uma nova mensagem do cliente.')
}

/** Until when nothing is charged because the contact came by an ad; it is no window. */
export function FreeHint({ until }: { until: number }) {
  if (until <= useNow()) return null
  return (
    <p className={css.hint} role="status">
      {t('O contato veio de um anúncio: sem cobrança até {when}, também para modelos. A janela de 24 horas não muda.', {
        when: formatDateTime(until),
      })}
    </p>
  )
}

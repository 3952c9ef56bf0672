import { t } from '#web/t.ts'
import { windowLeft } from '#web/ui/identity/window-ring.tsx'
import { useNow } from '#web/ui/use-now.ts'
import css from './conversation.module.css'

const SOON_MS = 7_200_000

/** Above the composer, once little is left of the window: until when one may write freely. */
export function WindowHint({ until }: { until: number }) {
  const now = useNow()
  const { tone, text } = windowLeft(until, now)
  if (until - now > SOON_MS) return null
  return (
    <p className={css.hint} data-tone="warn" role="status">
      {tone === 'closed'
        ? t('A janela de 24 horas fechou: o canal deve recusar o que você enviar.')
        : t('A janela fecha em {left}. Depois, só um modelo aprovado ou uma nova mensagem do cliente.', { left: text })}
    </p>
  )
}
